// Finding and reading the configuration file.
#include "config/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/strings.h"

namespace toolpost::config {
namespace {

constexpr std::string_view kFileName = "toolpost.toml";

std::string_view Variable(const Sources& sources, std::string_view name) {
  const auto found = sources.environment.find(name);
  return found == sources.environment.end() ? std::string_view() : std::string_view(found->second);
}

bool Exists(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

Error Unreadable(std::string_view what, const std::string& path, std::string_view why) {
  return {Code::kInvalidArgument, base::StrCat("Cannot read the ", what, " ", path, ": ", why), {}};
}

std::string Reason(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string FindFile(const Sources& sources) {
  if (!sources.config_file.empty()) return sources.config_file;
  std::vector<std::filesystem::path> candidates;
  candidates.push_back(
      (std::filesystem::path(sources.working_directory) / kFileName).lexically_normal());
  const std::string_view xdg = Variable(sources, "XDG_CONFIG_HOME");
  const std::string_view home = Variable(sources, "HOME");
  // The XDG specification: relative paths are to be ignored.
  if (xdg.starts_with('/')) {
    candidates.push_back(std::filesystem::path(xdg) / "toolpost" / kFileName);
  } else if (!home.empty()) {
    candidates.push_back(std::filesystem::path(home) / ".config" / "toolpost" / kFileName);
  }
  for (const auto& candidate : candidates) {
    if (Exists(candidate)) return candidate.string();
  }
  return {};
}

Result<std::string> ReadText(const std::string& path, std::string_view what) {
  const auto cannot_read = [&](std::string_view why) { return Unreadable(what, path, why); };
  // Non-blocking, so that a FIFO is refused below instead of waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    const bool missing = errno == ENOENT;
    Error error = cannot_read(Reason(errno));
    if (missing) error.code = Code::kNotFound;
    return error;
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return cannot_read(Reason(errno));
  if (!S_ISREG(info.st_mode)) return cannot_read("it is not a regular file");
  std::string text;
  char buffer[16 * 1024];
  while (true) {
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read(Reason(errno));
    if (count == 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > kMaxFileBytes) {
      return cannot_read(base::StrCat("it is larger than ", FormatSize(kMaxFileBytes)));
    }
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

bool IsReadableByOthers(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && (info.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

}  // namespace toolpost::config
