// Options of the file tools.
#include "cli/file_settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "base/strings.h"
#include "tools/file/resources.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

std::string WorkingDirectory() {
  char* const path = getcwd(nullptr, 0);
  if (path == nullptr) return {};
  std::string directory(path);
  free(path);
  return directory;
}

}  // namespace

tools::file::FileOptions FileOptionsOf(const config::Config& config) {
  tools::file::FileOptions options;
  sandbox::RootsOptions& roots = options.roots;
  roots.roots = config.files.roots;
  roots.read_only_roots = config.files.read_only_roots;
  roots.follow_links = config.files.follow_links;
  roots.working_directory = WorkingDirectory();
  if (const char* home = std::getenv("HOME"); home != nullptr) roots.home = home;
  for (const std::string& own :
       {config.state.dir, config.file, base::StrCat(roots.working_directory, "/toolpost.toml"),
        config.appsettings.file, config.vault.key_file, config.auth.jwt_key_file,
        config.http.tls_key, config.database.url_file}) {
    if (!own.empty()) roots.hidden.push_back(own);
  }
  for (const auto& [name, connection] : config.connections) {
    if (!connection.url_file.empty()) roots.hidden.push_back(connection.url_file);
  }
  options.state_directory = config.state.dir;
  if (config.files.max_read > 0) options.max_read = config.files.max_read;
  if (config.limits.result_chars > 0) options.result_chars = config.limits.result_chars;
  options.client_roots = config.files.client_roots;
  return options;
}

Result<void> AddFileResources(Server& server, const tools::file::FileServices& services) {
  return tools::file::AddResources(
      {.add_template =
           [&server](ResourceInfo info, ResourceReader reader,
                     std::shared_ptr<ResourceWatcher> watcher) {
             return server.AddResourceTemplate(std::move(info), std::move(reader), {},
                                               std::move(watcher));
           },
       .updated = [&server](std::string_view uri) { return server.ResourceUpdated(uri); }},
      services);
}

}  // namespace toolpost::cli
