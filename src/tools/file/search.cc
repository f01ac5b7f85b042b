// file/search: finds text in files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/glob.h"
#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/path_text.h"
#include "sandbox/walk.h"
#include "tools/file/file.h"
#include "tools/file/place.h"
#include "tools/file/text_search.h"

namespace toolpost::tools::file {
namespace {

constexpr std::int64_t kDefaultResults = 100;
constexpr std::int64_t kMaxResults = 10'000;
constexpr std::size_t kResultChars = std::size_t{64} << 20;
constexpr std::chrono::milliseconds kProgressEvery{200};

struct Args {
  std::string pattern;
  std::string path = ".";
  bool regex = false;
  bool ignore_case = false;
  std::optional<std::string> glob;
  bool include_hidden = false;
  std::int64_t max_results = kDefaultResults;
  static constexpr auto Fields() {
    return std::tuple{
        Req("pattern", &Args::pattern, "Text in one line.").MinLength(1).MaxLength(10'000),
        Opt("path", &Args::path, "File or folder.").Default("."),
        Opt("regex", &Args::regex, "The pattern is a regular expression."),
        Opt("ignoreCase", &Args::ignore_case, "Ignore case."),
        Opt("glob", &Args::glob, "Only these files, such as *.cc."),
        Opt("includeHidden", &Args::include_hidden, "Also names with a leading dot."),
        Opt("maxResults", &Args::max_results, "Lines.")
            .Range(1, kMaxResults)
            .Default(kDefaultResults)};
  }
};

struct Match {
  std::string path;
  std::int64_t line = 0;
  std::string text;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Match::path), Req("line", &Match::line),
                      Req("text", &Match::text, "The line, cut if it is long.")};
  }
};

struct Out {
  std::vector<Match> matches;
  std::int64_t files_searched = 0;
  std::int64_t files_matched = 0;
  std::optional<std::int64_t> binary_skipped;
  std::optional<bool> truncated;
  static constexpr auto Fields() {
    return std::tuple{Req("matches", &Out::matches), Req("filesSearched", &Out::files_searched),
                      Req("filesMatched", &Out::files_matched),
                      Opt("binarySkipped", &Out::binary_skipped, "Files that are no text."),
                      Opt("truncated", &Out::truncated, "There may be more.")};
  }
};

class Search {
 public:
  Search(const Args& args, LineMatcher matcher, std::optional<base::Glob> glob,
         CallContext& context)
      : args_(args),
        matcher_(std::move(matcher)),
        glob_(std::move(glob)),
        context_(context),
        stop_(context.stop_token()) {}

  sandbox::Step Visit(const sandbox::WalkEntry& entry) {
    if (entry.name.starts_with('.') && !args_.include_hidden) return sandbox::Step::kOver;
    if (entry.type == DT_DIR) return sandbox::Step::kInto;
    if (entry.type != DT_REG) return sandbox::Step::kOver;
    const std::string text = sandbox::EncodePath(entry.relative);
    if (glob_ && !glob_->Matches(text)) return sandbox::Step::kOver;
    // The walk saw a regular file; what is opened must be one too.
    const sandbox::Descriptor file(
        openat(entry.directory, entry.name.data(),
               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat at {};
    if (file && fstat(file.get(), &at) == 0 && S_ISREG(at.st_mode))
      File(file.get(), sandbox::JoinPath(args_.path == "." ? "" : args_.path, text));
    return Full() || stop_.stop_requested() ? sandbox::Step::kStop : sandbox::Step::kInto;
  }

  void File(int fd, const std::string& path) {
    const std::size_t before = out_.matches.size();
    const bool text = SearchLines(fd, matcher_, stop_, [&](std::int64_t line, std::string shown) {
      out_.matches.push_back({path, line, std::move(shown)});
      return !Full();
    });
    ++out_.files_searched;
    if (!text) out_.binary_skipped = out_.binary_skipped.value_or(0) + 1;
    if (out_.matches.size() > before) ++out_.files_matched;
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ < kProgressEvery) return;
    reported_ = now;
    context_.Progress(static_cast<double>(out_.files_searched), {},
                      base::StrCat(out_.matches.size(), " matches"));
  }

  bool Full() const { return out_.matches.size() >= static_cast<std::size_t>(args_.max_results); }

  Result<Out> Finish(bool complete) {
    if (stop_.stop_requested()) return Error::Cancelled();
    if (Full() || !complete) out_.truncated = true;
    return std::move(out_);
  }

 private:
  const Args& args_;
  const LineMatcher matcher_;
  const std::optional<base::Glob> glob_;
  CallContext& context_;
  const std::stop_token stop_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
  Out out_;
};

Result<Out> Run(const FileServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kRead));
  ASSIGN_OR_RETURN(LineMatcher matcher,
                   LineMatcher::Make(args.pattern, args.regex, args.ignore_case));
  std::optional<base::Glob> glob;
  if (args.glob) {
    ASSIGN_OR_RETURN(glob, base::Glob::ForPaths(*args.glob));
  }
  Search search(args, std::move(matcher), std::move(glob), context);
  ASSIGN_OR_RETURN(const sandbox::OpenFile start, sandbox::Pin(*place.roots, place.location));
  if (!S_ISDIR(start.at.st_mode)) {
    ASSIGN_OR_RETURN(const sandbox::OpenFile file,
                     sandbox::OpenRegular(*place.roots, place.location));
    search.File(file.descriptor.get(), args.path);
    return search.Finish(true);
  }
  ASSIGN_OR_RETURN(const sandbox::WalkEnd end,
                   sandbox::Walk(*place.roots, place.location, {.stop = context.stop_token()},
                                 [&](const auto& entry) { return search.Visit(entry); }));
  return search.Finish(end.complete);
}

}  // namespace

Tool SearchTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/search",
       .title = "Search in files",
       .description = "Finds lines with a text or regular expression (RE2) in the files below a "
                      "folder.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .result_chars = kResultChars},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Run(services, args, context);
      });
}

}  // namespace toolpost::tools::file
