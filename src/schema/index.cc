// Walks schema documents, loads the ones they refer to, resolves references.
#include "schema/index.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"
#include "schema/metaschema.h"
#include "schema/uri.h"

namespace toolpost::schema {

namespace {

using base::StrCat;

constexpr std::size_t kMaxSchemaDepth = 128;
constexpr std::size_t kMaxDocuments = 100;

struct Applicator {
  std::string_view keyword;
  Vocabulary vocabulary;
  Shape shape;
};

constexpr Applicator kApplicators[] = {
    {"$defs", kCoreVocabulary, Shape::kSchemaMap},
    {"properties", kApplicatorVocabulary, Shape::kSchemaMap},
    {"patternProperties", kApplicatorVocabulary, Shape::kSchemaMap},
    {"dependentSchemas", kApplicatorVocabulary, Shape::kSchemaMap},
    {"allOf", kApplicatorVocabulary, Shape::kSchemaList},
    {"anyOf", kApplicatorVocabulary, Shape::kSchemaList},
    {"oneOf", kApplicatorVocabulary, Shape::kSchemaList},
    {"prefixItems", kApplicatorVocabulary, Shape::kSchemaList},
    {"items", kApplicatorVocabulary, Shape::kSchema},
    {"contains", kApplicatorVocabulary, Shape::kSchema},
    {"additionalProperties", kApplicatorVocabulary, Shape::kSchema},
    {"propertyNames", kApplicatorVocabulary, Shape::kSchema},
    {"not", kApplicatorVocabulary, Shape::kSchema},
    {"if", kApplicatorVocabulary, Shape::kSchema},
    {"then", kApplicatorVocabulary, Shape::kSchema},
    {"else", kApplicatorVocabulary, Shape::kSchema},
    {"unevaluatedItems", kUnevaluatedVocabulary, Shape::kSchema},
    {"unevaluatedProperties", kUnevaluatedVocabulary, Shape::kSchema},
};

std::string Unescape(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape =
        token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    out += escape ? (token[++i] == '0' ? '~' : '/') : token[i];
  }
  return out;
}

const Json* Child(const Json& parent, std::string_view token) {
  if (const auto* object = parent.if_object()) return object->if_contains(token);
  const auto* array = parent.if_array();
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto parsed = std::from_chars(token.data(), end, index);
  const bool canonical =
      parsed.ec == std::errc() && parsed.ptr == end && (token.size() == 1 || token[0] != '0');
  return array != nullptr && canonical ? array->if_contains(index) : nullptr;
}

Result<std::string_view> StringKeyword(const Json& value, std::string_view pointer,
                                       std::string_view keyword) {
  if (const auto* text = value.if_string()) return std::string_view(*text);
  return SchemaError(pointer, StrCat(keyword, " must be a string"));
}

bool IsAnchorName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::ranges::all_of(name, [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

std::string_view Printable(std::string_view uri) { return uri.substr(0, 200); }

}  // namespace

Error SchemaError(std::string_view pointer, std::string_view message) {
  return Error::InvalidParams(pointer.empty() ? StrCat("schema: ", message)
                                              : StrCat("schema at ", pointer, ": ", message));
}

std::string PointerJoin(std::string_view pointer, std::string_view token) {
  std::string out = StrCat(pointer, "/");
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

Result<void> SchemaIndex::AddRoot(const Json& schema) {
  RETURN_IF_ERROR(AddDocument(schema, ""));
  return {};
}

Result<std::uint32_t> SchemaIndex::AddDocument(const Json& document, const std::string& uri) {
  const auto id = static_cast<std::uint32_t>(resources_.size());
  resources_.push_back({uri, &document, kAllVocabularies, {}, {}});
  by_uri_.try_emplace(uri, id);
  RETURN_IF_ERROR(Walk(document, id, "", 0));
  return id;
}

Result<void> SchemaIndex::Walk(const Json& schema, std::uint32_t resource,
                               const std::string& pointer, std::size_t depth) {
  if (!schema.is_object() && !schema.is_bool()) {
    return SchemaError(pointer, "a schema must be an object, true or false");
  }
  if (depth > kMaxSchemaDepth) {
    return SchemaError("", StrCat("it is nested deeper than the allowed ", kMaxSchemaDepth));
  }
  if (places_.size() >= options_.max_subschemas) {
    return SchemaError("", StrCat("it has more than the allowed ", options_.max_subschemas,
                                  " subschemas, with the documents it refers to"));
  }
  if (const auto* object = schema.if_object()) {
    ASSIGN_OR_RETURN(resource, EnterResource(schema, resource, pointer));
    RETURN_IF_ERROR(AddAnchors(schema, resource, pointer));
    if (!places_.try_emplace(&schema, SchemaPlace{&schema, resource, pointer}).second) return {};
    order_.push_back(&schema);
    return WalkKeywords(*object, resource, pointer, depth);
  }
  if (places_.try_emplace(&schema, SchemaPlace{&schema, resource, pointer}).second) {
    order_.push_back(&schema);
  }
  return {};
}

Result<void> SchemaIndex::WalkKeywords(const JsonObject& schema, std::uint32_t resource,
                                       const std::string& pointer, std::size_t depth) {
  for (const Applicator& applicator : kApplicators) {
    const Json* value = schema.if_contains(applicator.keyword);
    if (value == nullptr || (resources_[resource].vocabularies & applicator.vocabulary) == 0) {
      continue;
    }
    const std::string at = PointerJoin(pointer, applicator.keyword);
    if (applicator.shape == Shape::kSchema) {
      RETURN_IF_ERROR(Walk(*value, resource, at, depth + 1));
    } else if (applicator.shape == Shape::kSchemaList) {
      if (!value->is_array() || value->get_array().empty()) {
        return SchemaError(at, "must be a list of at least one schema");
      }
      for (std::size_t i = 0; i < value->get_array().size(); ++i) {
        RETURN_IF_ERROR(Walk(value->get_array()[i], resource, StrCat(at, "/", i), depth + 1));
      }
    } else {
      if (!value->is_object()) return SchemaError(at, "must be an object of schemas");
      for (const auto& member : value->get_object()) {
        RETURN_IF_ERROR(Walk(member.value(), resource, PointerJoin(at, member.key()), depth + 1));
      }
    }
  }
  return {};
}

Result<std::uint32_t> SchemaIndex::EnterResource(const Json& schema, std::uint32_t parent,
                                                 const std::string& pointer) {
  const JsonObject& object = schema.get_object();
  const bool is_root = resources_[parent].root == &schema;
  std::uint32_t id = parent;
  if (const Json* value = object.if_contains("$id")) {
    ASSIGN_OR_RETURN(const std::string_view text, StringKeyword(*value, pointer, "$id"));
    const auto [reference, fragment] = SplitFragment(text);
    if (!fragment.empty()) return SchemaError(pointer, "$id must not have a fragment; use $anchor");
    std::string uri = ResolveUri(resources_[parent].uri, reference);
    if (!is_root) {
      id = static_cast<std::uint32_t>(resources_.size());
      resources_.push_back({uri, &schema, resources_[parent].vocabularies, {}, {}});
    }
    const auto [found, added] = by_uri_.try_emplace(uri, id);
    if (!added && resources_[found->second].root != &schema) {
      return SchemaError(pointer, StrCat("the $id ", Printable(uri), " is used twice"));
    }
    resources_[id].uri = std::move(uri);
  }
  const Json* dialect = object.if_contains("$schema");
  if (dialect != nullptr && (is_root || id != parent)) {
    ASSIGN_OR_RETURN(const std::string_view text, StringKeyword(*dialect, pointer, "$schema"));
    ASSIGN_OR_RETURN(resources_[id].vocabularies, Dialect(text, 0));
  }
  return id;
}

Result<void> SchemaIndex::AddAnchors(const Json& schema, std::uint32_t resource,
                                     const std::string& pointer) {
  for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    const Json* value = schema.get_object().if_contains(keyword);
    if (value == nullptr) continue;
    ASSIGN_OR_RETURN(const std::string_view name, StringKeyword(*value, pointer, keyword));
    if (!IsAnchorName(name)) return SchemaError(pointer, StrCat(keyword, " is not a valid name"));
    const auto [found, added] =
        resources_[resource].anchors.try_emplace(std::string(name), &schema);
    if (!added && found->second != &schema) {
      return SchemaError(pointer, StrCat("the anchor ", Printable(name), " is used twice"));
    }
    if (keyword == "$dynamicAnchor") resources_[resource].dynamic_anchors.emplace(name, &schema);
  }
  return {};
}

std::optional<Json> SchemaIndex::Fetch(std::string_view uri) const {
  if (auto built_in = BuiltInSchema(uri)) return built_in;
  if (!options_.documents) return std::nullopt;
  return options_.documents(uri);
}

// JSON Schema core, 8.1: the dialect is what the meta-schema's $vocabulary says.
Result<std::uint8_t> SchemaIndex::Dialect(std::string_view uri, std::size_t depth) {
  constexpr std::string_view kVocabularyPrefix = "https://json-schema.org/draft/2020-12/vocab/";
  constexpr std::pair<std::string_view, std::uint8_t> kKnown[] = {
      {"core", kCoreVocabulary},
      {"applicator", kApplicatorVocabulary},
      {"unevaluated", kUnevaluatedVocabulary},
      {"validation", kValidationVocabulary},
      {"meta-data", 0},
      {"format-annotation", 0},
      {"content", 0}};
  if (uri.ends_with('#')) uri.remove_suffix(1);
  if (uri == kDraft202012) return std::uint8_t{kAllVocabularies};
  const std::optional<Json> meta = depth < 4 ? Fetch(uri) : std::nullopt;
  if (!meta || !meta->is_object()) {
    return SchemaError("",
                       StrCat("unsupported $schema \"", Printable(uri), "\": only ", kDraft202012,
                              " is supported; leave $schema out or use that one"));
  }
  const Json* parent = meta->get_object().if_contains("$schema");
  if (parent != nullptr && parent->is_string() && std::string_view(parent->get_string()) != uri) {
    RETURN_IF_ERROR(Dialect(parent->get_string(), depth + 1));
  }
  const Json* vocabulary = meta->get_object().if_contains("$vocabulary");
  if (vocabulary == nullptr || !vocabulary->is_object()) return std::uint8_t{kAllVocabularies};
  std::uint8_t mask = kCoreVocabulary;
  for (const auto& member : vocabulary->get_object()) {
    std::string_view name = member.key();
    if (name.starts_with(kVocabularyPrefix)) name.remove_prefix(kVocabularyPrefix.size());
    const auto* known =
        std::ranges::find(kKnown, name, &std::pair<std::string_view, std::uint8_t>::first);
    if (known != std::end(kKnown)) {
      mask |= known->second;
    } else if (member.value() == true) {
      return SchemaError("", StrCat("$schema \"", Printable(uri),
                                    "\" needs the unknown vocabulary ", Printable(member.key())));
    }
  }
  return mask;
}

Result<std::uint32_t> SchemaIndex::LoadResource(const std::string& uri) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) return found->second;
  std::optional<Json> document;
  if (documents_.size() < kMaxDocuments) document = Fetch(uri);
  if (!document) {
    return Error::InvalidParams(StrCat("the document ", Printable(uri),
                                       " is not available; put the ",
                                       "schema it holds into $defs and refer to it there"));
  }
  documents_.push_back(*std::move(document));
  return AddDocument(documents_.back(), uri);
}

