// file/delete: deletes a file, or a folder with everything in it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/directory.h"
#include "sandbox/file_error.h"
#include "sandbox/path_text.h"
#include "sandbox/remove_tree.h"
#include "tools/file/file.h"
#include "tools/file/place.h"

namespace toolpost::tools::file {
namespace {

struct Args {
  std::string path;
  bool recursive = false;
  bool dry_run = false;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Args::path, "File or folder."),
                      Opt("recursive", &Args::recursive, "A folder with all it holds."),
                      Opt("dryRun", &Args::dry_run, "Only tell what would go.")};
  }
};

struct Out {
  std::string path;
  bool deleted = false;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::optional<std::vector<std::string>> would_delete;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Out::path), Req("deleted", &Out::deleted),
                      Req("count", &Out::count, "Files and folders."), Req("bytes", &Out::bytes),
                      Opt("wouldDelete", &Out::would_delete, "The first 100.")};
  }
};

// What is deleted without `recursive` must be empty if it is a folder.
Result<void> CheckEmpty(const Place& place) {
  ASSIGN_OR_RETURN(const sandbox::Parent parent,
                   sandbox::OpenParent(*place.roots, place.location, false));
  struct stat at {};
  if (fstatat(parent.directory.get(), parent.name.c_str(), &at, AT_SYMLINK_NOFOLLOW) != 0)
    return sandbox::FileError(errno, place.location.given);
  if (!S_ISDIR(at.st_mode)) return {};
  const sandbox::Descriptor folder = sandbox::OpenChild(parent.directory.get(), parent.name);
  if (!folder) return sandbox::FileError(errno, place.location.given);
  std::vector<sandbox::DirectoryEntry> entries;
  const int error = sandbox::ReadDirectory(folder.get(), 0, sandbox::Temporary::kShown, entries);
  if (error != 0)
    return sandbox::FileError(error == EFBIG ? ENOTEMPTY : error, place.location.given);
  return {};
}

Result<Out> Delete(const FileServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kWrite));
  if (!args.recursive && !place.location.relative.empty()) RETURN_IF_ERROR(CheckEmpty(place));
  const auto stop = context.stop_token();
  ASSIGN_OR_RETURN(const sandbox::Removal removal,
                   args.dry_run ? sandbox::PlanRemoval(*place.roots, place.location, stop)
                                : sandbox::RemoveTree(*place.roots, place.location, stop));
  Out out{.path = args.path,
          .deleted = !args.dry_run,
          .count = static_cast<std::int64_t>(removal.files + removal.folders),
          .bytes = static_cast<std::int64_t>(removal.bytes)};
  if (args.dry_run) {
    out.would_delete.emplace();
    for (const std::string& each : removal.shown)
      out.would_delete->push_back(sandbox::JoinPath(args.path, sandbox::EncodePath(each)));
  }
  return out;
}

}  // namespace

Tool DeleteTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/delete",
       .title = "Delete a file or folder",
       .description = "Deletes a file, link or empty folder; with recursive a folder and all it "
                      "holds. Links are deleted, not followed.",
       .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Delete(services, args, context);
      });
}

}  // namespace toolpost::tools::file
