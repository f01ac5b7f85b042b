// Named connections and declared tools.
#include "config/named.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/json_write.h"
#include "base/strings.h"
#include "config/file.h"
#include "config/options.h"

namespace toolpost::config {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::string_view kDefaultConnection = "default";
constexpr std::array<std::string_view, 4> kParameterTypes = {"string", "integer", "number",
                                                             "boolean"};

Error Wrong(std::string_view where, std::string_view key, std::string_view text) {
  return Error::InvalidParams(base::StrCat(where, ": ", key, " ", text));
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName &&
         std::all_of(name.begin(), name.end(), IsNameCharacter);
}

// `name` or `category/name`.
bool IsToolName(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return IsName(name);
  return IsName(name.substr(0, slash)) && IsName(name.substr(slash + 1));
}

bool IsNumberType(std::string_view type) { return type == "integer" || type == "number"; }

// The number a whole text stands for, or null.
Json NumberIn(std::string_view text) {
  text = base::Trim(text);
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole);
      read.ec == std::errc() && read.ptr == end)
    return whole;
  double real = 0;
  const auto read = std::from_chars(text.data(), end, real);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(real)) return nullptr;
  return real;
}

// Reads one setting as the kind it has to be.
class Reader {
 public:
  Reader(std::string_view where, std::string_view key, const Value& value)
      : where_(where), key_(key), value_(value) {}

  Result<void> Into(std::string& out) const {
    if (const auto* text = std::get_if<std::string>(&value_)) return out = *text, Result<void>();
    if (const auto* text = std::get_if<Text>(&value_)) return out = text->text, Result<void>();
    return Wrong(where_, key_, "must be a string");
  }
  Result<void> Into(bool& out) const {
    if (const auto* flag = std::get_if<bool>(&value_)) return out = *flag, Result<void>();
    const auto* text = std::get_if<Text>(&value_);
    if (text != nullptr && (text->text == "true" || text->text == "false"))
      return out = text->text == "true", Result<void>();
    return Wrong(where_, key_, "must be true or false");
  }
  Result<void> Into(std::optional<bool>& out) const { return Into(out.emplace()); }
  Result<void> Into(std::uint64_t& out, std::uint64_t most) const {
    const Json number = Number();
    if (!number.is_int64() || number.get_int64() < 1 ||
        static_cast<std::uint64_t>(number.get_int64()) > most)
      return Wrong(where_, key_, base::StrCat("must be a whole number from 1 to ", most));
    out = static_cast<std::uint64_t>(number.get_int64());
    return {};
  }
  Result<void> Into(std::vector<std::string>& out) const {
    const auto* list = std::get_if<std::vector<std::string>>(&value_);
    if (list == nullptr) return Wrong(where_, key_, "must be a list of strings");
    out = *list;
    return {};
  }
  Result<void> IntoNumber(Json& out) const {
    out = Number();
    return out.is_null() ? Wrong(where_, key_, "must be a number") : Result<void>();
  }
  Result<void> Into(Json& out) const {
    if (const Json number = IsText() ? Json() : Number(); !number.is_null())
      return out = number, Result<void>();
    if (const auto* flag = std::get_if<bool>(&value_)) return out = *flag, Result<void>();
    std::string text;
    if (!Into(text)) return Wrong(where_, key_, "must be a string, a number, true or false");
    out = text;
    return {};
  }
  bool IsText() const { return std::holds_alternative<Text>(value_); }
  Error Unknown(std::string_view known) const {
    return Wrong(where_, key_, base::StrCat("is not a setting; known are ", known));
  }

 private:
  Json Number() const {
    if (const auto* number = std::get_if<std::int64_t>(&value_)) return *number;
    if (const auto* text = std::get_if<Text>(&value_)) return NumberIn(text->text);
    const auto* other = std::get_if<Other>(&value_);
    if (other == nullptr || !other->number || !std::isfinite(*other->number)) return nullptr;
    return *other->number;
  }

  std::string_view where_;
  std::string_view key_;
  const Value& value_;
};

