// Calls that outlive their request: the Tasks extension of 2026-07-28 and the experimental tasks of
// 2025-11-25.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/registry.h"
#include "toolpost/context.h"

namespace toolpost::mcp {

class CallScope;

enum class TaskStatus { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };
// The two task protocols are not wire-compatible: an id of one is unknown to the other.
enum class TaskEra { kLegacy, kModern };

// Thread-safe. The worker asks and finishes; the client reads, answers and cancels.
class Task {
 public:
  Task(TaskEra era, Principal owner, std::chrono::milliseconds ttl);

  const std::string& id() const { return id_; }
  TaskEra era() const { return era_; }
  const Principal& owner() const { return owner_; }
  TaskStatus status() const;
  bool terminal() const;
  // Terminal, and kept for its time to live.
  bool expired(base::WallTime now) const;

  // The members of a Task object in the words of its era (ttlMs/pollIntervalMs or
  // ttl/pollInterval).
  std::string Members() const;
  // Modern tasks/get: Members() and the result, error or open questions.
  std::string DetailedMembers() const;

  // Worker side.
  void set_call(std::weak_ptr<CallScope> call);
  // Modern: shows the questions and waits for all answers. Cancelled or stopped: Code::kCancelled.
  Result<InputResponses> Ask(const std::vector<InputRequest>& requests, std::stop_token stop);
  // Legacy: only the status changes while the session asks.
  void SetWaiting(bool waiting);
  // `result` holds the members of the original result.
  void Complete(std::string result);
  void Fail(const Error& error);

  // Client side.
  void Update(const JsonObject& responses);
  // False when it was terminal already.
  bool Cancel();
  // Members of the result of a terminal task, or the error it failed with.
  Result<std::string> Outcome() const;
  // Calls `work` when the task is terminal; at once if it is.
  void WhenDone(std::function<void()> work);
  // Calls `work` after every change, for status notifications. Set once, before the task is shared.
  void OnChange(std::function<void()> work) { on_change_ = std::move(work); }

 private:
  bool IsTerminal() const;
  // One at a time, so that no notice is overtaken by a later one. Recursive: telling a client may
  // end the task.
  void Announce();
  void Finish(TaskStatus status, std::unique_lock<std::mutex> lock);

  const TaskEra era_;
  const std::string id_;
  const Principal owner_;
  const std::chrono::milliseconds ttl_;
  const base::WallTime created_at_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  base::WallTime updated_at_;
  TaskStatus status_ = TaskStatus::kWorking;
  std::string status_message_;
  std::string result_;
  Error error_;
  std::map<std::string, InputRequest, std::less<>> open_questions_;
  InputResponses answers_;
  std::weak_ptr<CallScope> call_;
  std::vector<std::function<void()>> when_done_;
  std::recursive_mutex announcing_;
  std::function<void()> on_change_;
};

// All tasks, by id. Bounded: over the limit Create fails with Code::kUnavailable.
class TaskTable {
 public:
  explicit TaskTable(std::size_t max_tasks = 1'000) : max_tasks_(max_tasks) {}

  static constexpr std::chrono::milliseconds kDefaultTtl = std::chrono::hours(1);
  static constexpr std::chrono::milliseconds kMaxTtl = std::chrono::hours(24);

  Result<std::shared_ptr<Task>> Create(TaskEra era, const Principal& owner,
                                       std::chrono::milliseconds ttl);
  // Null for unknown, expired and foreign ids alike.
  std::shared_ptr<Task> Find(std::string_view id, const Principal& reader, TaskEra era) const;
  // Tasks of one principal, oldest first.
  std::vector<std::shared_ptr<Task>> List(const Principal& reader, TaskEra era) const;
  void CancelAll();

 private:
  void DropExpired();

  const std::size_t max_tasks_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Task>, std::less<>> tasks_;
};

}  // namespace toolpost::mcp
