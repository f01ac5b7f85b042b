// The tools that work on files below the configured roots.
//
// Every path goes through sandbox::Roots; see sandbox/roots.h for what is refused. The credential
// of a caller narrows the roots (Grants::roots), and so do the folders its client declares where
// that is configured.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandbox/roots.h"
#include "sandbox/write_journal.h"
#include "toolpost/tool.h"

namespace toolpost::tools::file {

// Makes read-change-write of one file by two calls of this process one after the other.
// Thread-safe.
class FileLocks {
 public:
  // The lock of the entry `name` in the folder with this device and inode.
  std::mutex& For(std::uint64_t device, std::uint64_t inode, std::string_view name);

 private:
  std::array<std::mutex, 64> locks_;
};

// What the tools work with; cheap to copy, shared by all of them.
struct FileServices {
  std::shared_ptr<const sandbox::Roots> roots;
  std::shared_ptr<sandbox::WriteJournal> journal;
  std::shared_ptr<FileLocks> locks;
  std::uint64_t max_read = std::uint64_t{10} << 20;  // bytes of one read
  std::size_t page_bytes = 32'000;  // of a read that does not say how much; below the result budget
  bool client_roots = false;        // ask clients for their folders
};

struct FileOptions {
  sandbox::RootsOptions roots;
  std::string state_directory;
  std::uint64_t max_read = std::uint64_t{10} << 20;
  std::size_t result_chars = 40'000;
  bool client_roots = false;
};

// Opens the roots and removes what killed processes left in them.
Result<FileServices> MakeServices(const FileOptions& options);

Tool ReadTool(FileServices services);
Tool WriteTool(FileServices services);
Tool ListTool(FileServices services);
Tool DeleteTool(FileServices services);
Tool EditTool(FileServices services);
Tool SearchTool(FileServices services);
Tool InfoTool(FileServices services);
Tool MoveTool(FileServices services);

// All of them.
std::vector<Tool> Tools(const FileServices& services);

}  // namespace toolpost::tools::file
