// A snapshot of the key table, replaced when its epoch moves.
#include "auth/key_ring.h"

#include "auth/policy.h"
#include "base/log.h"

namespace toolpost::auth {
namespace {

constexpr std::chrono::milliseconds kLook{400};
constexpr std::chrono::seconds kTooOld{30};

// Everything but the time of the last use, which changes all the time.
bool SameKey(store::ApiKey a, const store::ApiKey& b) {
  a.last_used = b.last_used;
  return a == b;
}

}  // namespace

Grants GrantsOf(const store::ApiKey& key) {
  Grants grants;
  grants.scopes = key.key_type == "admin" ? AllScopes() : key.scopes;
  grants.read_only = key.read_only;
  grants.tools = key.tools;
  grants.toolsets = key.toolsets;
  grants.connections = key.connections;
  grants.roots = key.roots;
  return grants;
}

KeyRing::KeyRing(std::shared_ptr<store::Store> store) : store_(std::move(store)) {}

KeyRing::~KeyRing() = default;

Result<void> KeyRing::Start() {
  RETURN_IF_ERROR(Refresh());
  watcher_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
  return {};
}

void KeyRing::Watch(const std::stop_token& stop) {
  bool failing = false;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, kLook, [] { return false; });
    }
    if (stop.stop_requested()) return;
    const Result<void> seen = Refresh();
    if (!seen && !failing) {
      base::Log(base::Severity::kWarning,
                "API keys cannot be read; keys known so far stay good for 30 s",
                {{"reason", std::string_view(seen.error().message)}});
    }
    failing = !seen;
  }
}

Result<void> KeyRing::Refresh() {
  const std::lock_guard one(refreshing_);
  if (!store_->Exists()) {
    // No database, no keys; the first key creates one.
    read_at_ = std::chrono::steady_clock::now();
    return {};
  }
  ASSIGN_OR_RETURN(const std::int64_t epoch, store_->KeyEpoch());
  if (epoch != epoch_) {
    RETURN_IF_ERROR(Load());
    epoch_ = epoch;
  }
  read_at_ = std::chrono::steady_clock::now();
  return {};
}

Result<void> KeyRing::Load() {
  ASSIGN_OR_RETURN(std::vector<store::ApiKey> all, store::ApiKeys(*store_).All());
  std::shared_ptr<const Keys> old;
  {
    const std::lock_guard lock(mutex_);
    old = keys_;
  }
  auto keys = std::make_shared<Keys>();
  for (store::ApiKey& key : all) {
    const auto before = old->find(key.id);
    if (before != old->end() && SameKey(before->second->key, key)) {
      keys->emplace(key.id, before->second);
      continue;
    }
    auto entry = std::make_shared<Entry>();
    entry->credential = std::make_shared<Credential>();
    entry->credential->kind = "key";
    entry->credential->key_id = key.id;
    entry->credential->grants = GrantsOf(key);
    if (key.expires_at) entry->credential->expires = *key.expires_at;
    entry->credential->revoked = key.revoked_at.has_value();
    entry->key = std::move(key);
    std::string id = entry->key.id;
    keys->emplace(std::move(id), std::move(entry));
  }
  for (const auto& [id, entry] : *old) {
    const auto now = keys->find(id);
    if (now == keys->end() || now->second != entry) entry->credential->revoked = true;
  }
  const std::lock_guard lock(mutex_);
  keys_ = std::move(keys);  // `old` still holds what was there, so that nothing ends under the lock
  return {};
}

std::shared_ptr<const KeyRing::Entry> KeyRing::Find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found = keys_->find(id);
  return found == keys_->end() ? nullptr : found->second;
}

bool KeyRing::fresh() const { return std::chrono::steady_clock::now() - read_at_.load() < kTooOld; }

}  // namespace toolpost::auth
