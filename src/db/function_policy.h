// Which functions, operators and casts of one database a reading statement may use.
//
// PostgreSQL runs functions with side effects in a read-only transaction as long as they do not
// write tables, so their names matter. Three answers, in this order: names that are never allowed
// whatever the catalogue says (files, large objects, other servers, locks, SQL in strings …); what
// the catalogue says of every candidate of that name (volatile, SECURITY DEFINER, written in an
// untrusted language outside well-known extensions); and for a name the catalogue does not have,
// no. Volatile functions that only read (random(), pg_relation_size() …) are listed.
//
// Immutable once built; shared by threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::db {

// One row of the catalogue: all functions of that name in that schema and extension.
struct FunctionFacts {
  std::string schema;
  std::string name;
  std::string extension;  // empty: none
  bool is_volatile = false;
  bool definer = false;    // SECURITY DEFINER
  bool untrusted = false;  // its language can do anything
  bool attribute = false;  // (x).name calls it: one argument is enough
};

// An operator outside pg_catalog, by the function behind it; or a cast, by its target type.
struct OperatorFacts {
  std::string schema;
  std::string name;
  std::string extension;
  bool is_volatile = false;
  bool definer = false;
  bool untrusted = false;
  bool implicit = false;  // a cast that needs not be written
};

// The name of types whose values are made without code of this database: those of the system,
// enumerations, and those of extensions, which are named here. All types of that name are such;
// making a value of any other type can run the check of a domain.
struct CodelessType {
  std::string name;
  std::vector<std::string> extensions;
};

struct CatalogFacts {
  std::vector<std::string> search_path;  // without pg_catalog, which is always searched
  std::vector<FunctionFacts> functions;
  std::vector<OperatorFacts> operators;
  std::vector<OperatorFacts> casts;
  std::vector<std::string> types;  // names that can be called to cast
  std::vector<CodelessType> codeless_types;
  bool secret_settings = false;  // the account would see a password in pg_settings
};

struct FunctionVerdict {
  bool allowed = true;
  bool by_catalogue = false;  // refused for what the catalogue said when it was read
  bool own_code = false;      // runs code that belongs to this database
  bool keeps_state = false;   // leaves something in the session that cannot be reset
  std::string reason;         // why it is not allowed, to follow "function x "
};

class FunctionPolicy {
 public:
  // `schemas`: where functions may come from besides pg_catalog; empty: everywhere.
  FunctionPolicy(CatalogFacts facts, std::vector<std::string> schemas,
                 const std::vector<std::string>& trusted_extensions);

  // `schema` empty: found by the search path.
  FunctionVerdict Function(std::string_view schema, std::string_view name, int arguments) const;
  // `name` after a dot, which is a column, a call or a cast.
  FunctionVerdict Attribute(std::string_view name) const;
  FunctionVerdict Operator(std::string_view name) const;
  FunctionVerdict Cast(std::string_view type) const;
  // Whether any statement may run code of this database, by a cast that it does not show.
  bool own_implicit_casts() const { return own_implicit_casts_; }

 private:
  struct Entry {
    std::string schema;
    bool trusted;  // pg_catalog, information_schema or a trusted extension
    bool attribute;
    std::string_view fault;  // empty: harmless
  };
  using Entries = std::map<std::string, std::vector<Entry>, std::less<>>;

  template <typename Facts>
  Entry EntryOf(const Facts& facts) const;
  bool Trusted(std::string_view extension) const;
  bool Codeless(std::string_view type) const;
  bool Searched(std::string_view schema) const;

  std::vector<std::string> schemas_;
  std::vector<std::string> extensions_;
  std::vector<std::string> search_path_;
  Entries functions_;
  Entries operators_;
  Entries casts_;
  bool secret_settings_;
  bool own_implicit_casts_ = false;
  std::vector<std::string> types_;     // sorted
  std::vector<std::string> codeless_;  // types; sorted
};

// For FunctionPolicy. The family a function belongs to that no catalogue can vouch for; empty when
// it belongs to none.
std::string_view DeniedFamily(std::string_view schema, std::string_view name, int arguments);
// Volatile because what they read changes, not because they change anything.
bool OnlyReads(std::string_view name);
// Makes a value of a type that is given as a number or in a string.
bool MakesValueOfGivenType(std::string_view name);
bool WellKnownExtension(std::string_view name);

}  // namespace toolpost::db
