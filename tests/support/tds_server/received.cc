// Records as JSON, for tests in other languages.
#include "tds_server/received.h"

#include "base/strings.h"

namespace toolpost::tds_server {
namespace {

std::string_view KindName(Received::Kind kind) {
  switch (kind) {
    case Received::Kind::kLogin:
      return "login";
    case Received::Kind::kBatch:
      return "batch";
    case Received::Kind::kCall:
      return "call";
    case Received::Kind::kTransaction:
      return "transaction";
    case Received::Kind::kAttention:
      return "attention";
    case Received::Kind::kClosed:
      return "closed";
  }
  return "";
}

JsonObject LoginToJson(const Login& login) {
  return {{"host", login.host},
          {"user", login.user},
          {"password", login.password},
          {"application", login.application},
          {"server", login.server},
          {"library", login.library},
          {"language", login.language},
          {"database", login.database},
          {"packetSize", login.packet_size},
          {"readOnlyIntent", login.read_only_intent},
          {"encrypted", login.encrypted}};
}

bool IsTag(std::string_view text) {
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && std::string_view(":_.-").find(c) == std::string_view::npos) return false;
  }
  return text.find(':') != std::string_view::npos;
}

}  // namespace

std::string_view TagOf(std::string_view text) {
  for (std::size_t at = text.find("/*"); at != std::string_view::npos;
       at = text.find("/*", at + 2)) {
    const std::size_t end = text.find("*/", at + 2);
    if (end == std::string_view::npos) break;
    const std::string_view comment = base::Trim(text.substr(at + 2, end - at - 2));
    if (IsTag(comment)) return comment;
  }
  return {};
}

Json ToJson(const Received& received) {
  JsonObject out{{"connection", received.connection}, {"kind", KindName(received.kind)}};
  if (received.kind == Received::Kind::kLogin) out["login"] = LoginToJson(received.login);
  if (!received.text.empty()) out["text"] = received.text;
  if (!received.procedure.empty()) out["procedure"] = received.procedure;
  if (received.kind == Received::Kind::kCall) {
    JsonArray parameters;
    for (const Parameter& parameter : received.parameters) {
      parameters.push_back(JsonObject{{"name", parameter.name},
                                      {"type", parameter.type},
                                      {"value", parameter.value},
                                      {"output", parameter.output}});
    }
    out["parameters"] = std::move(parameters);
  }
  return out;
}

}  // namespace toolpost::tds_server
