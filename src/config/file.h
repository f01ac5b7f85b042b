// The configuration file: found, read, and taken apart into keys with their lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/value.h"
#include "toolpost/result.h"

namespace toolpost::config {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1024} * 1024;

// The value of a section without keys.
inline constexpr std::string_view kEmptySection = "an empty section";

struct FileEntry {
  std::string key;  // "http.port", known or not; a value outside a section has no dot
  Value value;
  std::size_t line = 0;  // 0: not known
};

// The file Load() reads, or empty if there is none. Only existence is looked at.
std::string FindFile(const Sources& sources);

// The text of a regular file up to kMaxFileBytes, without a UTF-8 byte order mark. The message
// names the file, as `what`, and the reason.
Result<std::string> ReadText(const std::string& path, std::string_view what = "configuration file");
// Whether group or others may read it. False if it cannot be looked at.
bool IsReadableByOthers(const std::string& path);

// Top-level tables are sections, their members the keys, in the order of the file. `name` is what
// messages call the file; a syntax error (duplicate keys included) is Code::kInvalidArgument with
// the line.
Result<std::vector<FileEntry>> ReadToml(std::string_view text, std::string_view name);
Result<std::vector<FileEntry>> ReadJson(std::string_view text, std::string_view name);

// The JSON parser reports "… at byte N: reason"; people look for lines: "LINE: not valid JSON:
// reason".
std::string LocatedJsonError(std::string_view text, std::string_view message);

}  // namespace toolpost::config
