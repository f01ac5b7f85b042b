// Files below the roots as MCP resources: `file:///` URIs, with subscriptions.
//
// Whoever may call file/read may read and watch the same files here, and nothing else. A folder is
// read as the list of the URIs in it (text/uri-list). Names that are not UTF-8 appear in URIs with
// the escapes of sandbox/path_text.h.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "toolpost/server.h"
#include "tools/file/file.h"

namespace toolpost::tools::file {

// The part of a server that offers the resources.
struct ResourceHost {
  std::function<Result<void>(ResourceInfo, ResourceReader, std::shared_ptr<ResourceWatcher>)>
      add_template;
  std::function<std::size_t(std::string_view uri)> updated;  // Server::ResourceUpdated
};

// Offers `file:///{+path}`.
Result<void> AddResources(const ResourceHost& host, const FileServices& services);

}  // namespace toolpost::tools::file
