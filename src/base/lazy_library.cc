// dlopen on demand.
#include "base/lazy_library.h"

#include <dlfcn.h>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::base {

Result<void> LazyLibrary::Load() {
  const std::lock_guard lock(mutex_);
  if (handle_ != nullptr) return {};
  handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return {};
  const char* reason = dlerror();
  Log(Severity::kWarning, "library not loaded",
      {{"library", file_}, {"detail", std::string_view(reason != nullptr ? reason : "")}});
  return Error::Unavailable(StrCat("This needs ", file_,
                                   ", which is not on this machine. Install the Debian package ",
                                   package_, " and try again."));
}

Result<void*> LazyLibrary::Find(const char* name) {
  RETURN_IF_ERROR(Load());
  void* symbol = dlsym(handle_, name);
  if (symbol != nullptr) return symbol;
  return Error::Unavailable(StrCat(file_, " lacks ", name, ": install a newer ", package_));
}

}  // namespace toolpost::base
