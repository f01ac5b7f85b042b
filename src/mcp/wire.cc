// Writes JSON-RPC envelopes.
#include "mcp/wire.h"

#include "base/error_table.h"
#include "base/json_write.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kHead = R"({"jsonrpc":"2.0")";

void AppendName(std::string& out, std::string_view name) {
  if (!out.empty() && out.back() != '{') out.push_back(',');
  out.push_back('"');
  out.append(name);
  out.append("\":");
}

constexpr std::size_t kLarge = std::size_t{64} * 1024;  // moved rather than copied

std::string Envelope(std::string_view id, std::size_t room) {
  std::string out;
  out.reserve(kHead.size() + id.size() + room + 48);
  out.append(kHead);
  if (!id.empty()) out.append(",\"id\":").append(id);
  return out;
}

}  // namespace

void AppendMember(std::string& out, std::string_view name, std::string_view text) {
  AppendName(out, name);
  base::AppendJsonString(out, text);
}

void AppendMember(std::string& out, std::string_view name, const Json& value) {
  AppendName(out, name);
  base::AppendJson(out, value);
}

void AppendRawMember(std::string& out, std::string_view name, std::string_view json) {
  AppendName(out, name);
  out.append(json);
}

std::string ResultMessage(std::string_view id, std::string_view members) {
  std::string out = Envelope(id, members.size());
  out.append(",\"result\":{").append(members).append("}}");
  return out;
}

std::string ResultMessage(std::string_view id, std::string&& members) {
  if (members.size() < kLarge) return ResultMessage(id, std::string_view(members));
  members.insert(0, Envelope(id, 0).append(",\"result\":{"));
  return std::move(members.append("}}"));
}

base::LongMessage LongResultMessage(std::string_view id, base::LongMessage members) {
  members.head.insert(0, Envelope(id, 16).append(",\"result\":{"));
  members.tail.append("}}");
  return members;
}

std::string ErrorMessage(std::string_view id, int code, std::string_view message,
                         const Json& data) {
  std::string out = Envelope(id, message.size());
  out.append(",\"error\":{\"code\":");
  base::AppendJsonInt(out, code);
  AppendMember(out, "message", message);
  if (!data.is_null()) AppendMember(out, "data", data);
  out.append("}}");
  return out;
}

std::string NotificationMessage(std::string_view method, std::string_view params_members) {
  std::string out = Envelope({}, params_members.size());
  AppendMember(out, "method", method);
  if (!params_members.empty()) out.append(",\"params\":{").append(params_members).append("}");
  out.push_back('}');
  return out;
}

std::string RequestMessage(std::string_view id, std::string_view method, const JsonObject& params) {
  std::string out = Envelope(id, 256);
  AppendMember(out, "method", method);
  if (!params.empty()) {
    out.append(",\"params\":");
    base::AppendJson(out, params);
  }
  out.push_back('}');
  return out;
}

std::string LegacyErrorMessage(std::string_view id, const Error& error) {
  return ErrorMessage(id, base::FormsOf(error.code).json_rpc, error.message, error.data);
}

std::string ModernErrorMessage(std::string_view id, const Error& error) {
  return ErrorMessage(id, base::FormsOf(error.code).json_rpc_modern, error.message, error.data);
}

}  // namespace toolpost::mcp
