// Escaped text, first in memory, then in an unnamed file.
#include "base/long_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/json_write.h"
#include "base/log.h"

namespace toolpost::base {
namespace {

constexpr std::size_t kInMemory = std::size_t{256} << 10;

Error Failed(std::string_view step) {
  Log(Severity::kWarning, "cannot keep a long text",
      {{"step", step}, {"reason", std::strerror(errno)}});
  return Error::Unavailable(
      "The result is too long for memory and could not be kept on disk: select less, or ask the "
      "operator to look at the server log");
}

int OpenUnnamed(const std::string& directory) {
  const int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name = directory + "/long-text-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

LongText::~LongText() {
  if (file_ >= 0) close(file_);
}

Result<void> LongText::Append(std::string_view text) {
  AppendJsonString(quoted_, text);
  tail_.append(quoted_, 1, quoted_.size() - 2);
  quoted_.clear();
  return tail_.size() < kInMemory ? Result<void>() : Spill();
}

Result<void> LongText::Spill() {
  if (file_ < 0) {
    std::error_code ignored;  // opening says it better
    std::filesystem::create_directories(directory_, ignored);
    file_ = OpenUnnamed(directory_);
    if (file_ < 0) return Failed("create file");
  }
  std::string_view rest = tail_;
  while (!rest.empty()) {
    const ssize_t written = write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Failed("write file");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  in_file_ += tail_.size();
  tail_.clear();
  return {};
}

bool LongText::ReadJson(std::uint64_t offset, std::span<char> out) const {
  while (!out.empty() && offset < in_file_) {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), in_file_ - offset));
    const ssize_t got = pread(file_, out.data(), wanted, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  if (out.empty()) return true;
  const std::uint64_t start = offset - in_file_;
  if (start > tail_.size() || tail_.size() - start < out.size()) return false;
  std::memcpy(out.data(), tail_.data() + start, out.size());
  return true;
}

}  // namespace toolpost::base
