// The names of the requirement document's MCPConfig (section 7.4) in a JSON configuration file.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/file.h"
#include "toolpost/result.h"

namespace toolpost::config {

struct McpConfigField {
  std::string_view name;            // "loadBalancer.enabled"
  std::string_view key;             // ours
  std::string_view key_for_tokens;  // ours when auth.method in the same file names no signed tokens
  std::string_view difference;      // between the two, for the documentation
};
// Every field, in the order of the document.
std::span<const McpConfigField> McpConfigFields();

// Entries under names of MCPConfig get the key and the value of ours; the others stay. `file` is
// what messages call the file. Code::kInvalidArgument when a setting is given under both names.
// What is not used is told in `warnings`.
Result<std::vector<FileEntry>> FromMcpConfig(std::vector<FileEntry> entries, std::string_view file,
                                             std::vector<std::string>& warnings);

}  // namespace toolpost::config
