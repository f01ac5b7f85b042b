// file/info: what is known about a file, and which folders there are.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/path_text.h"
#include "tools/file/content.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"
#include "tools/file/read_range.h"

namespace toolpost::tools::file {
namespace {

constexpr std::uint64_t kPeek = 8192;  // bytes that decide between text and binary

struct Args {
  std::optional<std::string> path;
  bool digest = false;
  static constexpr auto Fields() {
    return std::tuple{Opt("path", &Args::path, "File or folder; none: the allowed folders."),
                      Opt("digest", &Args::digest, "Also the SHA-256.")};
  }
};

struct RootView {
  std::string path;
  bool read_only = false;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &RootView::path), Req("readOnly", &RootView::read_only)};
  }
};

struct Out {
  std::optional<std::string> path;
  std::optional<FileType> type;
  std::optional<std::int64_t> size;
  std::optional<std::string> mode;
  std::optional<std::int64_t> links;
  std::optional<bool> text;
  std::optional<std::string> sha256;
  std::optional<std::string> created;
  std::optional<std::string> modified;
  std::optional<std::string> accessed;
  std::optional<std::vector<RootView>> roots;
  static constexpr auto Fields() {
    return std::tuple{Opt("path", &Out::path),
                      Opt("type", &Out::type),
                      Opt("size", &Out::size, "Bytes."),
                      Opt("mode", &Out::mode, "Permissions, octal."),
                      Opt("links", &Out::links, "Hard links."),
                      Opt("text", &Out::text, "Can be read as utf-8, by its start."),
                      Opt("sha256", &Out::sha256),
                      Opt("created", &Out::created),
                      Opt("modified", &Out::modified),
                      Opt("accessed", &Out::accessed),
                      Opt("roots", &Out::roots, "The folders that may be used.")};
  }
};

std::string Octal(mode_t mode) {
  std::string text = "0000";
  for (std::size_t digit = 0; digit < 4; ++digit)
    text[3 - digit] = static_cast<char>('0' + ((mode >> (3 * digit)) & 7));
  return text;
}

Result<Out> ListRoots(const FileServices& services, CallContext& context) {
  ASSIGN_OR_RETURN(const auto roots, RootsOf(services, context));
  if (roots->all().empty()) return Error{Code::kUnavailable, roots->problem(), {}};
  Out out;
  out.roots.emplace();
  for (const sandbox::Root& root : roots->all())
    out.roots->push_back({sandbox::EncodePath(root.path), root.read_only});
  return out;
}

// The members that need the content.
Result<void> Look(const FileServices& services, const Args& args, const Place& place,
                  const std::stop_token& stop, Out& out) {
  ASSIGN_OR_RETURN(const sandbox::OpenFile file,
                   sandbox::OpenRegular(*place.roots, place.location));
  const int fd = file.descriptor.get();
  ASSIGN_OR_RETURN(Range start, ReadBytes(fd, 0, kPeek, *args.path, stop));
  TrimToCharacters(start);
  out.text = LooksLikeText(start.bytes) && base::IsValidUtf8(start.bytes);
  if (!args.digest) return {};
  ASSIGN_OR_RETURN(const Range all, ReadBytes(fd, 0, services.max_read, *args.path, stop));
  if (all.more) {
    return Error{Code::kTooLarge,
                 base::StrCat(*args.path, " is larger than the ", services.max_read,
                              " bytes a digest is made of; leave digest out"),
                 {}};
  }
  out.sha256 = Digest(all.bytes);
  return {};
}

Result<Out> Info(const FileServices& services, const Args& args, CallContext& context) {
  if (!args.path) return ListRoots(services, context);
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, *args.path, sandbox::Access::kRead));
  ASSIGN_OR_RETURN(const sandbox::OpenFile pinned, sandbox::Pin(*place.roots, place.location));
  Out out;
  out.path = args.path;
  out.type = TypeOfMode(pinned.at.st_mode);
  if (*out.type == FileType::kFile) out.size = pinned.at.st_size;
  out.mode = Octal(pinned.at.st_mode);
  out.links = static_cast<std::int64_t>(pinned.at.st_nlink);
  out.created = CreatedTime(pinned.descriptor.get());
  out.modified = IsoTime(pinned.at.st_mtim);
  out.accessed = IsoTime(pinned.at.st_atim);
  if (*out.type == FileType::kFile && (args.digest || pinned.at.st_size > 0)) {
    const auto looked = Look(services, args, place, context.stop_token(), out);
    // A file we may not read still has the rest.
    if (!looked && (args.digest || looked.error().code != Code::kPermissionDenied))
      return looked.error();
  }
  return out;
}

}  // namespace

Tool InfoTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/info",
       .title = "File information",
       .description = "Type, size, times and permissions of a file or folder; without path the "
                      "folders that may be used.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Info(services, args, context);
      });
}

}  // namespace toolpost::tools::file
