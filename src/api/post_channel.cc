// JSON or event stream, decided by what comes first.
#include "api/post_channel.h"

#include "base/strings.h"
#include "net/sse.h"

namespace toolpost::api {
namespace {

bool IsReached(std::chrono::steady_clock::time_point time) {
  return std::chrono::steady_clock::now() >= time;
}

}  // namespace

StatelessPost::StatelessPost(std::shared_ptr<net::Exchange> exchange, RequestContext context,
                             std::chrono::seconds slow)
    : HttpChannel(std::move(exchange), std::move(context)),
      slow_from_(std::chrono::steady_clock::now() + slow) {}

bool StatelessPost::begun() const {
  const std::lock_guard lock(mutex_);
  return streaming_;
}

void StatelessPost::StartStream() {
  if (streaming_) return;
  streaming_ = true;
  exchange().StartStream(
      200, "text/event-stream",
      base::StrCat("Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n", cors()));
}

void StatelessPost::Send(std::string message) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  StartStream();
  exchange().Write(net::SseEvent(message, {}, "message"));
}

void StatelessPost::Finish(std::string message, int http_status) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (!streaming_) return SendJson(http_status, std::move(message));
  exchange().Write(net::SseEvent(message, {}, "message"));
  exchange().End();
}

void StatelessPost::FinishLong(base::LongMessage message) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (!streaming_) return SendLongJson(200, std::move(message));
  exchange().WriteLong(net::LongSseEvent(std::move(message), {}, "message"));
  exchange().End();
}

void StatelessPost::Abandon() {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (streaming_) return exchange().End();
  exchange().Send(202, {}, {}, cors());
}

void StatelessPost::OnCancel(std::function<void()> cancel) {
  exchange().OnClose(std::move(cancel));
}

bool StatelessPost::Tick() {
  std::lock_guard lock(mutex_);
  if (finished_) return false;
  if (!streaming_ && !IsReached(slow_from_)) return true;
  StartStream();
  exchange().Write(std::string(net::SseComment()));
  return true;
}

bool StatelessPost::finished() const {
  std::lock_guard lock(mutex_);
  return finished_;
}

SessionPost::SessionPost(std::shared_ptr<net::Exchange> exchange,
                         std::shared_ptr<SessionStreams> streams, RequestContext context,
                         bool prime, std::chrono::seconds slow)
    : HttpChannel(std::move(exchange), std::move(context)),
      streams_(std::move(streams)),
      prime_(prime),
      slow_from_(std::chrono::steady_clock::now() + slow) {}

bool SessionPost::begun() const {
  const std::lock_guard lock(mutex_);
  return stream_ != 0;
}

void SessionPost::OpenStream() {
  if (stream_ == 0) stream_ = streams_->Open(shared_exchange(), cors(), prime_);
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
  if (stream_ == 0) return SendJson(http_status, std::move(message));
  streams_->Finish(stream_, message);
}

void SessionPost::FinishLong(base::LongMessage message) {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (stream_ == 0) return SendLongJson(200, std::move(message));
  streams_->FinishLong(stream_, std::move(message));
}

void SessionPost::Abandon() {
  std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (stream_ == 0) return exchange().Send(202, {}, {}, cors());
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
  if (stream_ == 0 && !IsReached(slow_from_)) return true;
  OpenStream();
  exchange().Write(std::string(net::SseComment()));
  return true;
}

bool SessionPost::finished() const {
  std::lock_guard lock(mutex_);
  return finished_;
}

}  // namespace toolpost::api
