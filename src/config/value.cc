// Conversion of setting values.
#include "config/value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "base/strings.h"

namespace toolpost::config {
namespace {

constexpr std::size_t kMaxShown = 60;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};
// Largest first, for formatting.
constexpr std::array<Unit, 5> kTimeUnits = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr std::array<Unit, 7> kSizeUnits = {{{"GiB", 1ull << 30},
                                             {"MiB", 1ull << 20},
                                             {"KiB", 1ull << 10},
                                             {"GB", 1'000'000'000},
                                             {"MB", 1'000'000},
                                             {"kB", 1000},
                                             {"B", 1}}};

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// `factor` is what a bare number counts.
template <std::size_t N>
std::optional<std::uint64_t> ParseWithUnit(std::string_view text, const std::array<Unit, N>& units,
                                           std::uint64_t factor) {
  text = base::Trim(text);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = ParseNumber<std::uint64_t>(text.substr(0, digits));
  if (!number) return std::nullopt;
  const std::string_view name = base::Trim(text.substr(digits));
  if (!name.empty()) {
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
      return base::EqualIgnoringCase(candidate.name, name);
    });
    if (unit == units.end()) return std::nullopt;
    factor = unit->factor;
  }
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (*number > kMax / factor) return std::nullopt;
  return *number * factor;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  for (const std::string_view yes : {"true", "1", "yes", "on"}) {
    if (base::EqualIgnoringCase(text, yes)) return true;
  }
  for (const std::string_view no : {"false", "0", "no", "off"}) {
    if (base::EqualIgnoringCase(text, no)) return false;
  }
  return std::nullopt;
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> list;
  for (const std::string_view part : base::Split(text, ',')) {
    const std::string_view trimmed = base::Trim(part);
    if (!trimmed.empty()) list.emplace_back(trimmed);
  }
  return list;
}

// What the message repeats of the value.
std::string Shown(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return base::StrCat(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* other = std::get_if<Other>(&value)) return other->what;
  if (std::holds_alternative<std::vector<std::string>>(value)) return "a list";
  const auto* text = std::get_if<Text>(&value);
  const std::string_view shown = text != nullptr ? text->text : std::get<std::string>(value);
  if (shown.size() <= kMaxShown) return QuoteToml(shown);
  std::size_t end = kMaxShown;  // between code points
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) --end;
  return QuoteToml(shown.substr(0, end)).append("…");
}

Error Wrong(const Option& option, const Value& value, std::string_view hint = {}) {
  if (option.secret && !std::holds_alternative<Other>(value)) {
    return Error::InvalidParams(base::StrCat(option.key, " must be ", Expected(option), hint));
  }
  return Error::InvalidParams(
      base::StrCat(option.key, " must be ", Expected(option), ", not ", Shown(value), hint));
}

const std::string* StringOf(const Value& value) {
  if (const auto* text = std::get_if<Text>(&value)) return &text->text;
  return std::get_if<std::string>(&value);
}

// The number an integer, duration or size stands for, in the unit of the option's range.
std::optional<std::uint64_t> NumberOf(const Option& option, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (*number < 0) return std::nullopt;
    const auto magnitude = static_cast<std::uint64_t>(*number);
    if (option.type != Type::kDuration) return magnitude;
    if (magnitude > std::numeric_limits<std::uint64_t>::max() / 1000) return std::nullopt;
    return magnitude * 1000;
  }
  const std::string* text = StringOf(value);
  if (text == nullptr) return std::nullopt;
  if (option.type == Type::kSize) return ParseSize(*text);
  if (option.type == Type::kDuration) {
    const auto duration = ParseDuration(*text);
    if (!duration) return std::nullopt;
    return static_cast<std::uint64_t>(duration->count());
  }
  if (!std::holds_alternative<Text>(value)) return std::nullopt;
  return ParseNumber<std::uint64_t>(base::Trim(*text));
}

Result<void> AssignNumber(const Option& option, const Value& value, Config& config) {
  const auto number = NumberOf(option, value);
  if (!number || *number < option.minimum || *number > option.maximum) {
    const auto* text = std::get_if<std::string>(&value);
    const bool quoted =
        option.type == Type::kInteger && text != nullptr && ParseNumber<std::uint64_t>(*text);
    return Wrong(option, value, quoted ? "; write it without quotes" : "");
  }
  if (option.type == Type::kDuration) {
    std::get<std::chrono::milliseconds& (*)(Config&)>(option.member)(config) =
        std::chrono::milliseconds(static_cast<std::int64_t>(*number));
  } else {
    std::get<std::uint64_t& (*)(Config&)>(option.member)(config) = *number;
  }
  return {};
}

