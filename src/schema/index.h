// What a schema's documents contain, by location: resources, anchors, dialects, and the target of
// every reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/json_schema.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::schema {

// The vocabularies whose keywords have an effect; all others only annotate.
enum Vocabulary : std::uint8_t {
  kCoreVocabulary = 1,
  kApplicatorVocabulary = 2,
  kUnevaluatedVocabulary = 4,
  kValidationVocabulary = 8,
  kAllVocabularies = 15,
};

// How a keyword holds subschemas.
enum class Shape : std::uint8_t { kSchema, kSchemaList, kSchemaMap };

// One place where a subschema stands.
struct SchemaPlace {
  const Json* schema = nullptr;
  std::uint32_t resource = 0;
  std::string pointer;  // from the root of its document, for messages
};

struct SchemaResource {
  std::string uri;
  const Json* root = nullptr;
  std::uint8_t vocabularies = kAllVocabularies;
  std::map<std::string, const Json*, std::less<>> anchors;  // both kinds
  std::map<std::string, const Json*, std::less<>> dynamic_anchors;
};

// Used by one compilation on one thread. Documents live as long as the index; `Json*` keys point
// into them.
class SchemaIndex {
 public:
  explicit SchemaIndex(const JsonSchema::Options& options) : options_(options) {}

  // Adds the schema to compile; it must outlive the index.
  Result<void> AddRoot(const Json& schema);
  // The subschema that `reference` in the resource means. Loads documents as needed.
  Result<const Json*> Resolve(std::uint32_t resource, std::string_view reference);

  const SchemaPlace& place(const Json* schema) const { return places_.at(schema); }
  const SchemaResource& resource(std::uint32_t id) const { return resources_[id]; }
  const std::deque<SchemaResource>& resources() const { return resources_; }
  // All places so far, in the order they were found; grows as documents are loaded.
  const std::vector<const Json*>& order() const { return order_; }

 private:
  Result<std::uint32_t> AddDocument(const Json& document, const std::string& uri);
  Result<void> Walk(const Json& schema, std::uint32_t resource, const std::string& pointer,
                    std::size_t depth);
  Result<void> WalkKeywords(const JsonObject& schema, std::uint32_t resource,
                            const std::string& pointer, std::size_t depth);
  Result<std::uint32_t> EnterResource(const Json& schema, std::uint32_t parent,
                                      const std::string& pointer);
  Result<void> AddAnchors(const Json& schema, std::uint32_t resource, const std::string& pointer);
  Result<std::uint32_t> LoadResource(const std::string& uri);
  Result<const Json*> FollowPointer(std::uint32_t resource, std::string_view pointer);
  Result<std::uint8_t> Dialect(std::string_view uri, std::size_t depth);
  std::optional<Json> Fetch(std::string_view uri) const;

  const JsonSchema::Options& options_;
  std::deque<Json> documents_;
  std::deque<SchemaResource> resources_;
  std::unordered_map<std::string, std::uint32_t> by_uri_;
  std::unordered_map<const Json*, SchemaPlace> places_;
  std::vector<const Json*> order_;
};

// An error at a place of the schema: "schema at /properties/a: …".
Error SchemaError(std::string_view pointer, std::string_view message);
// `token` appended to a JSON pointer.
std::string PointerJoin(std::string_view pointer, std::string_view token);

}  // namespace toolpost::schema
