// Translation of MCPConfig.
#include "config/mcp_config.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/strings.h"

namespace toolpost::config {
namespace {

constexpr std::string_view kSecretKey = "auth.secretKey";
constexpr std::string_view kSessionTimeout = "sessionTimeout";

constexpr std::array<McpConfigField, 13> kFields = {{
    {"transport", "mcp.transport", "", ""},
    {"host", "http.host", "", ""},
    {"port", "http.port", "", ""},
    {"tlsEnabled", "http.tls", "", "needs `http.tls_cert` and `http.tls_key`"},
    {"enableMetrics", "metrics.enabled", "", ""},
    {"auth.enabled", "auth.required", "", ""},
    {"auth.method", "auth.method", "", "also `any`"},
    {kSecretKey, "auth.jwt_secret", "auth.master_key",
     "the first when `auth.method` is `jwt` or `oauth`"},
    {"loadBalancer.enabled", "limits.enabled", "", ""},
    {"loadBalancer.maxRequestsPerSecond", "limits.calls_per_second", "", ""},
    {"loadBalancer.maxConcurrentRequests", "limits.concurrent_calls", "", ""},
    {kSessionTimeout, "limits.session_idle", "", "in milliseconds"},
    {"maxSessions", "limits.sessions", "", ""},
}};

const FileEntry* Find(const std::vector<FileEntry>& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const FileEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

bool Is(const FileEntry* entry, const Value& value) {
  if (entry == nullptr || entry->value.index() != value.index()) return false;
  if (const auto* flag = std::get_if<bool>(&value)) return std::get<bool>(entry->value) == *flag;
  return std::get<std::string>(entry->value) == std::get<std::string>(value);
}

// The document counts sessionTimeout in milliseconds, a bare number of ours counts seconds.
Value InMilliseconds(Value value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? value : Value(Text{base::StrCat(*number, "ms")});
}

std::string Where(std::string_view file, const FileEntry& entry) {
  return entry.line == 0 ? std::string(file) : base::StrCat(file, ":", entry.line);
}

}  // namespace

std::span<const McpConfigField> McpConfigFields() { return kFields; }

Result<std::vector<FileEntry>> FromMcpConfig(std::vector<FileEntry> entries, std::string_view file,
                                             std::vector<std::string>& warnings) {
  const FileEntry* method = Find(entries, "auth.method");
  const bool signed_tokens =
      Is(method, Value(std::string("jwt"))) || Is(method, Value(std::string("oauth")));
  const bool switched_off = Is(Find(entries, "auth.enabled"), Value(false));
  std::map<std::string, std::string> given;  // name in the file by our key
  std::vector<FileEntry> out;
  for (FileEntry& entry : entries) {
    const auto field =
        std::find_if(kFields.begin(), kFields.end(),
                     [&](const McpConfigField& candidate) { return candidate.name == entry.key; });
    const auto* other_value = std::get_if<Other>(&entry.value);
    if (entry.key == "loadBalancer" && other_value != nullptr &&
        other_value->what == kEmptySection) {
      continue;
    }
    if (entry.key == kSecretKey && switched_off) {
      warnings.push_back(
          base::StrCat(Where(file, entry), ": auth.secretKey is not used: auth.enabled is false"));
      continue;
    }
    std::string key = entry.key;
    if (field != kFields.end()) {
      key = field->key_for_tokens.empty() || signed_tokens ? field->key : field->key_for_tokens;
    }
    const auto [other, first] = given.emplace(key, entry.key);
    if (!first) {
      return Error::InvalidParams(base::StrCat(Where(file, entry), ": ", entry.key, " and ",
                                               other->second, " are the same setting, ", key,
                                               "; give one of them"));
    }
    if (entry.key == kSessionTimeout) entry.value = InMilliseconds(std::move(entry.value));
    entry.key = std::move(key);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace toolpost::config
