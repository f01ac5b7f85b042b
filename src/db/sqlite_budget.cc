// The library's own allocator, with a count around it.
#include "db/sqlite_budget.h"

#include <cassert>

namespace toolpost::db {
namespace {

constexpr unsigned kAllocationsBetweenLooks = 256;

thread_local SqliteBudget* current = nullptr;
sqlite3_mem_methods original;

}  // namespace

// What SQLite calls.
struct SqliteAllocator {
  static void* Malloc(int size) {
    if (current != nullptr && !current->Allows(size)) return nullptr;
    void* const memory = original.xMalloc(size);
    if (current != nullptr && memory != nullptr) current->left_ -= original.xSize(memory);
    return memory;
  }
  static void* Realloc(void* old, int size) {
    const int before = current != nullptr ? original.xSize(old) : 0;
    if (current != nullptr && !current->Allows(size - before)) return nullptr;
    void* const memory = original.xRealloc(old, size);
    if (current != nullptr && memory != nullptr) current->left_ -= original.xSize(memory) - before;
    return memory;
  }
  static void Free(void* memory) {
    if (current != nullptr) current->left_ += original.xSize(memory);
    original.xFree(memory);
  }
};

SqliteBudget::SqliteBudget(std::int64_t bytes, Time deadline)
    : bytes_(bytes), left_(bytes), deadline_(deadline) {
  assert(current == nullptr);
  current = this;
}

SqliteBudget::~SqliteBudget() { current = nullptr; }

bool SqliteBudget::Late() {
  return current != nullptr && std::chrono::steady_clock::now() >= current->deadline_;
}

bool SqliteBudget::Spent() {
  return current != nullptr && (current->spent_ || current->left_ < current->bytes_ / 2);
}

bool SqliteBudget::Allows(std::int64_t bytes) {
  spent_ = spent_ || bytes > left_;
  return bytes <= left_ && (++allocations_ % kAllocationsBetweenLooks != 0 || !Late());
}

bool SqliteBudget::Install(decltype(sqlite3_config)* config) {
  if (config(SQLITE_CONFIG_GETMALLOC, &original) != SQLITE_OK) return false;
  sqlite3_mem_methods counting = original;
  counting.xMalloc = &SqliteAllocator::Malloc;
  counting.xRealloc = &SqliteAllocator::Realloc;
  counting.xFree = &SqliteAllocator::Free;
  return config(SQLITE_CONFIG_MALLOC, &counting) == SQLITE_OK;
}

}  // namespace toolpost::db