Result<void> SetConnection(std::string_view key, const Reader& reader,
                           Config::Connection& connection) {
  if (key == "url") return reader.Into(connection.url);
  if (key == "url_file") return reader.Into(connection.url_file);
  if (key == "description") return reader.Into(connection.description);
  if (key == "max_connections") return reader.Into(connection.max_connections, 1000);
  if (key == "accept_privileged") return reader.Into(connection.accept_privileged);
  return reader.Unknown("url, url_file, description, max_connections, accept_privileged");
}

Result<void> SetParameter(std::string_view key, const Reader& reader,
                          Config::ToolParameter& parameter) {
  if (key == "type") return reader.Into(parameter.type);
  if (key == "description") return reader.Into(parameter.description);
  if (key == "default") {
    parameter.default_is_text = reader.IsText();
    return reader.Into(parameter.default_value);
  }
  if (key == "required") return reader.Into(parameter.required);
  if (key == "enum") return reader.Into(parameter.choices);
  if (key == "minimum") return reader.IntoNumber(parameter.minimum);
  if (key == "maximum") return reader.IntoNumber(parameter.maximum);
  return reader.Unknown("type, description, default, required, enum, minimum, maximum");
}

Result<void> SetTool(std::string_view key, const Reader& reader, Config::DeclaredTool& tool) {
  constexpr std::string_view kParameters = "parameters.";
  if (key == "title") return reader.Into(tool.title);
  if (key == "description") return reader.Into(tool.description);
  if (key == "statement") return reader.Into(tool.statement);
  if (key == "connection") return reader.Into(tool.connection);
  if (key == "limit") return reader.Into(tool.limit, 1'000'000);
  if (key == "read_only") return reader.Into(tool.read_only);
  if (key == "idempotent") return reader.Into(tool.idempotent);
  if (key == "open_world") return reader.Into(tool.open_world);
  if (!key.starts_with(kParameters)) {
    return reader.Unknown(
        "title, description, statement, connection, parameters, limit, read_only, idempotent, "
        "open_world");
  }
  key.remove_prefix(kParameters.size());
  const std::size_t dot = key.find('.');
  const std::string_view name = key.substr(0, dot);
  auto found = std::find_if(tool.parameters.begin(), tool.parameters.end(),
                            [&](const auto& each) { return each.name == name; });
  if (found == tool.parameters.end()) {
    tool.parameters.emplace_back().name = name;
    found = tool.parameters.end() - 1;
  }
  if (dot == std::string_view::npos) return reader.Into(found->type);  // the short form
  return SetParameter(key.substr(dot + 1), reader, *found);
}

Result<void> CheckUrl(std::string_view where, std::string_view key, std::string_view url) {
  for (const std::string_view scheme : {"postgresql://", "postgres://", "sqlite:"}) {
    if (url.starts_with(scheme)) return {};
  }
  return Wrong(where, key, "must start with postgresql:// or sqlite:");
}

Result<void> ReadUrl(std::string_view directory, std::string_view where, std::string_view key,
                     const std::string& file, std::string& url) {
  if (!file.empty()) {
    if (!url.empty())
      return Wrong(where, base::StrCat(key, "_file"),
                   base::StrCat("and ", key, " are both set; set one of them"));
    const auto path = std::filesystem::path(directory) / file;
    Result<std::string> text =
        ReadText(path.lexically_normal().string(), base::StrCat("file of ", key, "_file"));
    if (!text) return Wrong(where, base::StrCat(key, "_file:"), text.error().message);
    while (!text->empty() && static_cast<unsigned char>(text->back()) <= ' ') text->pop_back();
    url = *std::move(text);
  }
  if (url.empty()) return {};
  return CheckUrl(where, key, url);
}

// A default that was written with `${…}` stands for what the type asks for.
void SettleDefault(Config::ToolParameter& parameter) {
  if (!std::exchange(parameter.default_is_text, false)) return;
  const std::string text(parameter.default_value.as_string());
  const Json number = IsNumberType(parameter.type) ? NumberIn(text) : Json();
  if (!number.is_null()) parameter.default_value = number;
  if (parameter.type == "boolean" && (text == "true" || text == "false"))
    parameter.default_value = text == "true";
}

