// What the catalogue says, as verdicts.
#include "db/function_policy.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr std::string_view kSetSeed = "setseed";

bool Contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool System(std::string_view schema) {
  return schema == "pg_catalog" || schema == "information_schema";
}

FunctionVerdict Refused(std::string_view reason) {
  FunctionVerdict verdict;
  verdict.allowed = false;
  verdict.reason = reason;
  return verdict;
}

FunctionVerdict RefusedByCatalogue(std::string_view fault) {
  FunctionVerdict verdict = Refused(fault);
  verdict.by_catalogue = true;
  return verdict;
}

}  // namespace

FunctionPolicy::FunctionPolicy(CatalogFacts facts, std::vector<std::string> schemas,
                               const std::vector<std::string>& trusted_extensions)
    : schemas_(std::move(schemas)),
      extensions_(trusted_extensions),
      search_path_(std::move(facts.search_path)),
      secret_settings_(facts.secret_settings),
      types_(std::move(facts.types)) {
  for (const FunctionFacts& function : facts.functions) {
    Entry entry = EntryOf(function);
    entry.attribute = function.attribute;
    functions_[function.name].push_back(std::move(entry));
  }
  for (const OperatorFacts& one : facts.operators) operators_[one.name].push_back(EntryOf(one));
  for (const OperatorFacts& one : facts.casts) {
    const Entry& entry = casts_[one.name].emplace_back(EntryOf(one));
    own_implicit_casts_ = own_implicit_casts_ || (one.implicit && !entry.trusted);
  }
  std::sort(types_.begin(), types_.end());
  for (CodelessType& type : facts.codeless_types) {
    if (std::all_of(type.extensions.begin(), type.extensions.end(),
                    [&](const std::string& one) { return Trusted(one); })) {
      codeless_.push_back(std::move(type.name));
    }
  }
  std::sort(codeless_.begin(), codeless_.end());
}

template <typename Facts>
FunctionPolicy::Entry FunctionPolicy::EntryOf(const Facts& facts) const {
  Entry entry{facts.schema, System(facts.schema), false, {}};
  entry.trusted = entry.trusted || Trusted(facts.extension);
  if (facts.is_volatile && !(entry.trusted && OnlyReads(facts.name))) {
    entry.fault = "is volatile, so that it may change something";
  } else if (facts.definer) {
    entry.fault = "runs with another account's rights (SECURITY DEFINER)";
  } else if (facts.untrusted && !entry.trusted) {
    entry.fault = "is written in an untrusted language and its extension is not a well-known one";
  }
  return entry;
}

bool FunctionPolicy::Trusted(std::string_view extension) const {
  return !extension.empty() && (WellKnownExtension(extension) || Contains(extensions_, extension));
}

bool FunctionPolicy::Codeless(std::string_view type) const {
  return std::binary_search(codeless_.begin(), codeless_.end(), type);
}

bool FunctionPolicy::Searched(std::string_view schema) const {
  return schema == "pg_catalog" || Contains(search_path_, schema);
}

FunctionVerdict FunctionPolicy::Function(std::string_view schema, std::string_view name,
                                         int arguments) const {
  const std::string_view family = DeniedFamily(schema, name, arguments);
  if (!family.empty()) return Refused(family);
  if (secret_settings_ && name == "pg_show_all_settings") {
    return Refused("shows this account the password of a connection to another server");
  }
  FunctionVerdict verdict;
  bool found = false;
  if (const auto entries = functions_.find(name); entries != functions_.end()) {
    for (const Entry& entry : entries->second) {
      if (schema.empty() ? !Searched(entry.schema) : entry.schema != schema) continue;
      found = true;
      if (!entry.fault.empty()) return RefusedByCatalogue(entry.fault);
      if (entry.trusted) continue;
      if (!schemas_.empty() && !Contains(schemas_, entry.schema)) {
        return Refused("is not in a schema whose functions may be called");
      }
      verdict.own_code = true;
    }
  }
  verdict.own_code = verdict.own_code || MakesValueOfGivenType(name);
  verdict.keeps_state = name == kSetSeed;
  if (found) return verdict;
  if (std::binary_search(types_.begin(), types_.end(), name)) return Cast(name);
  return RefusedByCatalogue("is not known in this database");
}

FunctionVerdict FunctionPolicy::Attribute(std::string_view name) const {
  FunctionVerdict verdict;
  // Arrays of the rows of tables, whose names all begin so, are not among the types.
  const bool type = name.starts_with('_') || std::binary_search(types_.begin(), types_.end(), name);
  verdict.own_code = type && !Codeless(name);
  const auto entries = functions_.find(name);
  if (entries == functions_.end()) return verdict;
  for (const Entry& entry : entries->second) {
    if (!entry.attribute || !Searched(entry.schema)) continue;
    const std::string_view family = DeniedFamily(entry.schema, name, 1);
    if (!family.empty()) return Refused(family);
    if (!entry.fault.empty()) return RefusedByCatalogue(entry.fault);
    verdict.own_code = verdict.own_code || !entry.trusted;
    verdict.keeps_state = name == kSetSeed;
  }
  return verdict;
}

FunctionVerdict FunctionPolicy::Operator(std::string_view name) const {
  FunctionVerdict verdict;
  const auto entries = operators_.find(name);
  if (entries == operators_.end()) return verdict;
  for (const Entry& entry : entries->second) {
    if (!Searched(entry.schema)) continue;
    if (!entry.fault.empty()) return RefusedByCatalogue(entry.fault);
    verdict.own_code = verdict.own_code || !entry.trusted;
  }
  return verdict;
}

FunctionVerdict FunctionPolicy::Cast(std::string_view type) const {
  FunctionVerdict verdict;
  verdict.own_code = !Codeless(type);
  const auto entries = casts_.find(type);
  if (entries == casts_.end()) return verdict;
  for (const Entry& entry : entries->second) {
    if (!entry.fault.empty()) return RefusedByCatalogue(entry.fault);
    verdict.own_code = verdict.own_code || !entry.trusted;
  }
  return verdict;
}

}  // namespace toolpost::db
