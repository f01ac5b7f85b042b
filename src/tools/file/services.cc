// The services of the file tools, and their list.
#include <algorithm>
#include <functional>
#include <utility>

#include "tools/file/file.h"

namespace toolpost::tools::file {

std::mutex& FileLocks::For(std::uint64_t device, std::uint64_t inode, std::string_view name) {
  const std::size_t hash =
      std::hash<std::string_view>()(name) ^ (inode * 0x9E3779B97F4A7C15u) ^ (device << 7);
  return locks_[hash % locks_.size()];
}

Result<FileServices> MakeServices(const FileOptions& options) {
  FileServices services;
  ASSIGN_OR_RETURN(services.roots, sandbox::Roots::Open(options.roots));
  services.journal = std::make_shared<sandbox::WriteJournal>(options.state_directory);
  services.journal->CleanUp(*services.roots);
  services.locks = std::make_shared<FileLocks>();
  services.max_read = options.max_read;
  // Escapes and the other members take their part of the budget.
  services.page_bytes = std::max<std::size_t>(options.result_chars * 4 / 5, 512);
  services.client_roots = options.client_roots;
  return services;
}

std::vector<Tool> Tools(const FileServices& services) {
  std::vector<Tool> tools;
  for (auto* make :
       {ReadTool, WriteTool, ListTool, DeleteTool, EditTool, SearchTool, InfoTool, MoveTool})
    tools.push_back(make(services));
  return tools;
}

}  // namespace toolpost::tools::file