// Whether it may be a value, or a bound of one, of this type.
bool IsOfType(const Json& value, std::string_view type) {
  if (type == "integer") return value.is_int64();
  if (type == "number") return value.is_int64() || value.is_double();
  return type == "string" ? value.is_string() : value.is_bool();
}

bool IsBelow(const Json& a, const Json& b) {
  if (!a.is_number() || !b.is_number()) return false;
  if (a.is_int64() && b.is_int64()) return a.get_int64() < b.get_int64();
  return a.to_number<double>() < b.to_number<double>();
}

Result<void> CheckParameter(std::string_view where, std::string_view key,
                            const Config::ToolParameter& parameter) {
  if (!IsName(parameter.name)) return Wrong(where, key, "needs a name of letters, digits and _");
  if (std::find(kParameterTypes.begin(), kParameterTypes.end(), parameter.type) ==
      kParameterTypes.end())
    return Wrong(where, key, "needs a type: string, integer, number or boolean");
  const Json& minimum = parameter.minimum;
  const Json& maximum = parameter.maximum;
  if (!IsNumberType(parameter.type) && !(minimum.is_null() && maximum.is_null()))
    return Wrong(where, key, "has a minimum or maximum, which only numbers have");
  for (const Json& bound : {minimum, maximum}) {
    if (!bound.is_null() && !IsOfType(bound, parameter.type))
      return Wrong(where, key, "has a minimum or maximum with a fraction; its type is integer");
  }
  if (parameter.type != "string" && !parameter.choices.empty())
    return Wrong(where, key, "has an enum, which only strings have");
  const Json& given = parameter.default_value;
  if (!given.is_null() && !IsOfType(given, parameter.type))
    return Wrong(where, key, base::StrCat("has a default that is not a ", parameter.type));
  if (IsBelow(maximum, minimum)) return Wrong(where, key, "has a minimum above its maximum");
  const bool outside = IsBelow(given, minimum) || IsBelow(maximum, given) ||
                       (given.is_string() && !parameter.choices.empty() &&
                        std::find(parameter.choices.begin(), parameter.choices.end(),
                                  given.get_string()) == parameter.choices.end());
  if (outside) return Wrong(where, key, "has a default that it does not allow");
  return {};
}

Result<void> CheckTool(const std::string& name, const Config::DeclaredTool& tool,
                       const Config& config) {
  constexpr std::size_t kMaxDescription = 200;
  const std::string key = base::StrCat("tool.", name);
  if (!IsToolName(name)) {
    return Wrong(tool.where, key,
                 "is not a name: letters, digits, _ and -, also as \"category/name\"");
  }
  if (tool.statement.empty()) return Wrong(tool.where, key, "needs a statement");
  if (tool.description.empty() || tool.description.size() > kMaxDescription)
    return Wrong(tool.where, key, "needs a description of at most 200 bytes");
  if (!tool.read_only)
    return Wrong(tool.where, base::StrCat(key, ".read_only"),
                 "must be true: statements that change data are not supported");
  if (!tool.connection.empty() && !config.connections.contains(tool.connection))
    return Wrong(tool.where, base::StrCat(key, ".connection"),
                 base::StrCat("names ", tool.connection, ", which is not configured"));
  if (tool.connection.empty() && config.connections.size() > 1 &&
      !config.connections.contains(kDefaultConnection))
    return Wrong(tool.where, key, "needs a connection: there are several and none is default");
  for (const Config::ToolParameter& parameter : tool.parameters) {
    RETURN_IF_ERROR(
        CheckParameter(tool.where, base::StrCat(key, ".parameters.", parameter.name), parameter));
  }
  return {};
}

// As TOML, or that it is set.
std::string Shown(std::string_view key, const Value& value) {
  if (key.ends_with(".url")) return std::string(kSecretIsSet);
  if (const auto* text = std::get_if<std::string>(&value)) return QuoteToml(*text);
  if (const auto* text = std::get_if<Text>(&value)) return QuoteToml(text->text);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return base::StrCat(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* other = std::get_if<Other>(&value)) {
    std::string number;
    base::AppendJsonDouble(number, other->number.value_or(0));
    return number;
  }
  std::string out = "[";
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *list)
      out.append(base::StrCat(out.size() > 1 ? ", " : "", QuoteToml(text)));
  }
  return out + "]";
}

