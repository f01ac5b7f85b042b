// Wording of violations.
#include "schema/message.h"

#include <algorithm>
#include <utility>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::schema {

namespace {

using base::StrCat;
using boost::json::kind;

constexpr std::size_t kMaxListed = 12;
constexpr std::size_t kMaxValueBytes = 80;
constexpr std::size_t kMaxNameBytes = 128;
constexpr std::size_t kMaxPatternBytes = 200;

// `text` cut at a character border, with an ellipsis if something is missing.
std::string Cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return StrCat(text.substr(0, limit), "…");
}

// "a", "a or b", "a, b or c"
std::string Alternatives(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

std::string_view KindText(const Instance& instance) {
  switch (instance.kind) {
    case kind::null:
      return "null";
    case kind::bool_:
      return "a boolean";
    case kind::string:
      return "a string";
    case kind::array:
      return "an array";
    case kind::object:
      return "an object";
    default:
      return "a number";
  }
}

std::uint8_t TypeOf(kind of) {
  switch (of) {
    case kind::null:
      return kNull;
    case kind::bool_:
      return kBoolean;
    case kind::string:
      return kString;
    case kind::array:
      return kArray;
    case kind::object:
      return kObject;
    default:
      return kNumber | kInteger;
  }
}

template <typename Range, typename Render>
std::string Listed(const Range& items, const Render& render) {
  std::string out;
  std::size_t count = 0;
  for (const auto& item : items) {
    if (count == kMaxListed) return StrCat(out, " and ", items.size() - count, " more");
    if (count++ > 0) out += ", ";
    out += render(item);
  }
  return out;
}

std::string JsonText(const Json& value) { return Cut(base::ToJson(value), kMaxValueBytes); }

}  // namespace

std::string PointerOf(const Instance& instance) {
  if (instance.parent == nullptr) return {};
  std::string out = PointerOf(*instance.parent);
  out += '/';
  if (instance.parent->kind == kind::array) return StrCat(out, instance.position);
  for (const char c : Cut(instance.name, kMaxNameBytes)) {
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

void ViolationList::Add(const Instance& at, std::string_view rule, std::string expected) {
  if (full()) return;
  std::vector<std::size_t> positions;
  for (const Instance* i = &at; i->parent != nullptr; i = i->parent)
    positions.push_back(i->position);
  std::ranges::reverse(positions);
  entries_.push_back(
      {std::move(positions), {PointerOf(at), std::string(rule), std::move(expected)}});
}

void ViolationList::AddMissing(const Instance& at, std::string_view missing, std::string_view rule,
                               std::string expected) {
  if (full()) return;
  Add(at, rule, std::move(expected));
  Instance absent = Instance::OfName(missing, at, 0);
  entries_.back().violation.path = PointerOf(absent);
}

std::vector<Violation> ViolationList::Take() {
  std::ranges::stable_sort(entries_, {}, &Entry::positions);
  std::vector<Violation> violations;
  for (Entry& entry : entries_) {
    const bool repeated = std::ranges::any_of(violations, [&](const Violation& known) {
      return known.path == entry.violation.path && known.rule == entry.violation.rule &&
             known.expected == entry.violation.expected;
    });
    if (!repeated) violations.push_back(std::move(entry.violation));
  }
  return violations;
}

std::string TypeText(std::uint8_t types, const Instance& instance) {
  static constexpr std::pair<std::uint8_t, std::string_view> kNames[] = {
      {kString, "a string"},   {kNumber, "a number"}, {kInteger, "an integer"},
      {kBoolean, "a boolean"}, {kArray, "an array"},  {kObject, "an object"},
      {kNull, "null"}};
  if (types & kNumber) types &= static_cast<std::uint8_t>(~kInteger);
  std::vector<std::string_view> words;
  for (const auto& [bit, name] : kNames) {
    if (types & bit) words.push_back(name);
  }
  const bool fraction = (types & kInteger) && instance.kind == kind::double_;
  return StrCat("must be ", Alternatives(words), ", not ",
                fraction ? "a number with a fraction" : KindText(instance));
}

std::string OneOfValuesText(const std::vector<const Json*>& values) {
  if (values.empty()) return "is not allowed: the list of allowed values is empty";
  if (values.size() == 1) return StrCat("must be ", JsonText(*values[0]));
  return StrCat("must be one of ",
                Listed(values, [](const Json* value) { return JsonText(*value); }));
}

std::string EnumText(const std::vector<Json>& values) {
  std::vector<const Json*> pointers;
  for (const Json& value : values) pointers.push_back(&value);
  return OneOfValuesText(pointers);
}

std::string ValueText(std::string_view lead, const Json& value) {
  return StrCat(lead, " ", JsonText(value));
}

std::string CountText(std::string_view lead, std::uint64_t count, std::string_view one,
                      std::string_view many) {
  return StrCat(lead, " ", count, " ", count == 1 ? one : many);
}

std::string UnknownNameText(const ObjectRules* rules, std::string_view name, bool nested) {
  std::string out = StrCat("is not a known ", nested ? "property" : "argument");
  if (rules == nullptr || (rules->names.empty() && rules->patterns.empty())) {
    return rules == nullptr ? out : StrCat(out, "; none are allowed");
  }
  out += "; allowed: ";
  out += Listed(rules->names, [](const std::string& known) { return Cut(known, kMaxNameBytes); });
  for (std::size_t i = 0; i < std::min(rules->patterns.size(), kMaxListed); ++i) {
    out += StrCat(i > 0 || !rules->names.empty() ? ", " : "", "names that match ",
                  Cut(rules->patterns[i].first.source, kMaxPatternBytes));
  }
  const std::vector<std::string_view> names(rules->names.begin(), rules->names.end());
  if (const std::string_view nearest = base::Nearest(name, names); !nearest.empty()) {
    out += StrCat("; did you mean ", Quote(nearest), "?");
  }
  return out;
}

std::string NoAlternativeText(const std::vector<const Node*>& alternatives, bool exactly_one,
                              const Instance& instance) {
  std::uint8_t types = 0;
  std::vector<const Json*> constants;
  for (const Node* node : alternatives) {
    types |= node->types;
    if (node->constant) constants.push_back(node->constant.get());
  }
  if (constants.size() == alternatives.size()) return OneOfValuesText(constants);
  if ((types & TypeOf(instance.kind)) == 0) return TypeText(types, instance);
  return StrCat("must match ", exactly_one ? "exactly" : "at least", " one of the ",
                alternatives.size(), " allowed forms, but matches none");
}

std::string PatternText(std::string_view source) {
  return StrCat("must match the pattern ", Cut(source, kMaxPatternBytes));
}

std::string Quote(std::string_view text) {
  std::string out;
  base::AppendJsonString(out, Cut(text, kMaxNameBytes));
  return out;
}

}  // namespace toolpost::schema