Result<void> AssignBoolean(const Option& option, const Value& value, Config& config) {
  bool& member = std::get<bool& (*)(Config&)>(option.member)(config);
  if (const auto* flag = std::get_if<bool>(&value)) {
    member = *flag;
    return {};
  }
  const auto* text = std::get_if<Text>(&value);
  const auto parsed = text != nullptr ? ParseBoolean(base::Trim(text->text)) : std::nullopt;
  if (!parsed)
    return Wrong(option, value,
                 std::holds_alternative<std::string>(value) ? "; write it without quotes" : "");
  member = *parsed;
  return {};
}

Result<void> AssignList(const Option& option, const Value& value, Config& config) {
  auto& member = std::get<std::vector<std::string>& (*)(Config&)>(option.member)(config);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    if (std::find(list->begin(), list->end(), "") != list->end()) {
      return Wrong(option, Other{"a list with an empty string"});
    }
    member = *list;
    return {};
  }
  const std::string* text = StringOf(value);
  if (text == nullptr) return Wrong(option, value);
  member = SplitList(*text);
  return {};
}

Result<void> AssignString(const Option& option, const Value& value, Config& config) {
  const std::string* text = StringOf(value);
  if (text == nullptr) return Wrong(option, value);
  if (text->find('\0') != std::string::npos || !base::IsValidUtf8(*text)) {
    return Wrong(option, Other{"text with a NUL or invalid UTF-8"});
  }
  if (option.type == Type::kChoice &&
      std::find(option.choices.begin(), option.choices.end(), *text) == option.choices.end()) {
    const std::string_view nearest = base::Nearest(*text, option.choices);
    return Wrong(option, value,
                 nearest.empty() ? "" : base::StrCat("; did you mean ", nearest, "?"));
  }
  // What stands for a secret in listings is never one.
  if (option.secret && *text == kSecretIsSet)
    return Wrong(option, Other{base::StrCat(kSecretIsSet, " itself")});
  std::get<std::string& (*)(Config&)>(option.member)(config) = *text;
  return {};
}

}  // namespace

Result<void> Assign(const Option& option, const Value& value, Config& config) {
  switch (option.type) {
    case Type::kString:
    case Type::kChoice:
      return AssignString(option, value, config);
    case Type::kStrings:
      return AssignList(option, value, config);
    case Type::kBoolean:
      return AssignBoolean(option, value, config);
    case Type::kInteger:
    case Type::kDuration:
    case Type::kSize:
      break;
  }
  return AssignNumber(option, value, config);
}

bool SameValue(const Option& option, const Config& a, const Config& b) {
  return std::visit(
      [&](auto accessor) {
        return accessor(const_cast<Config&>(a)) == accessor(const_cast<Config&>(b));
      },
      option.member);
}

std::string Render(const Option& option, const Config& config) {
  // The accessors of the table only hand out references; nothing is written through them here.
  auto& readable = const_cast<Config&>(config);
  return std::visit(
      [&](auto accessor) -> std::string {
        const auto& member = accessor(readable);
        using Stored = std::decay_t<decltype(member)>;
        if constexpr (std::is_same_v<Stored, std::string>) {
          if (option.secret && !member.empty()) return std::string(kSecretIsSet);
          return QuoteToml(member);
        } else if constexpr (std::is_same_v<Stored, bool>) {
          return member ? "true" : "false";
        } else if constexpr (std::is_same_v<Stored, std::chrono::milliseconds>) {
          return QuoteToml(FormatDuration(member));
        } else if constexpr (std::is_same_v<Stored, std::uint64_t>) {
          return option.type == Type::kSize ? QuoteToml(FormatSize(member)) : base::StrCat(member);
        } else {
          std::string list = "[";
          for (const std::string& text : member) {
            if (list.size() > 1) list.append(", ");
            list.append(QuoteToml(text));
          }
          return list.append("]");
        }
      },
      option.member);
}

std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  const auto number = ParseWithUnit(text, kTimeUnits, 1000);
  if (!number) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*number));
}

std::string FormatDuration(std::chrono::milliseconds duration) {
  const auto count = static_cast<std::uint64_t>(duration.count());
  if (count == 0) return "0s";
  for (const Unit& unit : kTimeUnits) {
    if (count % unit.factor == 0) return base::StrCat(count / unit.factor, unit.name);
  }
  return {};
}

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  return ParseWithUnit(text, kSizeUnits, 1);
}

std::string FormatSize(std::uint64_t bytes) {
  for (const Unit& unit : kSizeUnits) {
    if (bytes != 0 && unit.name.find('i') != std::string_view::npos && bytes % unit.factor == 0) {
      return base::StrCat(bytes / unit.factor, unit.name);
    }
  }
  return base::StrCat(bytes, "B");
}

std::string QuoteToml(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < 0x20 || byte == 0x7F) {
      out.append("\\u00");
      out.push_back(kHex[byte / 16]);
      out.push_back(kHex[byte % 16]);
    } else {
      if (text.substr(i, 2) == "${") out.push_back('$');
      out.push_back(c);
    }
  }
  return out.append("\"");
}

}  // namespace toolpost::config
