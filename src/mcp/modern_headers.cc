// Compares headers with the body they announce.
#include "mcp/modern_headers.h"

#include <charconv>
#include <optional>

#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

Error Mismatch(std::string message) { return {Code::kHeaderMismatch, std::move(message), {}}; }

// `=?base64?…?=` holds UTF-8 that a header could not; anything else is literal. Empty for broken
// base64.
std::optional<std::string> DecodeValue(std::string_view value) {
  constexpr std::string_view kHead = "=?base64?";
  constexpr std::string_view kTail = "?=";
  if (value.size() < kHead.size() + kTail.size() || !value.starts_with(kHead) ||
      !value.ends_with(kTail)) {
    return std::string(value);
  }
  auto text =
      base::FromBase64(value.substr(kHead.size(), value.size() - kHead.size() - kTail.size()));
  if (!text || !base::IsValidUtf8(*text)) return std::nullopt;
  return text;
}

// The parameter Mcp-Name repeats, or empty.
std::string_view NamedParameter(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return "taskId";
  return {};
}

const Json* At(const JsonObject* object, const std::vector<std::string>& path) {
  const Json* value = nullptr;
  for (const std::string& name : path) {
    if (object == nullptr) return nullptr;
    value = object->if_contains(name);
    object = value == nullptr ? nullptr : value->if_object();
  }
  return value;
}

bool Matches(const std::string& text, const Json& value) {
  if (value.is_string()) return value.get_string() == text;
  if (value.is_bool()) return text == (value.get_bool() ? "true" : "false");
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (value.is_int64()) {
    std::int64_t integer = 0;
    const auto [stop, bad] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (bad == std::errc() && stop == text.data() + text.size())
      return integer == value.get_int64();
  }
  return value.is_number() && number == value.to_number<double>();
}

}  // namespace

Result<void> CheckHeaderConflicts(const HttpHeaders& headers, const Message& message,
                                  std::string_view version) {
  const std::string_view version_header = headers.Find("MCP-Protocol-Version");
  if (version_header.data() != nullptr && version_header != version) {
    return Mismatch("The MCP-Protocol-Version header differs from protocolVersion in _meta");
  }
  const std::string_view method_header = headers.Find("Mcp-Method");
  if (method_header.data() != nullptr && method_header != message.method) {
    return Mismatch("The Mcp-Method header differs from the method in the body");
  }
  return {};
}

Result<void> CheckRequiredHeaders(const HttpHeaders& headers, const Message& message) {
  if (headers.Find("MCP-Protocol-Version").data() == nullptr) {
    return Mismatch("The MCP-Protocol-Version header is required");
  }
  if (headers.Find("Mcp-Method").data() == nullptr)
    return Mismatch("The Mcp-Method header is required");
  const std::string_view parameter = NamedParameter(message.method);
  const Json* value = parameter.empty() ? nullptr : message.Param(parameter);
  if (value == nullptr || !value->is_string()) return {};
  const std::string_view header = headers.Find("Mcp-Name");
  if (header.data() == nullptr) return Mismatch("The Mcp-Name header is required for this method");
  const std::optional<std::string> name = DecodeValue(header);
  if (!name || value->get_string() != *name) {
    return Mismatch(base::StrCat("The Mcp-Name header differs from params.", parameter));
  }
  return {};
}

Result<void> CheckParameterHeaders(const HttpHeaders& headers, const RegisteredTool& tool,
                                   const JsonObject* arguments) {
  ASSIGN_OR_RETURN(const InputRules* rules, tool.input.Get(*tool.tool.input_schema));
  for (const HeaderArgument& argument : rules->headers) {
    const std::string name = "Mcp-Param-" + argument.header;
    const std::string_view header = headers.Find(name);
    const Json* value = At(arguments, argument.path);
    if (value == nullptr || value->is_null()) {
      if (header.data() != nullptr)
        return Mismatch(base::StrCat("The ", name, " header has no argument in the body"));
      continue;
    }
    if (header.data() == nullptr)
      return Mismatch(base::StrCat("The ", name, " header is required with this argument"));
    const std::optional<std::string> text = DecodeValue(header);
    if (!text || !Matches(*text, *value))
      return Mismatch(base::StrCat("The ", name, " header differs from the argument"));
  }
  return {};
}

}  // namespace toolpost::mcp