// A name with a slash needs quotes as a TOML key.
std::string TomlKey(std::string_view section, std::string_view name, std::string_view rest) {
  return IsName(name) ? base::StrCat(section, ".", name, ".", rest)
                      : base::StrCat(section, ".", QuoteToml(name), ".", rest);
}

}  // namespace

bool HasNames(std::string_view section) { return section == "database" || section == "tool"; }

bool IsNamedKey(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot != std::string_view::npos && HasNames(key.substr(0, dot)) &&
         (key.find('.', dot + 1) != std::string_view::npos || key.starts_with("tool."));
}

Result<void> SetNamed(std::string_view key, const Value& value, std::string_view where,
                      Config& config) {
  const std::size_t dot = key.find('.');
  const std::size_t second = key.find('.', dot + 1);
  const std::string_view section = key.substr(0, dot);
  if (second == std::string_view::npos) {
    return Error::InvalidParams(
        base::StrCat(where, ": ", key, " is a table; write [", key, "] and its settings below"));
  }
  const std::string name(key.substr(dot + 1, second - dot - 1));
  const std::string_view rest = key.substr(second + 1);
  // What stands below a URL may be a piece of it.
  const Reader reader(where, rest.starts_with("url.") ? key.substr(0, second + 4) : key, value);
  if (section == "tool") {
    Config::DeclaredTool& tool = config.declared_tools[name];
    if (tool.where.empty()) tool.where = where;
    RETURN_IF_ERROR(SetTool(rest, reader, tool));
  } else {
    if (!IsName(name) || FindByKey(base::StrCat("database.", name)) != nullptr)
      return Wrong(where, key.substr(0, second),
                   "has a name that is a setting, or not of letters, digits, _ and -");
    Config::Connection& connection = config.connections[name];
    if (connection.where.empty()) connection.where = where;
    RETURN_IF_ERROR(SetConnection(rest, reader, connection));
    const auto* text = std::get_if<std::string>(&value);
    if (rest == "url" && text != nullptr && text->find('@') != std::string::npos &&
        IsReadableByOthers(config.file)) {
      config.warnings.push_back(base::StrCat(
          where, ": ", key,
          " is in a file other users can read; chmod 600 the file, or write \"${VARIABLE}\""));
    }
  }
  config.named.push_back({TomlKey(section, name, rest), Shown(key, value), std::string(where),
                          rest == "url" && section == "database"});
  return {};
}

Result<void> FinishNamed(std::string_view directory, Config& config) {
  const Config::Database& own = config.database;
  const std::string_view origin =
      OriginOf(config, own.url_file.empty() ? "database.url" : "database.url_file").name;
  std::string url = own.url;
  RETURN_IF_ERROR(ReadUrl(directory, origin, "database.url", own.url_file, url));
  for (auto& [name, connection] : config.connections) {
    const std::string key = base::StrCat("database.", name, ".url");
    RETURN_IF_ERROR(ReadUrl(directory, connection.where, key, connection.url_file, connection.url));
    if (connection.url.empty())
      return Wrong(connection.where, base::StrCat("database.", name), "needs a url or url_file");
  }
  if (!url.empty()) {
    if (config.connections.contains(kDefaultConnection))
      return Wrong(origin, "database.url",
                   "and database.default.url are both set; set one of them");
    config.connections[std::string(kDefaultConnection)] = {.url = std::move(url),
                                                           .url_file = {},
                                                           .description = own.description,
                                                           .max_connections = 0,
                                                           .accept_privileged = false,
                                                           .where = std::string(origin)};
  }
  for (auto& [name, tool] : config.declared_tools) {
    for (Config::ToolParameter& parameter : tool.parameters) SettleDefault(parameter);
    RETURN_IF_ERROR(CheckTool(name, tool, config));
  }
  return {};
}

}  // namespace toolpost::config
