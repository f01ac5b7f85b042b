// Many connections of a command become few lines.
#include "tools/shell/command_network.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace toolpost::tools::shell {
namespace {

constexpr std::size_t kMaxRefusals = 16;
constexpr std::size_t kMaxContacts = 1000;

}  // namespace

void CommandNetwork::Serve(base::Descriptor listener) {
  proxy_.emplace(std::move(listener), rules_,
                 [this](const net::ProxiedConnection& connection) { Note(connection); });
}

void CommandNetwork::Note(const net::ProxiedConnection& connection) {
  if (connection.host.empty()) return;
  Contact contact{.host = connection.host,
                  .port = connection.port,
                  .address = connection.address,
                  .outcome = connection.denied            ? "refused"
                             : connection.refusal.empty() ? "connected"
                                                          : "failed",
                  .sent = connection.sent,
                  .received = connection.received};
  const std::lock_guard lock(mutex_);
  const auto same = std::ranges::find_if(contacts_, [&](const Contact& other) {
    return other.host == contact.host && other.port == contact.port &&
           other.address == contact.address && other.outcome == contact.outcome;
  });
  if (same != contacts_.end()) {
    same->sent += contact.sent;
    same->received += contact.received;
    return;
  }
  if (!connection.refusal.empty() && refusals_.size() < kMaxRefusals) {
    refusals_.push_back(base::StrCat(contact.host, ":", contact.port, ": ", connection.refusal));
  }
  if (contacts_.size() < kMaxContacts) contacts_.push_back(std::move(contact));
}

std::vector<std::string> CommandNetwork::Finish(CallContext& context) {
  proxy_.reset();
  for (Contact& contact : contacts_) context.Reached(std::move(contact));
  contacts_.clear();
  return std::exchange(refusals_, {});
}

}  // namespace toolpost::tools::shell
