// Opened without following links.
#include "tools/secret_line.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/strings.h"

namespace toolpost::tools {
namespace {

constexpr std::size_t kLongest = 1024;

}  // namespace

Result<std::string> ReadSecretLine(const std::string& directory, const std::string& name,
                                   std::string_view what) {
  const auto cannot_use = [&](std::string_view why) {
    return Error{Code::kConflict,
                 base::StrCat("The ", what, " file \"", name, "\" cannot be used: ", why),
                 {}};
  };
  const base::Descriptor file(open(base::StrCat(directory, "/", name).c_str(),
                                   O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return cannot_use(base::StrCat("there is no such file in the ", what, " directory"));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return cannot_use("others may read it; make it 0600");
  std::string text(kLongest + 1, '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  if (size < 0) return cannot_use("it cannot be read");
  text.resize(static_cast<std::size_t>(size));
  if (text.size() > kLongest) return cannot_use("it is too long");
  // The last character that is no line end; find_last_not_of wraps to 0 when there is none.
  text.resize(text.find_last_not_of("\r\n") + 1);
  if (text.empty()) return cannot_use("it is empty");
  if (text.find_first_of("\r\n") != std::string::npos) return cannot_use("it must hold one line");
  return text;
}

}  // namespace toolpost::tools
