// The API keys of the store, in memory, so that checking one never waits for a database.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "base/string_hash.h"
#include "store/api_keys.h"
#include "toolpost/context.h"

namespace toolpost::auth {

// What a stored key allows: admin keys have every scope, others those granted to them.
Grants GrantsOf(const store::ApiKey& key);

// Thread-safe. Changes made here are seen after Refresh(), changes by other processes and instances
// within half a second. A credential that was handed out is marked revoked when its key is revoked,
// deleted or changed, which also ends its use on connections that stay open.
class KeyRing {
 public:
  explicit KeyRing(std::shared_ptr<store::Store> store);
  ~KeyRing();

  // Loads the keys and starts watching the store.
  Result<void> Start();
  // Looks at the store now.
  Result<void> Refresh();

  struct Entry {
    store::ApiKey key;
    std::shared_ptr<Credential> credential;
  };
  // Null: no such key. Revoked and expired keys are found: their credential says so.
  std::shared_ptr<const Entry> Find(std::string_view id) const;
  // False when the store could not be read for so long (30 s) that a revocation may have been
  // missed.
  bool fresh() const;

 private:
  using Keys = std::unordered_map<std::string, std::shared_ptr<const Entry>, base::StringHash,
                                  std::equal_to<>>;

  void Watch(const std::stop_token& stop);
  Result<void> Load();

  const std::shared_ptr<store::Store> store_;
  std::mutex refreshing_;
  std::int64_t epoch_ = -1;  // guarded by refreshing_
  mutable std::mutex mutex_;
  std::shared_ptr<const Keys> keys_ = std::make_shared<const Keys>();
  std::atomic<std::chrono::steady_clock::time_point> read_at_{};
  std::condition_variable_any wake_;
  std::jthread watcher_;  // last: stops before the rest goes
};

}  // namespace toolpost::auth
