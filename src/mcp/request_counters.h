// Counters of requests, all together and by method, and of sessions.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mcp/operation_counters.h"
#include "mcp/thread_number.h"

namespace toolpost::mcp {

// Thread-safe; Count() and Record() never wait. Methods that are not MCP's are counted together.
class RequestCounters {
 public:
  static constexpr std::string_view kOther = "_other";

  RequestCounters() = default;
  ~RequestCounters();
  RequestCounters(const RequestCounters&) = delete;
  RequestCounters& operator=(const RequestCounters&) = delete;

  // One request was answered (PRD FR-001.5). It failed if the answer is an error or a result with
  // `isError`, and if the client cancelled it.
  void Count(bool success) {
    Shard& shard = shards_[ThreadNumber() % shards_.size()];
    shard.total.fetch_add(1, std::memory_order_relaxed);
    if (!success) shard.failed.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t total() const;
  std::uint64_t failed() const;

  // `method` if it is one of MCP's, else kOther.
  static std::string_view KnownMethod(std::string_view method);
  // Whether Record() does anything.
  void SetTimed(bool on) { timed_.store(on, std::memory_order_relaxed); }
  // The time of a request by its method. Calls of tools are timed by the registry instead.
  void Record(std::string_view method, Ending ending, std::chrono::nanoseconds elapsed,
              std::chrono::steady_clock::time_point ended, std::string_view request_id);
  struct Method {
    std::string_view name;
    OperationCounters::Reading reading;
  };
  // Those that were used.
  std::vector<Method> Methods() const;

  OperationCounters& sessions() { return sessions_; }  // how long ended sessions lasted
  const OperationCounters& sessions() const { return sessions_; }
  void Reset();

 private:
  static constexpr std::size_t kMethods = 24;
  struct alignas(64) Shard {
    std::atomic<std::uint64_t> total{0};
    std::atomic<std::uint64_t> failed{0};
  };

  OperationCounters& CountersOf(std::size_t method);

  std::array<Shard, 8> shards_;
  std::array<std::atomic<OperationCounters*>, kMethods> methods_{};  // made with the first request
  OperationCounters sessions_;
  std::atomic<bool> timed_{true};
};

}  // namespace toolpost::mcp
