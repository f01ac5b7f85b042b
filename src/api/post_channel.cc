// JSON or event stream, decided by what comes first.
#include "api/post_channel.h"

#include "base/strings.h"
#include "net/sse.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kJson = "application/json";

bool IsSlow(std::chrono::steady_clock::time_point started) {
  return std::chrono::steady_clock::now() - started > kSlowReply;
}

}  // namespace

StatelessPost::StatelessPost(std::shared_ptr<net::Exchange> exchange, std::string cors)
    : exchange_(std::move(exchange)),
      cors_(std::move(cors)),
      started_(std::chrono::steady_clock::now()) {}

void StatelessPost::StartStream() {
  if (streaming_) return;
  streaming_ = true;
  exchange_->StartStream(
      200, "text/event-stream",
      base::StrCat("Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n", cors_));
}

void StatelessPost::Send(std::string message) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  StartStream();
  exchange_->Write(net::SseEvent(message, {}, "message"));
}

void StatelessPost::Finish(std::string message, int http_status) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (!streaming_) return exchange_->Send(http_status, kJson, std::move(message), cors_);
  exchange_->Write(net::SseEvent(message, {}, "message"));
  exchange_->End();
}

void StatelessPost::Abandon() {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (streaming_) return exchange_->End();
  exchange_->Send(202, {}, {}, cors_);
}

void StatelessPost::OnCancel(std::function<void()> cancel) {
  exchange_->OnClose(std::move(cancel));
}

bool StatelessPost::Tick() {
  std::lock_guard lock(mutex_);
  if (finished_) return false;
  if (!streaming_ && !IsSlow(started_)) return true;
  StartStream();
  exchange_->Write(std::string(net::SseComment()));
  return true;
}

bool StatelessPost::finished() const {
  std::lock_guard lock(mutex_);
  return finished_;
}

SessionPost::SessionPost(std::shared_ptr<net::Exchange> exchange,
                         std::shared_ptr<SessionStreams> streams, std::string headers, bool prime)
    : exchange_(std::move(exchange)),
      streams_(std::move(streams)),
      headers_(std::move(headers)),
      prime_(prime),
      started_(std::chrono::steady_clock::now()) {}

void SessionPost::OpenStream() {
  if (stream_ == 0) stream_ = streams_->Open(exchange_, headers_, prime_);
}

void SessionPost::Send(std::string message) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  OpenStream();
  streams_->Write(stream_, message);
}

void SessionPost::Finish(std::string message, int http_status) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (stream_ == 0) return exchange_->Send(http_status, kJson, std::move(message), headers_);
  streams_->Finish(stream_, message);
}

void SessionPost::Abandon() {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (stream_ == 0) return exchange_->Send(202, {}, {}, headers_);
  streams_->Finish(stream_, {});
}

void SessionPost::Release() {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  OpenStream();
  released_ = true;
  streams_->Release(stream_);
}

bool SessionPost::Tick() {
  std::lock_guard lock(mutex_);
  if (finished_ || released_) return false;
  if (stream_ == 0 && !IsSlow(started_)) return true;
  OpenStream();
  exchange_->Write(std::string(net::SseComment()));
  return true;
}

bool SessionPost::finished() const {
  std::lock_guard lock(mutex_);
  return finished_;
}

}  // namespace toolpost::api
