// file/move: renames a file or folder.
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "sandbox/atomic_file.h"
#include "sandbox/confined_open.h"
#include "sandbox/file_error.h"
#include "sandbox/protected_names.h"
#include "sandbox/remove_tree.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"

namespace toolpost::tools::file {
namespace {

struct Args {
  std::string source;
  std::string destination;
  bool overwrite = false;
  static constexpr auto Fields() {
    return std::tuple{Req("source", &Args::source, "File or folder."),
                      Req("destination", &Args::destination, "Its new path."),
                      Opt("overwrite", &Args::overwrite, "Replace a file.")};
  }
};

struct Out {
  std::string source;
  std::string destination;
  FileType type = FileType::kFile;
  static constexpr auto Fields() {
    return std::tuple{Req("source", &Out::source), Req("destination", &Out::destination),
                      Req("type", &Out::type)};
  }
};

// Both ends of a move.
struct Ends {
  const Place& from;
  const Place& to;
  sandbox::Parent source;
  sandbox::Parent target;
};

// To another file system: a copy takes the place, then the source goes.
Result<void> CopyOver(const FileServices& services, const Ends& ends, const struct stat& at) {
  const std::string& given = ends.from.location.given;
  if (!S_ISREG(at.st_mode)) {
    return Error{Code::kConflict,
                 base::StrCat(given,
                              " and its new place are on different file systems, between "
                              "which only files can be moved"),
                 {}};
  }
  ASSIGN_OR_RETURN(const sandbox::OpenFile file,
                   sandbox::OpenRegular(*ends.from.roots, ends.from.location));
  services.journal->Note(ends.to.location);
  ASSIGN_OR_RETURN(sandbox::AtomicFile copy,
                   sandbox::AtomicFile::Create(ends.target, ends.to.location.given));
  RETURN_IF_ERROR(
      copy.CopyFrom(file.descriptor.get(), static_cast<std::uint64_t>(file.at.st_size)));
  RETURN_IF_ERROR(copy.Commit(&file.at));
  if (unlinkat(ends.source.directory.get(), ends.source.name.c_str(), 0) != 0)
    return sandbox::FileError(errno, given);
  return {};
}

Result<void> Rename(const FileServices& services, const Ends& ends, bool overwrite,
                    const struct stat& at) {
  const int from = ends.source.directory.get();
  const int to = ends.target.directory.get();
  const char* const name = ends.target.name.c_str();
  struct stat there {};
  const bool exists = fstatat(to, name, &there, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && (!overwrite || S_ISDIR(there.st_mode))) {
    return Error{Code::kConflict,
                 base::StrCat(ends.to.location.given, S_ISDIR(there.st_mode)
                                                          ? " is a folder; name the new path in it"
                                                          : " exists; set overwrite to replace it"),
                 {}};
  }
  const unsigned flags = overwrite ? 0 : RENAME_NOREPLACE;
  if (renameat2(from, ends.source.name.c_str(), to, name, flags) == 0) {
    fsync(to);
    return {};
  }
  if (errno == EXDEV) return CopyOver(services, ends, at);
  if (errno == EEXIST || errno == ENOTEMPTY)
    return sandbox::FileError(EEXIST, ends.to.location.given);
  if (errno == EINVAL) {
    return Error::InvalidParams(
        base::StrCat(ends.to.location.given, " lies inside ", ends.from.location.given));
  }
  return sandbox::FileError(errno, ends.from.location.given);
}

Result<Out> Move(const FileServices& services, const Args& args, CallContext& context) {
  using sandbox::Access;
  ASSIGN_OR_RETURN(const Place from, Resolve(services, context, args.source, Access::kWrite));
  Place to{.roots = from.roots, .location = {}};
  ASSIGN_OR_RETURN(to.location, from.roots->Locate(args.destination, Access::kWrite));
  RETURN_IF_ERROR(sandbox::CheckMovable(from.location));
  ASSIGN_OR_RETURN(sandbox::Parent source, OpenParent(*from.roots, from.location, false));
  struct stat at {};
  if (fstatat(source.directory.get(), source.name.c_str(), &at, AT_SYMLINK_NOFOLLOW) != 0)
    return sandbox::FileError(errno, args.source);
  if (S_ISDIR(at.st_mode) && sandbox::IsInsideGit(to.location.relative)) {
    return Error{Code::kPermissionDenied,
                 base::StrCat(args.destination, " is inside .git, where folders are not moved to"),
                 {}};
  }
  ASSIGN_OR_RETURN(sandbox::Parent target, OpenParent(*to.roots, to.location, true));
  const Ends ends{from, to, std::move(source), std::move(target)};
  RETURN_IF_ERROR(Rename(services, ends, args.overwrite, at));
  return Out{args.source, args.destination, TypeOfMode(at.st_mode)};
}

}  // namespace

Tool MoveTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/move",
       .title = "Move or rename",
       .description = "Moves or renames a file or folder. Missing folders are made.",
       .hints =
           {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Move(services, args, context);
      });
}

}  // namespace toolpost::tools::file
