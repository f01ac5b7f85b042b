// Reader and watcher of file URIs.
#include "tools/file/resources.h"

#include <sys/stat.h>

#include <string>
#include <utility>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/path_text.h"
#include "sandbox/walk.h"
#include "tools/file/content.h"
#include "tools/file/file_uri.h"
#include "tools/file/mime_type.h"
#include "tools/file/place.h"
#include "tools/file/read_range.h"
#include "tools/file/watcher.h"

namespace toolpost::tools::file {
namespace {

constexpr std::size_t kMaxListed = 10'000;

Result<std::string> PathOf(const UriVariables& variables) {
  const auto path = variables.find("path");
  if (path == variables.end()) return Error::InvalidParams("The URI names no file");
  return "/" + path->second;
}

Result<ResourceContents> ReadFolder(const Place& place, const std::stop_token& stop) {
  ResourceContents contents{.mime_type = "text/uri-list", .data = {}};
  std::size_t listed = 0;
  const std::string folder = sandbox::JoinPath(place.location.root->path, place.location.relative);
  ASSIGN_OR_RETURN(const sandbox::WalkEnd end,
                   sandbox::Walk(*place.roots, place.location, {.max_depth = 1, .stop = stop},
                                 [&](const sandbox::WalkEntry& entry) {
                                   if (++listed > kMaxListed) return sandbox::Step::kStop;
                                   contents.data.append(UriOfPath(sandbox::EncodePath(
                                       sandbox::JoinPath(folder, entry.relative))));
                                   contents.data.append("\r\n");
                                   return sandbox::Step::kOver;
                                 }));
  if (listed > kMaxListed || !end.complete) contents.data.append("# more: use file/list\r\n");
  return contents;
}

Result<ResourceContents> Read(const FileServices& services, const UriVariables& variables,
                              CallContext& context) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(variables));
  ASSIGN_OR_RETURN(const Place place, Resolve(services, context, path, sandbox::Access::kRead));
  ASSIGN_OR_RETURN(const sandbox::OpenFile pinned, sandbox::Pin(*place.roots, place.location));
  const std::stop_token stop = context.stop_token();
  if (S_ISDIR(pinned.at.st_mode)) return ReadFolder(place, stop);
  ASSIGN_OR_RETURN(const sandbox::OpenFile file,
                   sandbox::OpenRegular(*place.roots, place.location));
  ASSIGN_OR_RETURN(Range range, ReadBytes(file.descriptor.get(), 0, services.max_read, path, stop));
  if (range.more) {
    return Error{Code::kTooLarge,
                 base::StrCat(path, " is larger than the ", services.max_read,
                              " bytes of a resource; read it in parts with file/read"),
                 {}};
  }
  ResourceContents contents{.mime_type = {}, .data = std::move(range.bytes)};
  contents.binary = !LooksLikeText(contents.data) || !base::IsValidUtf8(contents.data);
  contents.mime_type = MimeTypeOf(place.location.name(), !contents.binary);
  return contents;
}

class Subscriptions : public ResourceWatcher {
 public:
  Subscriptions(FileServices services, FileWatcher::Tell tell)
      : services_(std::move(services)), watcher_(std::move(tell)) {}

  Result<void> Watch(std::string_view uri, const UriVariables& variables,
                     const Principal& principal) override {
    ASSIGN_OR_RETURN(const std::string path, PathOf(variables));
    const auto roots = GrantedRoots(services_, principal);
    ASSIGN_OR_RETURN(const sandbox::Location location, roots->Locate(path, sandbox::Access::kRead));
    return watcher_.Watch(*roots, location, uri);
  }
  void Stop() override { watcher_.Stop(); }

 private:
  const FileServices services_;
  FileWatcher watcher_;
};

}  // namespace

Result<void> AddResources(const ResourceHost& host, const FileServices& services) {
  ResourceInfo info;
  info.uri = "file:///{+path}";
  info.name = "files";
  info.title = "Files";
  info.description = "Files below the folders of this server; a folder is a list of URIs.";
  info.tool = "file/read";
  return host.add_template(
      std::move(info),
      [services](std::string_view, const UriVariables& variables, CallContext& context) {
        return Read(services, variables, context);
      },
      std::make_shared<Subscriptions>(services, host.updated));
}

}  // namespace toolpost::tools::file
