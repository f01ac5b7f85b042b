// Small files, opened without following links.
#include "tools/keys/key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/descriptor.h"
#include "base/strings.h"
#include "tools/secret_line.h"

namespace toolpost::tools::keys {
namespace {

Error CannotUse(const std::string& name, std::string_view why) {
  return Error{
      Code::kConflict, base::StrCat("The key file \"", name, "\" cannot be used: ", why), {}};
}

// Secrets may be sealed with the key at once, so its name must survive a crash as its text does.
bool SyncDirectories(const std::string& directory) {
  for (const std::string& path : {directory, directory + "/.."}) {
    const base::Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
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
  const base::Descriptor file(open(PathOf(directory, name).c_str(),
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
  return ReadSecretLine(directory, name, "key");
}

}  // namespace toolpost::tools::keys
