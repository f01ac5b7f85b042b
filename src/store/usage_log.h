// Who used which API key when: written in batches by one thread, read by the usage-log tools.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace toolpost::store {

struct Usage {
  std::int64_t id = 0;  // given by the store
  std::string key_id;
  std::string user_id;
  base::WallTime at{};   // of the last of them
  std::string resource;  // canonical tool id, or the path of the request
  std::string method;    // JSON-RPC method, or the HTTP method
  std::string address;
  std::string user_agent;
  std::int64_t count = 1;  // calls this entry stands for

  bool operator==(const Usage&) const = default;
};

// One use, as it is reported. The texts are copied only for a new entry.
struct UsageNote {
  std::string_view key_id{};
  std::string_view user_id{};
  base::WallTime at{};
  std::string_view resource{};
  std::string_view method{};
  std::string_view address{};
  std::string_view user_agent{};
};

// Thread-safe. Record() never blocks and never touches the database: entries are written at most a
// second later, in batches that are one transaction each with the keys' last-used times, by a
// thread that starts with the first entry. A call is an entry; where hundreds of calls wait for the
// same batch, equal ones become one entry that counts them, there and in the batch after it, so
// that a busy key costs a row per second and not per call. Entries older than `keep` are removed
// once an hour. Texts are cut at 512 bytes, and what is not UTF-8 is replaced, so that no client
// can spoil a batch. When the database is away entries wait, at most 100,000; beyond that the
// oldest are dropped, counted and logged.
class UsageLog {
 public:
  explicit UsageLog(std::shared_ptr<Store> store,
                    std::chrono::seconds keep = std::chrono::hours(24 * 90));
  ~UsageLog();  // Flush(); what could not be written then is lost and logged
  UsageLog(const UsageLog&) = delete;
  UsageLog& operator=(const UsageLog&) = delete;

  void Record(const UsageNote& note);
  // Returns when everything recorded before is written or could not be.
  void Flush();
  std::uint64_t dropped() const;

  // Newest first, `limit` from 1 to 10,000, else Code::kInvalidArgument. Entries still waiting are
  // written first.
  Result<std::vector<Usage>> OfKey(std::string_view key_id, std::int64_t limit);
  Result<std::vector<Usage>> OfUser(std::string_view user_id, std::int64_t limit);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::store
