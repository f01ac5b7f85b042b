// Reading of appsettings.json.
#include "config/appsettings.h"

#include <utility>

#include "base/json_parse.h"
#include "base/strings.h"
#include "config/file.h"

namespace toolpost::config {
namespace {

// End of the string literal that starts at `at`, or of the text.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

// End of the comment that starts at `at`; `at` if there is none.
std::size_t EndOfComment(std::string_view text, std::size_t at) {
  const std::string_view start = text.substr(at, 2);
  if (start == "//") return std::min(text.find('\n', at), text.size());
  if (start != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Blanks out comments and trailing commas; line breaks stay, so that lines can be counted.
std::string ToStrictJson(std::string_view text) {
  std::string out(text);
  std::size_t comma = std::string::npos;  // one behind a value, with only blanks after it so far
  char last = '{';                        // the last character that is not blank
  for (std::size_t i = 0; i < out.size();) {
    const char c = out[i];
    const std::size_t comment = EndOfComment(text, i);
    if (comment != i) {
      for (; i < comment; ++i) {
        if (out[i] != '\n') out[i] = ' ';
      }
      continue;
    }
    if ((c == '}' || c == ']') && comma != std::string::npos) out[comma] = ' ';
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      const bool after_value = last != '{' && last != '[' && last != ',' && last != ':';
      comma = c == ',' && after_value ? i : std::string::npos;
      last = c;
    }
    i = c == '"' ? EndOfString(text, i) : i + 1;
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<void> Read(const Json& value, const std::string& path) {
    if (value.is_object()) {
      for (const auto& [name, member] : value.get_object()) {
        RETURN_IF_ERROR(Read(member, path.empty()
                                         ? std::string(name)
                                         : base::StrCat(path, ":", std::string_view(name))));
      }
      return {};
    }
    constexpr std::string_view kConnections = "connectionstrings:";
    const std::string lower = base::ToLower(path);
    const bool key = lower == "apisecurity:apikey";
    const bool connection = lower.starts_with(kConnections) && lower.size() > kConnections.size();
    if (!key && !connection) return {};
    if (value.is_null()) return {};
    if (!value.is_string()) return Wrong(path, "must be a string");
    if (!names_.emplace(lower, path).second) return Wrong(path, "is given twice");
    std::string text(value.get_string());
    if (text.find('\0') != std::string::npos) return Wrong(path, "must not contain a NUL");
    if (key) {
      settings_.api_key = std::move(text);
    } else if (!text.empty()) {
      settings_.connections.emplace(path.substr(kConnections.size()), std::move(text));
    }
    return {};
  }

  AppSettings Take() { return std::move(settings_); }

 private:
  Error Wrong(std::string_view path, std::string_view what) const {
    return Error::InvalidParams(base::StrCat(file_, ": ", path.substr(0, 100), " ", what));
  }

  std::string_view file_;
  std::map<std::string, std::string> names_;  // as written, by lower case
  AppSettings settings_;
};

}  // namespace

Result<AppSettings> ParseAppSettings(std::string_view text, std::string_view name) {
  const auto parsed = base::ParseJson(ToStrictJson(text));
  if (!parsed) {
    return Error::InvalidParams(
        base::StrCat(name, ":", LocatedJsonError(text, parsed.error().message)));
  }
  if (!parsed->is_object())
    return Error::InvalidParams(base::StrCat(name, ": must be a JSON object"));
  Reader reader(name);
  RETURN_IF_ERROR(reader.Read(*parsed, ""));
  return reader.Take();
}

}  // namespace toolpost::config
