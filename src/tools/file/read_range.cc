// pread in blocks.
#include "tools/file/read_range.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/strings.h"
#include "sandbox/file_error.h"

namespace toolpost::tools::file {
namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;
constexpr std::size_t kLongestSequence = 4;

// Reads up to `size` bytes at `offset`; fewer only at the end of the file.
Result<std::size_t> ReadAt(int fd, char* buffer, std::size_t size, std::uint64_t offset,
                           std::string_view given) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(fd, buffer + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return sandbox::FileError(errno, given);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// 0 for files that do not know theirs.
std::uint64_t SizeOf(int fd) {
  struct stat at {};
  return fstat(fd, &at) == 0 && at.st_size > 0 ? static_cast<std::uint64_t>(at.st_size) : 0;
}

// Room to read a file in blocks; no more than it fills.
std::vector<char> BlockFor(int fd) {
  constexpr std::uint64_t kLeast = 4096;
  const std::uint64_t fitting = std::max(kLeast, SizeOf(fd) + 1);
  return std::vector<char>(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, fitting)));
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Result<Range> ReadBytes(int fd, std::uint64_t offset, std::uint64_t length, std::string_view given,
                        const std::stop_token& stop) {
  Range range{.offset = offset};
  const std::uint64_t size = SizeOf(fd);
  const std::uint64_t there = size > offset ? size - offset : 0;
  range.bytes.reserve(static_cast<std::size_t>(std::min(there, length) + 1));
  // One byte more than wanted tells whether there is more.
  while (range.bytes.size() <= length) {
    if (stop.stop_requested()) return Error::Cancelled();
    const std::size_t have = range.bytes.size();
    const std::uint64_t next = there >= have ? there - have + 1 : kBlock;
    const auto want =
        static_cast<std::size_t>(std::min({next, std::uint64_t{kBlock}, length + 1 - have}));
    range.bytes.resize(have + want);
    ASSIGN_OR_RETURN(const std::size_t got,
                     ReadAt(fd, range.bytes.data() + have, want, offset + have, given));
    range.bytes.resize(have + got);
    if (got < want) break;
  }
  range.more = range.bytes.size() > length;
  if (range.more) range.bytes.pop_back();
  return range;
}

namespace {

// Gathers lines from consecutive blocks.
class LineReader {
 public:
  LineReader(std::int64_t first, std::int64_t last, std::uint64_t limit)
      : first_(first), last_(last), limit_(limit) {}

  // False when nothing more is needed.
  bool Take(std::string_view block, std::uint64_t offset) {
    const char* at = block.data();
    const char* const end = at + block.size();
    while (at < end) {
      if (line_ > last_ || out_.cut) {
        out_.range.more = true;
        return false;
      }
      const auto* const newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      const char* const next = newline == nullptr ? end : newline + 1;
      if (line_ >= first_) Keep({at, next}, offset + static_cast<std::uint64_t>(at - block.data()));
      if (newline != nullptr) {
        ++line_;
        whole_ = out_.range.bytes.size();
      }
      at = next;
    }
    return true;
  }

  LineRange Finish() {
    std::string& bytes = out_.range.bytes;
    // Cut after a whole line, if there is one.
    if (out_.cut && whole_ > 0) bytes.resize(std::min(bytes.size(), whole_));
    if (out_.cut) out_.range.more = true;
    out_.first = first_;
    out_.count = std::ranges::count(bytes, '\n');
    if (!bytes.empty() && bytes.back() != '\n') ++out_.count;
    return std::move(out_);
  }

 private:
  void Keep(std::string_view part, std::uint64_t offset) {
    std::string& bytes = out_.range.bytes;
    if (bytes.empty()) out_.range.offset = offset;
    const std::uint64_t room = limit_ - bytes.size();
    bytes.append(
        part.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(room, part.size()))));
    if (part.size() > room) out_.cut = true;
  }

  const std::int64_t first_;
  const std::int64_t last_;
  const std::uint64_t limit_;
  std::int64_t line_ = 1;  // the line that comes next
  std::size_t whole_ = 0;  // kept bytes up to the last line end
  LineRange out_;
};

}  // namespace

Result<LineRange> ReadLines(int fd, std::int64_t first, std::int64_t last, std::uint64_t limit,
                            std::string_view given, const std::stop_token& stop) {
  LineReader reader(first, last, limit);
  std::vector<char> block = BlockFor(fd);
  for (std::uint64_t offset = 0;;) {
    if (stop.stop_requested()) return Error::Cancelled();
    ASSIGN_OR_RETURN(const std::size_t got, ReadAt(fd, block.data(), block.size(), offset, given));
    if (!reader.Take({block.data(), got}, offset) || got < block.size()) return reader.Finish();
    offset += got;
  }
}

Result<std::uint64_t> FindTail(int fd, std::uint64_t size, std::int64_t count,
                               std::string_view given, const std::stop_token& stop) {
  std::vector<char> block = BlockFor(fd);
  std::uint64_t end = size;
  while (end > 0) {
    if (stop.stop_requested()) return Error::Cancelled();
    const std::uint64_t begin = end - std::min<std::uint64_t>(block.size(), end);
    ASSIGN_OR_RETURN(const std::size_t got,
                     ReadAt(fd, block.data(), static_cast<std::size_t>(end - begin), begin, given));
    std::string_view text(block.data(), got);
    if (end == size && text.ends_with('\n')) text.remove_suffix(1);
    for (std::size_t at = text.rfind('\n'); at != std::string_view::npos; at = text.rfind('\n')) {
      if (--count == 0) return begin + at + 1;
      text.remove_suffix(text.size() - at);
    }
    end = begin;
  }
  return 0;
}

void TrimToCharacters(Range& range) {
  std::string& bytes = range.bytes;
  std::size_t lead = 0;
  while (range.offset > 0 && lead < bytes.size() && lead < kLongestSequence - 1 &&
         IsContinuation(bytes[lead]))
    ++lead;
  bytes.erase(0, lead);
  range.offset += lead;
  if (!range.more) return;
  std::size_t at = bytes.size();
  while (at > 0 && bytes.size() - at < kLongestSequence) {
    --at;
    if (IsContinuation(bytes[at])) continue;
    const char* const end = bytes.data() + bytes.size();
    const auto lead_byte = static_cast<unsigned char>(bytes[at]);
    if (lead_byte >= 0xC0 && base::Utf8SequenceLength(bytes.data() + at, end) == 0)
      bytes.resize(at);
    return;
  }
}

}  // namespace toolpost::tools::file
