// At most one `toolpost serve` per state directory.
#pragma once

#include <string>

#include "toolpost/result.h"

namespace toolpost::store {

// A lock on the file serve.lock (0600), whose first line is the number of the process that took it
// last. The kernel drops the lock with the process, however it ends. A child that does not exec
// would share it: close descriptors there. Not thread-safe.
class ServingLock {
 public:
  ServingLock() = default;
  ~ServingLock();
  ServingLock(const ServingLock&) = delete;
  ServingLock& operator=(const ServingLock&) = delete;

  // Code::kConflict, naming the process, when another holds it. Taking it again is fine.
  Result<void> Take(const std::string& directory);

 private:
  int descriptor_ = -1;
};

}  // namespace toolpost::store
