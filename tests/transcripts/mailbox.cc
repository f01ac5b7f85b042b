// Mailbox, and the answers of peers without HTTP.
#include "peer.h"

namespace toolpost::transcripts {

void Mailbox::Push(std::string message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

void Mailbox::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::optional<std::string> Mailbox::Pop() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience, [this] { return closed_ || !messages_.empty(); });
  if (messages_.empty()) return std::nullopt;
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

bool Mailbox::Ended() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [this] { return closed_; }) && messages_.empty();
}

namespace {
Error NotHttp() { return Error::InvalidParams("only HTTP can do this"); }
}  // namespace

Result<void> Peer::SetHeader(std::string_view) { return NotHttp(); }
Result<void> Peer::SetPath(std::string_view) { return NotHttp(); }
Result<void> Peer::Get() { return NotHttp(); }
Result<void> Peer::Delete() { return NotHttp(); }
Result<int> Peer::Status() { return NotHttp(); }
std::string Peer::Session() { return {}; }

}  // namespace toolpost::transcripts
