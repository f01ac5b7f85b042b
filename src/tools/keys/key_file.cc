// Small files, opened without following links.
#include "tools/keys/key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/strings.h"

namespace toolpost::tools::keys {
namespace {

constexpr std::size_t kLongest = 1024;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error CannotUse(const std::string& name, std::string_view why) {
  return Error{
      Code::kConflict, base::StrCat("The key file \"", name, "\" cannot be used: ", why), {}};
}

// Secrets may be sealed with the key at once, so its name must survive a crash as its text does.
bool SyncDirectories(const std::string& directory) {
  for (const std::string& path : {directory, directory + "/.."}) {
    const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() < 0 || fsync(folder.get()) != 0) return false;
  }
  return true;
}

std::string PathOf(const std::string& directory, const std::string& name) {
  return base::StrCat(directory, "/", name);
}

}  // namespace

Result<void> WriteKeyFile(const std::string& directory, const std::string& name,
                          std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(directory).parent_path(), ignored);
  if (mkdir(directory.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return CannotUse(name, "its directory cannot be made");
  const Descriptor file(open(PathOf(directory, name).c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             S_IRUSR | S_IWUSR));
  if (file.get() < 0)
    return CannotUse(
        name, errno == EEXIST ? "it exists already; choose another name" : "it cannot be created");
  const std::string line = base::StrCat(text, "\n");
  if (write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
      fsync(file.get()) != 0 || !SyncDirectories(directory)) {
    unlink(PathOf(directory, name).c_str());
    return CannotUse(name, "it cannot be written");
  }
  return {};
}

Result<std::string> ReadKeyFile(const std::string& directory, const std::string& name) {
  const Descriptor file(
      open(PathOf(directory, name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return CannotUse(name, "there is no such file in the key directory");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return CannotUse(name, "others may read it; make it 0600");
  std::string text(kLongest + 1, '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  if (size < 0) return CannotUse(name, "it cannot be read");
  text.resize(static_cast<std::size_t>(size));
  if (text.size() > kLongest) return CannotUse(name, "it is too long");
  // The last character that is no line end; find_last_not_of wraps to 0 when there is none.
  text.resize(text.find_last_not_of("\r\n") + 1);
  if (text.empty()) return CannotUse(name, "it is empty");
  if (text.find_first_of("\r\n") != std::string::npos)
    return CannotUse(name, "it must hold one line");
  return text;
}

}  // namespace toolpost::tools::keys
