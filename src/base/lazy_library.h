// A shared library that is loaded when first needed, so that a process that never calls it pays
// nothing for it and a machine that lacks it can run everything else.
#pragma once

#include <memory>
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

// The functions of a library: filled in by the first call that succeeds, then the same table for
// everybody, never freed.
template <typename Table>
Result<const Table*> LoadOnce(Result<void> (*fill)(Table&)) {
  static std::mutex mutex;
  static const Table* loaded = nullptr;
  const std::lock_guard lock(mutex);
  if (loaded != nullptr) return loaded;
  auto table = std::make_unique<Table>();
  RETURN_IF_ERROR(fill(*table));
  loaded = table.release();
  return loaded;
}

}  // namespace toolpost::base
