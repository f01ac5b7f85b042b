// file/read: content of a file, or a part of it.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "tools/file/content.h"
#include "tools/file/file.h"
#include "tools/file/metadata.h"
#include "tools/file/place.h"
#include "tools/file/read_range.h"

namespace toolpost::tools::file {
namespace {

// Explicit ranges may be large: the budget of other results does not apply to them.
constexpr std::size_t kResultChars = std::size_t{4} << 30;

struct Args {
  std::string path;
  Encoding encoding = Encoding::kUtf8;
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;
  std::optional<std::int64_t> start_line;
  std::optional<std::int64_t> end_line;
  static constexpr auto Fields() {
    return std::tuple{
        Req("path", &Args::path, "File."),
        Opt("encoding", &Args::encoding, "Of the content.").Default(Encoding::kUtf8),
        Opt("offset", &Args::offset, "First byte.").Min(0),
        Opt("length", &Args::length, "Bytes.").Min(0),
        Opt("startLine", &Args::start_line, "First line, from 1; negative: the last N lines."),
        Opt("endLine", &Args::end_line, "Last line.").Min(1)};
  }
};

struct Out {
  std::string path;
  std::string content;
  Encoding encoding = Encoding::kUtf8;
  std::int64_t size = 0;
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::optional<std::int64_t> start_line;
  std::optional<std::int64_t> end_line;
  std::optional<bool> truncated;
  std::optional<std::int64_t> next_offset;
  std::optional<std::int64_t> next_line;
  std::optional<std::string> sha256;
  std::optional<std::string> created;
  std::string modified;
  static constexpr auto Fields() {
    return std::tuple{Req("path", &Out::path),
                      Req("content", &Out::content),
                      Req("encoding", &Out::encoding),
                      Req("size", &Out::size, "Of the whole file, in bytes."),
                      Req("offset", &Out::offset, "Of the content."),
                      Req("length", &Out::length, "Of the content, in bytes."),
                      Opt("startLine", &Out::start_line),
                      Opt("endLine", &Out::end_line),
                      Opt("truncated", &Out::truncated, "There is more."),
                      Opt("nextOffset", &Out::next_offset, "The offset that goes on."),
                      Opt("nextLine", &Out::next_line, "The startLine that goes on."),
                      Opt("sha256", &Out::sha256, "Of a file that was read whole."),
                      Opt("created", &Out::created),
                      Req("modified", &Out::modified)};
  }
};

Result<void> CheckRange(const Args& args) {
  if (args.start_line && *args.start_line == 0)
    return Error::InvalidParams("startLine counts from 1; negative numbers count from the end");
  const bool lines = args.start_line || args.end_line;
  if (lines && (args.offset != 0 || args.length))
    return Error::InvalidParams("Give either offset and length or startLine and endLine");
  if (args.start_line && *args.start_line < 0 && args.end_line)
    return Error::InvalidParams("A negative startLine reads to the end; leave endLine out");
  if (args.end_line && args.start_line.value_or(1) > *args.end_line)
    return Error::InvalidParams("endLine is before startLine");
  return {};
}

std::uint64_t SizeOf(const sandbox::OpenFile& file) {
  return static_cast<std::uint64_t>(file.at.st_size);
}

// Bytes asked for without a length fit in one result; what is asked for explicitly is only bounded
// by the largest read.
std::uint64_t DefaultLength(const FileServices& services, Encoding encoding) {
  const std::uint64_t page = encoding == Encoding::kUtf8     ? services.page_bytes
                             : encoding == Encoding::kBase64 ? services.page_bytes / 4 * 3
                                                             : services.page_bytes / 2;
  return std::min(page, services.max_read);
}

Result<Range> ByOffset(const FileServices& services, const Args& args,
                       const sandbox::OpenFile& file, const std::stop_token& stop) {
  const std::uint64_t length =
      args.length ? std::min(static_cast<std::uint64_t>(*args.length), services.max_read)
                  : DefaultLength(services, args.encoding);
  ASSIGN_OR_RETURN(Range range,
                   ReadBytes(file.descriptor.get(), static_cast<std::uint64_t>(args.offset), length,
                             args.path, stop));
  if (args.encoding == Encoding::kUtf8) TrimToCharacters(range);
  return range;
}

Result<Range> ByLine(const FileServices& services, const Args& args, const sandbox::OpenFile& file,
                     const std::stop_token& stop, Out& out) {
  const int fd = file.descriptor.get();
  const std::uint64_t limit =
      args.end_line ? services.max_read : DefaultLength(services, args.encoding);
  if (args.start_line.value_or(1) < 0) {
    ASSIGN_OR_RETURN(const std::uint64_t begin,
                     FindTail(fd, SizeOf(file), -*args.start_line, args.path, stop));
    ASSIGN_OR_RETURN(Range range, ReadBytes(fd, begin, limit, args.path, stop));
    TrimToCharacters(range);
    return range;
  }
  const std::int64_t last = args.end_line.value_or(std::numeric_limits<std::int64_t>::max());
  ASSIGN_OR_RETURN(LineRange lines,
                   ReadLines(fd, args.start_line.value_or(1), last, limit, args.path, stop));
  out.start_line = lines.first;
  out.end_line = lines.first + lines.count - 1;
  if (args.encoding == Encoding::kUtf8) TrimToCharacters(lines.range);
  if (lines.range.more && lines.range.bytes.ends_with('\n')) out.next_line = *out.end_line + 1;
  return std::move(lines.range);
}

Result<Out> Read(const FileServices& services, const Args& args, CallContext& context) {
  RETURN_IF_ERROR(CheckRange(args));
  ASSIGN_OR_RETURN(const Place place,
                   Resolve(services, context, args.path, sandbox::Access::kRead));
  ASSIGN_OR_RETURN(const sandbox::OpenFile file,
                   sandbox::OpenRegular(*place.roots, place.location));
  Out out{.path = args.path, .encoding = args.encoding};
  const std::stop_token stop = context.stop_token();
  ASSIGN_OR_RETURN(Range range, args.start_line || args.end_line
                                    ? ByLine(services, args, file, stop, out)
                                    : ByOffset(services, args, file, stop));
  out.offset = static_cast<std::int64_t>(range.offset);
  out.length = static_cast<std::int64_t>(range.bytes.size());
  out.size = std::max<std::int64_t>(file.at.st_size, out.length > 0 ? out.offset + out.length : 0);
  if (range.more) {
    out.truncated = true;
    out.next_offset = out.offset + out.length;
  } else if (out.offset == 0) {
    out.sha256 = Digest(range.bytes);
  }
  out.modified = IsoTime(file.at.st_mtim);
  out.created = CreatedTime(file.descriptor.get());
  ASSIGN_OR_RETURN(out.content,
                   EncodeContent(std::move(range.bytes), args.encoding, args.path, range.offset));
  return out;
}

}  // namespace

Tool ReadTool(FileServices services) {
  return MakeTool<Args, Out>(
      {.name = "file/read",
       .title = "Read a file",
       .description = "Reads a file or part of it. Binary files need base64 or hex. A long file "
                      "comes in parts: go on at nextOffset or nextLine.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .result_chars = kResultChars},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Read(services, args, context);
      });
}

}  // namespace toolpost::tools::file
