// Open `subscriptions/listen` streams (2026-07-28) and what is sent on them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "mcp/modern_call.h"
#include "mcp/tasks.h"

namespace toolpost::mcp {

// Thread-safe. A listen ends when its client closes the stream or cancels, with its credential, or
// with EndAll at shutdown.
class ListenHub {
 public:
  explicit ListenHub(std::size_t max_open = 1'024) : max_open_(max_open) {}

  // Acknowledges first, then keeps the call open. Errors are answered by the caller.
  Result<void> Open(const std::shared_ptr<ModernCall>& call);

  void ToolsChanged();
  void PromptsChanged();
  void ResourcesChanged();
  // Tells the streams of `user` alone, or without one all that asked. Returns how many were told.
  std::size_t ResourceUpdated(std::string_view uri, std::optional<std::string_view> user = {});
  void TaskChanged(const Task& task);
  // Ends every stream with its response.
  void EndAll();
  // Ends the streams of callers whose credential was revoked or has expired.
  void EndRefused();
  std::size_t open() const;

 private:
  struct Listen {
    std::shared_ptr<ModernCall> call;
    bool tools = false;
    bool prompts = false;
    bool resources = false;
    std::set<std::string, std::less<>> uris;
    std::set<std::string, std::less<>> tasks;
  };

  static Result<Listen> Read(const std::shared_ptr<ModernCall>& call);
  static std::string Acknowledged(const Listen& listen);
  // Sends `method` to every listen that `wants` it; `params` are further members. Returns to how
  // many.
  template <typename Wants>
  std::size_t Send(std::string_view method, std::string_view params, Wants wants);
  template <typename Ends>
  void EndIf(Ends ends);
  void Close(std::uint64_t key);

  const std::size_t max_open_;
  mutable std::mutex mutex_;
  std::uint64_t next_key_ = 1;
  std::map<std::uint64_t, std::shared_ptr<const Listen>> listens_;
};

}  // namespace toolpost::mcp
