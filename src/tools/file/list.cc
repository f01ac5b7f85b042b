// file/list: the entries of a folder, or of everything below it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/glob.h"
#include "base/strings.h"
#include "sandbox/path_text.h"
#include "sandbox/walk.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"

namespace toolpost::tools::file {
namespace {

constexpr std::int64_t kDefaultLimit = 250;
constexpr std::int64_t kMaxLimit = 100'000;
// The entries asked for are never cut: `limit` bounds them.
constexpr std::size_t kResultChars = std::size_t{1} << 30;
constexpr std::uint64_t kProgressEvery = 20'000;

struct Args {
  std::string path;
  bool recursive = false;
  bool include_hidden = false;
  std::optional<std::int64_t> depth;
  std::optional<std::string> glob;
  std::optional<FileType> type;
  std::int64_t limit = kDefaultLimit;
  std::optional<std::string> cursor;
  static constexpr auto Fields() {
    return std::tuple{
        Req("path", &Args::path, "Folder."),
        Opt("recursive", &Args::recursive, "Also what is in folders below."),
        Opt("includeHidden", &Args::include_hidden, "Also names with a leading dot."),
        Opt("depth", &Args::depth, "Most levels.").Range(1, 128),
        Opt("glob", &Args::glob, "Such as *.cc or src/**/*.h."),
        Opt("type", &Args::type, "Only these."),
        Opt("limit", &Args::limit, "Entries.").Range(1, kMaxLimit).Default(kDefaultLimit),
        Opt("cursor", &Args::cursor, "nextCursor of the page before.")};
  }
};

struct Entry {
  std::string name;
  FileType type = FileType::kFile;
  std::optional<std::int64_t> size;
  std::string modified;
  std::optional<std::string> name_base64;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &Entry::name, "Relative to path."), Req("type", &Entry::type),
                      Opt("size", &Entry::size, "Of files, in bytes."),
                      Req("modified", &Entry::modified),
                      Opt("nameBase64", &Entry::name_base64, "Of names that are not UTF-8.")};
  }
};

struct Out {
  std::string path;
  std::vector<Entry> entries;
  std::optional<std::int64_t> total;
  std::optional<std::string> next_cursor;
  std::optional<bool> truncated;
  std::optional<std::int64_t> unreadable;
  static constexpr auto Fields() {
    return std::tuple{
        Req("path", &Out::path),
        Req("entries", &Out::entries),
        Opt("total", &Out::total, "Entries of all pages; on the first page."),
        Opt("nextCursor", &Out::next_cursor, "There is more."),
        Opt("truncated", &Out::truncated, "The folder is too large to be seen whole."),
        Opt("unreadable", &Out::unreadable, "Folders that could not be read.")};
  }
};

class Listing {
 public:
  Listing(const Args& args, std::optional<base::Glob> glob, CallContext& context)
      : args_(args), glob_(std::move(glob)), context_(context) {}

  sandbox::Step Visit(const sandbox::WalkEntry& entry) {
    const bool hidden = entry.name.starts_with('.');
    if (hidden && !args_.include_hidden) return sandbox::Step::kOver;
    if (!entry.seen && Wanted(entry)) {
      more_ = Full();
      // Only the first page has a total, for which the rest is counted but not looked at.
      if (more_ && args_.cursor) return sandbox::Step::kStop;
      ++total_;
      if (!more_) Add(entry);
    }
    if (++visited_ % kProgressEvery == 0) context_.Progress(static_cast<double>(visited_));
    return sandbox::Step::kInto;
  }

  Out Finish(const sandbox::WalkEnd& end) {
    out_.path = args_.path;
    if (!args_.cursor && end.complete) out_.total = static_cast<std::int64_t>(total_);
    if (!end.complete) out_.truncated = true;
    if (end.unread > 0) out_.unreadable = static_cast<std::int64_t>(end.unread);
    if (more_) out_.next_cursor = base::ToBase64Url(last_);
    return std::move(out_);
  }

 private:
  bool Full() const { return out_.entries.size() >= static_cast<std::size_t>(args_.limit); }

  bool Wanted(const sandbox::WalkEntry& entry) const {
    if (args_.type && TypeOfEntry(entry.type) != *args_.type) return false;
    return !glob_ || glob_->Matches(sandbox::EncodePath(entry.relative));
  }

  void Add(const sandbox::WalkEntry& entry) {
    struct stat at {};
    // Gone again: not there.
    if (fstatat(entry.directory, entry.name.data(), &at, AT_SYMLINK_NOFOLLOW) != 0) {
      --total_;
      return;
    }
    Entry& added = out_.entries.emplace_back();
    added.name = sandbox::EncodePath(entry.relative);
    added.type = TypeOfMode(at.st_mode);
    if (added.type == FileType::kFile) added.size = at.st_size;
    added.modified = IsoTime(at.st_mtim);
    added.name_base64 = NameBase64(entry.relative);
    last_ = entry.relative;
  }

  const Args& args_;
  const std::optional<base::Glob> glob_;
  CallContext& context_;
  Out out_;
  std::uint64_t total_ = 0;
  std::uint64_t visited_ = 0;
  bool more_ = false;
  std::string last_;  // the last entry that was added
};

Result<Out> List(const FileServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kRead));
  std::optional<base::Glob> glob;
  if (args.glob) {
    ASSIGN_OR_RETURN(glob, base::Glob::ForPaths(*args.glob));
  }
  sandbox::WalkOptions options{.stop = context.stop_token()};
  options.max_depth =
      args.recursive
          ? static_cast<std::size_t>(args.depth.value_or(sandbox::WalkOptions::kMaxDepth))
          : 1;
  if (args.cursor) {
    const auto after = base::FromBase64Url(*args.cursor);
    if (!after || after->empty() || after->size() > sandbox::kMaxPath ||
        sandbox::NormalizePath(*after) != after)
      return Error::InvalidParams("cursor is not the nextCursor of a list; leave it out to start");
    options.after = *after;
  }
  Listing listing(args, std::move(glob), context);
  ASSIGN_OR_RETURN(const sandbox::WalkEnd end,
                   sandbox::Walk(*place.roots, place.location, options,
                                 [&](const auto& entry) { return listing.Visit(entry); }));
  return listing.Finish(end);
}

}  // namespace

Tool ListTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/list",
       .title = "List a folder",
       .description = "Lists a folder, or everything below it, with type, size and time, by name.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .result_chars = kResultChars},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return List(services, args, context);
      });
}

}  // namespace toolpost::tools::file
