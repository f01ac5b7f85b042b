// The life of a task: working, asking, done.
#include "mcp/tasks.h"

#include <algorithm>

#include "base/crypto.h"
#include "base/error_table.h"
#include "mcp/call_scope.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::int64_t kPollIntervalMs = 500;

std::string_view NameOf(TaskStatus status) {
  switch (status) {
    case TaskStatus::kWorking:
      return "working";
    case TaskStatus::kInputRequired:
      return "input_required";
    case TaskStatus::kCompleted:
      return "completed";
    case TaskStatus::kFailed:
      return "failed";
    case TaskStatus::kCancelled:
      return "cancelled";
  }
  return "failed";
}

}  // namespace

Task::Task(TaskEra era, Principal owner, std::chrono::milliseconds ttl)
    : era_(era),
      id_(base::RandomHex(16)),
      owner_(std::move(owner)),
      ttl_(ttl),
      created_at_(base::Now()),
      updated_at_(created_at_) {}

bool Task::IsTerminal() const {
  return status_ != TaskStatus::kWorking && status_ != TaskStatus::kInputRequired;
}

TaskStatus Task::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

bool Task::terminal() const {
  std::lock_guard lock(mutex_);
  return IsTerminal();
}

bool Task::expired(base::WallTime now) const {
  std::lock_guard lock(mutex_);
  return IsTerminal() && now - updated_at_ > ttl_ && now - created_at_ > ttl_;
}

std::string Task::Members() const {
  std::lock_guard lock(mutex_);
  const bool modern = era_ == TaskEra::kModern;
  std::string out;
  AppendMember(out, "taskId", std::string_view(id_));
  AppendMember(out, "status", NameOf(status_));
  if (!status_message_.empty())
    AppendMember(out, "statusMessage", std::string_view(status_message_));
  AppendMember(out, "createdAt", std::string_view(base::ToIso8601(created_at_)));
  AppendMember(out, "lastUpdatedAt", std::string_view(base::ToIso8601(updated_at_)));
  AppendMember(out, modern ? "ttlMs" : "ttl", Json(static_cast<std::int64_t>(ttl_.count())));
  AppendMember(out, modern ? "pollIntervalMs" : "pollInterval", Json(kPollIntervalMs));
  return out;
}

std::string Task::DetailedMembers() const {
  std::string out = Members();
  std::lock_guard lock(mutex_);
  if (status_ == TaskStatus::kCompleted) {
    AppendRawMember(out, "result", "{" + result_ + "}");
  } else if (status_ == TaskStatus::kFailed) {
    std::string error;
    AppendMember(error, "code", Json(base::FormsOf(error_.code).json_rpc_modern));
    AppendMember(error, "message", std::string_view(error_.message));
    if (!error_.data.is_null()) AppendMember(error, "data", error_.data);
    AppendRawMember(out, "error", "{" + error + "}");
  } else if (status_ == TaskStatus::kInputRequired) {
    JsonObject requests;
    for (const auto& [key, request] : open_questions_) {
      requests[key] = JsonObject{{"method", request.method}, {"params", request.params}};
    }
    AppendMember(out, "inputRequests", Json(std::move(requests)));
  }
  return out;
}

void Task::set_call(std::weak_ptr<CallScope> call) {
  std::lock_guard lock(mutex_);
  call_ = std::move(call);
}

Result<InputResponses> Task::Ask(const std::vector<InputRequest>& requests, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  for (const InputRequest& request : requests) {
    if (!answers_.contains(request.key)) open_questions_.insert_or_assign(request.key, request);
  }
  if (!open_questions_.empty() && !IsTerminal()) {
    status_ = TaskStatus::kInputRequired;
    updated_at_ = base::Now();
    lock.unlock();
    Announce();
    lock.lock();
    changed_.wait(lock, stop, [this] { return open_questions_.empty() || IsTerminal(); });
  }
  if (IsTerminal() || stop.stop_requested()) return Error::Cancelled();
  InputResponses responses;
  for (const InputRequest& request : requests) responses[request.key] = answers_[request.key];
  return responses;
}

