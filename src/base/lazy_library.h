// A shared library that is loaded when first needed, so that a process that never calls it pays
// nothing for it and a machine that lacks it can run everything else.
#pragma once

#include <mutex>
#include <string>

#include "toolpost/result.h"

namespace toolpost::base {

// Thread-safe. Never unloads: code of the library may run in threads of its own.
class LazyLibrary {
 public:
  // `file` is the run-time name ("libpq.so.5"), `package` what to install when it is missing.
  LazyLibrary(std::string file, std::string package)
      : file_(std::move(file)), package_(std::move(package)) {}

  // Code::kUnavailable, naming the package to install, when the library cannot be loaded.
  Result<void> Load();
  // Sets `function` to the symbol; Load() first.
  template <typename Function>
  Result<void> Resolve(const char* name, Function*& function) {
    ASSIGN_OR_RETURN(void* symbol, Find(name));
    function = reinterpret_cast<Function*>(symbol);
    return {};
  }

 private:
  Result<void*> Find(const char* name);

  const std::string file_;
  const std::string package_;
  std::mutex mutex_;
  void* handle_ = nullptr;
};

}  // namespace toolpost::base
