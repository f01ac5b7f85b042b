// An object that is made when the first thread needs it, without a lock.
#pragma once

#include <atomic>

namespace toolpost::mcp {

// What `slot` holds, made now if that is nothing. Threads that come at once may each make one; one
// of them stays. Whoever owns the slot deletes it.
template <typename T>
T& MadeOnce(std::atomic<T*>& slot) {
  T* present = slot.load(std::memory_order_acquire);
  if (present != nullptr) return *present;
  T* const made = new T;
  if (slot.compare_exchange_strong(present, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *present;
}

}  // namespace toolpost::mcp