void Task::SetWaiting(bool waiting) {
  {
    std::lock_guard lock(mutex_);
    if (IsTerminal()) return;
    status_ = waiting ? TaskStatus::kInputRequired : TaskStatus::kWorking;
    updated_at_ = base::Now();
  }
  Announce();
}

void Task::Complete(std::string result) {
  std::unique_lock lock(mutex_);
  if (IsTerminal()) return;
  result_ = std::move(result);
  Finish(TaskStatus::kCompleted, std::move(lock));
}

void Task::Fail(const Error& error) {
  std::unique_lock lock(mutex_);
  if (IsTerminal()) return;
  error_ = error;
  status_message_ = error.message;
  Finish(TaskStatus::kFailed, std::move(lock));
}

bool Task::Cancel() {
  std::unique_lock lock(mutex_);
  if (IsTerminal()) return false;
  error_ = Error::Cancelled();
  status_message_ = "Cancelled by the client";
  const std::shared_ptr<CallScope> call = call_.lock();
  Finish(TaskStatus::kCancelled, std::move(lock));
  if (call) call->Cancel(false);
  return true;
}

void Task::Announce() {
  const std::lock_guard lock(announcing_);
  if (on_change_) on_change_();
}

void Task::Finish(TaskStatus status, std::unique_lock<std::mutex> lock) {
  status_ = status;
  updated_at_ = base::Now();
  open_questions_.clear();
  const std::vector<std::function<void()>> when_done = std::move(when_done_);
  when_done_.clear();
  lock.unlock();
  changed_.notify_all();
  Announce();
  for (const auto& work : when_done) work();
}

void Task::Update(const JsonObject& responses) {
  bool changed = false;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [key, value] : responses) {
      const auto question = open_questions_.find(std::string_view(key));
      if (question == open_questions_.end() || !value.is_object()) continue;
      answers_[std::string(key)] = JsonObject(value.get_object(), {});
      open_questions_.erase(question);
      changed = true;
    }
    if (changed && open_questions_.empty()) status_ = TaskStatus::kWorking;
    if (changed) updated_at_ = base::Now();
  }
  if (!changed) return;
  changed_.notify_all();
  Announce();
}

Result<std::string> Task::Outcome() const {
  std::lock_guard lock(mutex_);
  if (status_ == TaskStatus::kCompleted) return result_;
  return error_;
}

void Task::WhenDone(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    if (!IsTerminal()) {
      when_done_.push_back(std::move(work));
      return;
    }
  }
  work();
}

Result<std::shared_ptr<Task>> TaskTable::Create(TaskEra era, const Principal& owner,
                                                std::chrono::milliseconds ttl) {
  auto task = std::make_shared<Task>(era, owner,
                                     std::clamp(ttl, std::chrono::milliseconds(1'000), kMaxTtl));
  std::lock_guard lock(mutex_);
  if (tasks_.size() >= max_tasks_ / 2) DropExpired();
  if (tasks_.size() >= max_tasks_)
    return Error::Unavailable("Too many tasks are kept; try again later");
  tasks_.emplace(task->id(), task);
  return task;
}

std::shared_ptr<Task> TaskTable::Find(std::string_view id, const Principal& reader,
                                      TaskEra era) const {
  std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return nullptr;
  const std::shared_ptr<Task>& task = found->second;
  if (task->era() != era || task->owner().id != reader.id || task->expired(base::Now()))
    return nullptr;
  return task;
}

std::vector<std::shared_ptr<Task>> TaskTable::List(const Principal& reader, TaskEra era) const {
  std::vector<std::shared_ptr<Task>> tasks;
  std::lock_guard lock(mutex_);
  const base::WallTime now = base::Now();
  for (const auto& [id, task] : tasks_) {
    if (task->era() == era && task->owner().id == reader.id && !task->expired(now))
      tasks.push_back(task);
  }
  return tasks;
}

void TaskTable::CancelAll() {
  std::vector<std::shared_ptr<Task>> tasks;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, task] : tasks_) tasks.push_back(task);
  }
  for (const auto& task : tasks) task->Cancel();
}

void TaskTable::DropExpired() {
  const base::WallTime now = base::Now();
  std::erase_if(tasks_, [now](const auto& entry) { return entry.second->expired(now); });
}

}  // namespace toolpost::mcp
