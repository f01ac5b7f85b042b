// What is said about a file besides its content.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "toolpost/field.h"

namespace toolpost::tools::file {

enum class FileType { kFile, kDirectory, kSymlink, kOther };

FileType TypeOfMode(mode_t mode);
FileType TypeOfEntry(unsigned char type);  // DT_… of readdir

// ISO 8601 with milliseconds, UTC.
std::string IsoTime(const timespec& time);
// When the file was made, where the file system knows it.
std::optional<std::string> CreatedTime(int fd);

// Names that are not UTF-8, exactly; empty for those that are.
std::optional<std::string> NameBase64(std::string_view name);

}  // namespace toolpost::tools::file

template <>
struct toolpost::EnumNames<toolpost::tools::file::FileType> {
  using FileType = toolpost::tools::file::FileType;
  static constexpr std::pair<FileType, std::string_view> kNames[] = {
      {FileType::kFile, "file"},
      {FileType::kDirectory, "directory"},
      {FileType::kSymlink, "symlink"},
      {FileType::kOther, "other"}};
};
