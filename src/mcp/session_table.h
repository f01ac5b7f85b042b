// All legacy sessions of the process, by id.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_hash.h"
#include "mcp/session.h"

namespace toolpost::mcp {

struct Core;

// Thread-safe; sharded, so that look-ups of different sessions rarely meet.
class SessionTable {
 public:
  explicit SessionTable(Core& core) : core_(core) {}

  // Code::kUnavailable, naming the limit, when there are too many.
  Result<std::shared_ptr<Session>> Create(std::string_view transport, SharedPrincipal principal,
                                          const ToolView& view);
  // Enters a session that lives with its connection; not counted against the limit, never idle.
  void Adopt(const std::shared_ptr<Session>& session);
  // Null when unknown, ended, or of another principal.
  std::shared_ptr<Session> Find(std::string_view id, const Principal& principal) const;
  // Ends the session; false when there is none.
  bool Remove(std::string_view id);
  // Ends sessions idle for longer than `idle` that have no open stream of their own (transport
  // "http").
  // Also those whose credential was revoked, whatever their transport.
  void RemoveIdle(std::chrono::steady_clock::duration idle);
  void ForEach(const std::function<void(Session&)>& visit) const;
  std::vector<SessionRecord> List() const;
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  void CloseAll();

 private:
  using Map =
      std::unordered_map<std::string, std::shared_ptr<Session>, base::StringHash, std::equal_to<>>;
  struct Shard {
    mutable std::mutex mutex;
    Map sessions;
  };

  Shard& ShardOf(std::string_view id) const {
    return shards_[base::StringHash{}(id) % shards_.size()];
  }
  void Enter(const std::shared_ptr<Session>& session);
  void Ended(Session& session, std::string_view reason);

  Core& core_;
  std::atomic<std::size_t> size_{0};
  mutable std::array<Shard, 16> shards_;
};

}  // namespace toolpost::mcp
