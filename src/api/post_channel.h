// The reply to one POST as an MCP channel: plain JSON when the response comes first, an event
// stream when something precedes it.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "api/http_channel.h"
#include "api/session_streams.h"
#include "api/ticker.h"

namespace toolpost::api {

// A reply that takes longer than this becomes a stream, so that proxies see life.
inline constexpr std::chrono::seconds kSlowReply{5};

// 2026-07-28: no event ids, nothing kept; a closed connection cancels the request.
class StatelessPost : public HttpChannel, public Ticking {
 public:
  // `slow`: from this age on a tick turns the reply into a stream.
  StatelessPost(std::shared_ptr<net::Exchange> exchange, RequestContext context,
                std::chrono::seconds slow = kSlowReply);

  void Send(std::string message) override;
  void Finish(std::string message, int http_status) override;
  void FinishLong(base::LongMessage message) override;
  void Abandon() override;
  void OnCancel(std::function<void()> cancel) override;
  bool Tick() override;
  bool finished() const;

 private:
  bool begun() const override;
  void StartStream();

  const std::chrono::steady_clock::time_point slow_from_;
  mutable std::recursive_mutex mutex_;  // recursive: see SessionStreams
  bool streaming_ = false;
  bool finished_ = false;
};

// A POST inside a session: streams are resumable, and a closed connection cancels nothing.
class SessionPost : public HttpChannel, public Ticking {
 public:
  // `prime`: the client is of 2025-11-25 and may be sent an empty first event.
  SessionPost(std::shared_ptr<net::Exchange> exchange, std::shared_ptr<SessionStreams> streams,
              RequestContext context, bool prime, std::chrono::seconds slow = kSlowReply);

  void Send(std::string message) override;
  void Finish(std::string message, int http_status) override;
  void FinishLong(base::LongMessage message) override;
  void Abandon() override;
  void OnCancel(std::function<void()>) override {}
  void Release() override;
  bool Tick() override;
  bool finished() const;

 private:
  bool begun() const override;
  void OpenStream();

  const std::shared_ptr<SessionStreams> streams_;
  const bool prime_;
  const std::chrono::steady_clock::time_point slow_from_;
  mutable std::recursive_mutex mutex_;  // recursive: see SessionStreams
  std::uint64_t stream_ = 0;            // 0: not streaming
  bool released_ = false;
  bool finished_ = false;
};

}  // namespace toolpost::api
