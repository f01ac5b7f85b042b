// file/edit: replaces exact pieces of text in a file.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/file/content.h"
#include "tools/file/diff.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"
#include "tools/file/write_file.h"

namespace toolpost::tools::file {
namespace {

struct Replacement {
  std::string old_text;
  std::string new_text;
  bool all = false;
  static constexpr auto Fields() {
    return std::tuple{Req("oldText", &Replacement::old_text).MinLength(1),
                      Req("newText", &Replacement::new_text),
                      Opt("all", &Replacement::all, "Every occurrence.")};
  }
};

struct Args {
  std::string path;
  std::vector<Replacement> edits;
  bool dry_run = false;
  std::optional<std::string> if_match;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Args::path, "Text file."),
                      Req("edits", &Args::edits, "One after the other; oldText must occur once.")
                          .MinItems(1)
                          .MaxItems(200),
                      Opt("dryRun", &Args::dry_run, "Only show the diff."),
                      Opt("ifMatch", &Args::if_match, "SHA-256 the file must have now.")};
  }
};

struct Out {
  std::string path;
  std::int64_t replacements = 0;
  std::string diff;
  std::int64_t size = 0;
  std::string sha256;
  std::string modified;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Out::path),
                      Req("replacements", &Out::replacements),
                      Req("diff", &Out::diff, "Unified."),
                      Req("size", &Out::size),
                      Req("sha256", &Out::sha256, "Afterwards."),
                      Req("modified", &Out::modified)};
  }
};

std::vector<std::size_t> Occurrences(std::string_view text, std::string_view piece) {
  std::vector<std::size_t> found;
  for (std::size_t at = text.find(piece); at != std::string_view::npos;
       at = text.find(piece, at + piece.size()))
    found.push_back(at);
  return found;
}

// "12, 40 and 2 more"
std::string LinesOf(std::string_view text, const std::vector<std::size_t>& places) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(places.size(), kShown); ++i) {
    const auto before = text.substr(0, places[i]);
    out.append(base::StrCat(i == 0 ? "" : ", ", 1 + std::ranges::count(before, '\n')));
  }
  if (places.size() > kShown) out.append(base::StrCat(" and ", places.size() - kShown, " more"));
  return out;
}

Error NotThere(std::string_view text, const Replacement& edit, std::size_t number) {
  std::string message = base::StrCat("oldText of edit ", number,
                                     " does not occur in the file; it must match exactly, with "
                                     "white space. Nothing was changed");
  if (text.find("\r\n") != std::string_view::npos &&
      edit.old_text.find('\n') != std::string::npos &&
      edit.old_text.find('\r') == std::string::npos)
    message.append(". The lines of this file end in CR LF (\\r\\n)");
  return {Code::kConflict, std::move(message), {}};
}

Result<std::string> Apply(const std::string& old, const std::vector<Replacement>& edits,
                          std::int64_t& replacements) {
  if (!base::IsValidUtf8(old))
    return Error::InvalidParams("The file is not UTF-8 text; write it as a whole instead");
  std::string text = old;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Replacement& edit = edits[i];
    const std::vector<std::size_t> places = Occurrences(text, edit.old_text);
    if (places.empty()) return NotThere(text, edit, i + 1);
    if (places.size() > 1 && !edit.all) {
      return Error{Code::kConflict,
                   base::StrCat("oldText of edit ", i + 1, " occurs ", places.size(),
                                " times (lines ", LinesOf(text, places),
                                "); give more of the text around it, or set all. Nothing was "
                                "changed"),
                   {}};
    }
    std::string next;
    next.reserve(text.size());
    std::size_t done = 0;
    for (const std::size_t at : places) {
      next.append(text, done, at - done).append(edit.new_text);
      done = at + edit.old_text.size();
    }
    next.append(text, done);
    text = std::move(next);
    replacements += static_cast<std::int64_t>(places.size());
  }
  return text;
}

Result<Out> EditFile(const FileServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kWrite));
  Out out{.path = args.path};
  ASSIGN_OR_RETURN(const Written written,
                   RewriteFile(services, place, args.dry_run, args.if_match,
                               [&](const std::string& old) -> Result<std::string> {
                                 ASSIGN_OR_RETURN(std::string text,
                                                  Apply(old, args.edits, out.replacements));
                                 out.diff = UnifiedDiff(old, text);
                                 out.size = static_cast<std::int64_t>(text.size());
                                 out.sha256 = Digest(text);
                                 return text;
                               }));
  out.modified = IsoTime(written.at.st_mtim);
  return out;
}

}  // namespace

Tool EditTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/edit",
       .title = "Edit a file",
       .description = "Replaces exact pieces of text in a file, all or none, and returns the diff.",
       .hints =
           {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return EditFile(services, args, context);
      });
}

}  // namespace toolpost::tools::file
