// Event rings and who is attached to them.
#include "api/session_streams.h"

#include <charconv>
#include <utility>

#include "auth/policy.h"
#include "base/strings.h"
#include "net/sse.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kEventStream = "text/event-stream";
constexpr std::string_view kStreamHeaders = "Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";

std::string EventId(std::uint64_t stream, std::uint64_t number) {
  return base::StrCat(stream, '-', number);
}

bool ParseNumber(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void SessionStreams::Attach(std::uint64_t id, Stream& stream,
                            const std::shared_ptr<net::Exchange>& exchange,
                            std::string_view headers) {
  stream.exchange = exchange;
  exchange->StartStream(200, kEventStream, base::StrCat(kStreamHeaders, headers));
  exchange->OnClose([weak = weak_from_this(), id, raw = exchange.get()] {
    if (const auto self = weak.lock()) self->Detach(id, raw);
  });
}

void SessionStreams::Detach(std::uint64_t id, const net::Exchange* exchange) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (found != streams_.end() && found->second.exchange.get() == exchange)
    found->second.exchange.reset();
}

bool SessionStreams::OpenStandalone(const std::shared_ptr<net::Exchange>& exchange,
                                    mcp::SharedPrincipal reader, std::string_view headers,
                                    bool prime) {
  std::lock_guard lock(mutex_);
  Stream& stream = streams_[kStandalone];
  if (closed_ || stream.exchange != nullptr) return false;
  stream.reader = std::move(reader);
  Attach(kStandalone, stream, exchange, headers);
  if (prime)
    exchange->Write(net::SsePriming(EventId(kStandalone, stream.next_number - 1), kRetryMs));
  return true;
}

bool SessionStreams::Resume(std::string_view last_event_id,
                            const std::shared_ptr<net::Exchange>& exchange,
                            mcp::SharedPrincipal reader, std::string_view headers) {
  const std::size_t dash = last_event_id.find('-');
  std::uint64_t id = 0;
  std::uint64_t number = 0;
  if (dash == std::string_view::npos || !ParseNumber(last_event_id.substr(0, dash), id) ||
      !ParseNumber(last_event_id.substr(dash + 1), number)) {
    return false;
  }
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (closed_ || found == streams_.end() || number >= found->second.next_number) return false;
  Stream& stream = found->second;
  const std::uint64_t oldest =
      stream.events.empty() ? stream.next_number : stream.events.front().number;
  if (number + 1 < oldest) return false;
  if (const auto former = std::exchange(stream.exchange, nullptr)) former->End();
  stream.reader = std::move(reader);
  Attach(id, stream, exchange, headers);
  for (const Event& event : stream.events) {
    if (event.number > number) exchange->Write(event.frame);
  }
  if (stream.finished) exchange->End();
  return true;
}

std::uint64_t SessionStreams::Open(const std::shared_ptr<net::Exchange>& exchange,
                                   std::string_view headers, bool prime) {
  std::lock_guard lock(mutex_);
  const std::uint64_t id = next_stream_++;
  Stream& stream = streams_[id];
  Attach(id, stream, exchange, headers);
  if (prime) exchange->Write(net::SsePriming(EventId(id, 0), kRetryMs));
  return id;
}

void SessionStreams::Append(std::uint64_t id, Stream& stream, std::string_view message) {
  const std::uint64_t number = stream.next_number++;
  Event& event = stream.events.emplace_back(
      Event{number, net::SseEvent(message, EventId(id, number), "message")});
  ++kept_events_;
  kept_bytes_ += event.frame.size();
  if (const auto exchange = stream.exchange) exchange->Write(event.frame);
  Trim();
}

// Drops the oldest events, and streams that ended and have none left.
void SessionStreams::Trim() {
  for (auto it = streams_.begin();
       it != streams_.end() && (kept_events_ > kMaxEvents || kept_bytes_ > kMaxBytes);) {
    Stream& stream = it->second;
    while (!stream.events.empty() && (kept_events_ > kMaxEvents || kept_bytes_ > kMaxBytes)) {
      --kept_events_;
      kept_bytes_ -= stream.events.front().frame.size();
      stream.events.pop_front();
    }
    it = stream.finished && stream.events.empty() ? streams_.erase(it) : std::next(it);
  }
}

void SessionStreams::Write(std::uint64_t id, std::string_view message) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (found != streams_.end() && !found->second.finished) Append(id, found->second, message);
}

void SessionStreams::Finish(std::uint64_t id, std::string_view message) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end() || found->second.finished) return;
  Stream& stream = found->second;
  const std::shared_ptr<net::Exchange> exchange = stream.exchange;
  if (!message.empty()) Append(id, stream, message);
  if (const auto kept = streams_.find(id); kept != streams_.end()) {
    kept->second.finished = true;
    kept->second.exchange.reset();
  }
  if (exchange != nullptr) exchange->End();
}

void SessionStreams::FinishLong(std::uint64_t id, base::LongMessage message) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end() || found->second.finished) return;
  Stream& stream = found->second;
  for (const Event& event : stream.events) kept_bytes_ -= event.frame.size();
  kept_events_ -= stream.events.size();
  const std::string event_id = EventId(id, stream.next_number);
  const std::shared_ptr<net::Exchange> exchange = std::move(stream.exchange);
  streams_.erase(found);
  if (exchange == nullptr) return;
  exchange->WriteLong(net::LongSseEvent(std::move(message), event_id, "message"));
  exchange->End();
}

void SessionStreams::Release(std::uint64_t id) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  if (const auto exchange = std::exchange(found->second.exchange, nullptr)) exchange->End();
}

void SessionStreams::Push(std::string message) {
  std::lock_guard lock(mutex_);
  const auto found = streams_.find(kStandalone);
  if (found != streams_.end() && !closed_) Append(kStandalone, found->second, message);
}

void SessionStreams::StopWaiting() { Release(kStandalone); }

void SessionStreams::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  std::map<std::uint64_t, Stream> ending;
  ending.swap(streams_);
  for (auto& [id, stream] : ending) {
    if (stream.exchange != nullptr) stream.exchange->End();
  }
}

bool SessionStreams::StartTicking() {
  std::lock_guard lock(mutex_);
  return !std::exchange(ticking_, true);
}

bool SessionStreams::Tick() {
  std::lock_guard lock(mutex_);
  ticking_ = false;
  for (auto& [id, stream] : streams_) {
    const std::shared_ptr<net::Exchange> exchange = stream.exchange;
    if (exchange == nullptr || stream.reader == nullptr) continue;
    if (auth::EndedRefusal(*stream.reader)) {
      stream.exchange.reset();
      exchange->End();
      continue;
    }
    ticking_ = true;
    exchange->Write(std::string(net::SseComment()));
  }
  if (const auto session = ticking_ ? session_.lock() : nullptr) session->Touch();
  return ticking_;
}

}  // namespace toolpost::api
