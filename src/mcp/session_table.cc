// Creation, look-up and expiry of sessions.
#include "mcp/session_table.h"

#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "mcp/event_data.h"

namespace toolpost::mcp {

namespace {

// Why a session must end whatever it does; empty: it need not. Its requests are refused anyway;
// this also ends what it holds open. A session over HTTP outlives a token that expired: its client
// goes on with a fresh one, which every request shows.
std::string_view EndOf(const Session& session) {
  const auto& credential = session.principal().credential;
  if (!credential) return {};
  if (credential->revoked) return "revoked";
  const bool expired = session.transport() != "http" && credential->expires <= base::Now();
  return expired ? "expired" : "";
}

}  // namespace

Result<std::shared_ptr<Session>> SessionTable::Create(std::string_view transport,
                                                      SharedPrincipal principal,
                                                      const ToolView& view) {
  const std::size_t limit = core_.options()->max_sessions;
  if (size_.fetch_add(1, std::memory_order_relaxed) >= limit) {
    size_.fetch_sub(1, std::memory_order_relaxed);
    return Error::Unavailable(
        base::StrCat("Too many sessions: the limit is ", limit,
                     " (limits.sessions). End one, or try again when idle ones have expired"));
  }
  auto session =
      std::make_shared<Session>(core_, std::string(transport), std::move(principal), view);
  Enter(session);
  return session;
}

void SessionTable::Adopt(const std::shared_ptr<Session>& session) {
  size_.fetch_add(1, std::memory_order_relaxed);
  Enter(session);
}

void SessionTable::Enter(const std::shared_ptr<Session>& session) {
  {
    Shard& shard = ShardOf(session->id());
    std::lock_guard lock(shard.mutex);
    shard.sessions.emplace(session->id(), session);
  }
  base::Log(base::Severity::kInfo, "session opened",
            {{"session", session->label()}, {"transport", session->transport()}});
  if (core_.events.active(EventKind::kSessionOpened)) {
    core_.events.Publish(MakeEvent(
        EventKind::kSessionOpened,
        SessionOpenedData{std::string(session->label()), std::string(session->transport())},
        session->principal().id));
  }
}

std::shared_ptr<Session> SessionTable::Find(std::string_view id, const Principal& principal) const {
  Shard& shard = ShardOf(id);
  std::lock_guard lock(shard.mutex);
  const auto found = shard.sessions.find(id);
  if (found == shard.sessions.end() || found->second->principal().id != principal.id)
    return nullptr;
  return found->second;
}

bool SessionTable::Remove(std::string_view id) {
  std::shared_ptr<Session> session;
  {
    Shard& shard = ShardOf(id);
    std::lock_guard lock(shard.mutex);
    const auto found = shard.sessions.find(id);
    if (found == shard.sessions.end()) return false;
    session = std::move(found->second);
    shard.sessions.erase(found);
  }
  Ended(*session, "closed");
  return true;
}

void SessionTable::Ended(Session& session, std::string_view reason) {
  size_.fetch_sub(1, std::memory_order_relaxed);
  session.Close();
  core_.requests.sessions().Record(Ending(), base::Now() - session.created_at(),
                                   std::chrono::steady_clock::now(), {});
  base::Log(base::Severity::kInfo, "session ended",
            {{"session", session.label()}, {"reason", reason}});
  if (core_.events.active(EventKind::kSessionClosed)) {
    core_.events.Publish(
        MakeEvent(EventKind::kSessionClosed,
                  SessionClosedData{std::string(session.label()), std::string(reason)},
                  session.principal().id));
  }
}

void SessionTable::RemoveIdle(std::chrono::steady_clock::duration idle) {
  const auto oldest = std::chrono::steady_clock::now() - idle;
  std::vector<std::pair<std::shared_ptr<Session>, std::string_view>> ending;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    std::erase_if(shard.sessions, [&](const auto& entry) {
      const Session& session = *entry.second;
      std::string_view reason = EndOf(session);
      if (reason.empty() && session.transport() == "http" && session.last_activity() < oldest &&
          !session.HasRunningCalls())
        reason = "idle";
      if (!reason.empty()) ending.emplace_back(entry.second, reason);
      return !reason.empty();
    });
  }
  for (const auto& [session, reason] : ending) Ended(*session, reason);
}

void SessionTable::ForEach(const std::function<void(Session&)>& visit) const {
  if (size() == 0) return;
  std::vector<std::shared_ptr<Session>> sessions;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (const auto& [id, session] : shard.sessions) sessions.push_back(session);
  }
  for (const auto& session : sessions) visit(*session);
}

std::vector<SessionRecord> SessionTable::List() const {
  std::vector<SessionRecord> records;
  ForEach([&](Session& session) { records.push_back(session.Record()); });
  return records;
}

void SessionTable::CloseAll() {
  std::vector<std::shared_ptr<Session>> ending;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (auto& [id, session] : shard.sessions) ending.push_back(std::move(session));
    shard.sessions.clear();
  }
  for (const auto& session : ending) Ended(*session, "shutdown");
}

}  // namespace toolpost::mcp
