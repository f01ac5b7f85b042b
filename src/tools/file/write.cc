// file/write: creates, replaces or extends a file.
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "tools/file/content.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"
#include "tools/file/write_file.h"

namespace toolpost::tools::file {
namespace {

struct Args {
  std::string path;
  std::string content;
  Encoding encoding = Encoding::kUtf8;
  bool create_directories = true;
  bool append = false;
  std::optional<std::string> if_match;
  static constexpr auto Fields() {
    return std::tuple{
        Req("path", &Args::path, "File."),
        Req("content", &Args::content, "All of it."),
        Opt("encoding", &Args::encoding, "Of the content.").Default(Encoding::kUtf8),
        Opt("createDirectories", &Args::create_directories, "Make missing folders.").Default(true),
        Opt("append", &Args::append, "Add to the end."),
        Opt("ifMatch", &Args::if_match,
            "SHA-256 the file must have now; \"none\": must not exist.")};
  }
};

struct Out {
  std::string path;
  std::int64_t size = 0;
  Encoding encoding = Encoding::kUtf8;
  bool replaced = false;
  std::optional<std::string> sha256;
  std::optional<std::string> created;
  std::string modified;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Out::path),
                      Req("size", &Out::size, "Bytes."),
                      Req("encoding", &Out::encoding),
                      Req("replaced", &Out::replaced, "There was a file before."),
                      Opt("sha256", &Out::sha256),
                      Opt("created", &Out::created),
                      Req("modified", &Out::modified)};
  }
};

Result<Out> Write(const FileServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kWrite));
  ASSIGN_OR_RETURN(const std::string bytes, DecodeContent(args.content, args.encoding));
  if (context.Cancelled()) return Error::Cancelled();
  ASSIGN_OR_RETURN(Written written, WriteContent(services, place, bytes, args.append,
                                                 args.create_directories, args.if_match));
  Out out{.path = args.path,
          .size = written.at.st_size,
          .encoding = args.encoding,
          .replaced = written.replaced,
          .created = std::move(written.created),
          .modified = IsoTime(written.at.st_mtim)};
  if (!args.append || !written.replaced) out.sha256 = Digest(bytes);
  return out;
}

}  // namespace

Tool WriteTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/write",
       .title = "Write a file",
       .description = "Creates a file or replaces it as a whole, atomically.",
       .hints =
           {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Write(services, args, context);
      });
}

}  // namespace toolpost::tools::file