Result<const Json*> SchemaIndex::Resolve(std::uint32_t resource, std::string_view reference) {
  const std::string target = ResolveUri(resources_[resource].uri, reference);
  const auto [uri, raw_fragment] = SplitFragment(target);
  ASSIGN_OR_RETURN(const std::uint32_t found, LoadResource(std::string(uri)));
  const std::string fragment = PercentDecode(raw_fragment);
  if (fragment.empty()) return resources_[found].root;
  if (fragment.starts_with('/')) return FollowPointer(found, fragment);
  const auto& anchors = resources_[found].anchors;
  const auto anchor = anchors.find(fragment);
  if (anchor != anchors.end()) return anchor->second;
  return Error::InvalidParams(StrCat("there is no anchor ", Printable(fragment)));
}

Result<const Json*> SchemaIndex::FollowPointer(std::uint32_t resource, std::string_view pointer) {
  const Json* at = resources_[resource].root;
  std::string location = places_.at(at).pointer;
  for (const std::string_view token : base::Split(pointer.substr(1), '/')) {
    const std::string name = Unescape(token);
    at = Child(*at, name);
    if (at == nullptr) {
      return Error::InvalidParams(StrCat("there is nothing at ", Printable(pointer)));
    }
    location = PointerJoin(location, name);
    if (const auto place = places_.find(at); place != places_.end())
      resource = place->second.resource;
  }
  // A pointer may lead below an unknown keyword, where nothing has been walked yet.
  if (!places_.contains(at)) RETURN_IF_ERROR(Walk(*at, resource, location, 0));
  return at;
}

}  // namespace toolpost::schema
