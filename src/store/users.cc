// The table toolpost_users, and what waits to be written into it.
#include "store/users.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/log.h"
#include "base/string_hash.h"
#include "store/columns.h"
#include "store/usage_table.h"

namespace toolpost::store {
namespace {

using db::Sql;

constexpr std::size_t kMostWaiting = 10'000;
constexpr std::size_t kMostRemembered = 100'000;
constexpr std::size_t kLongestText = 512;
constexpr std::chrono::milliseconds kInterval{500};
constexpr std::chrono::hours kSeenAgain{1};

// A row per user, one statement each: a name or address that is not given stays as it was.
Result<void> Write(Sql& sql, const User& user) {
  RETURN_IF_ERROR(sql.QueryAs(
      user.id,
      "INSERT INTO toolpost_users (id, name, email, created_at, last_seen) VALUES ($1, $2, $3, $4, "
      "$4) ON CONFLICT (id) DO UPDATE SET "
      "name = CASE WHEN excluded.name = '' THEN toolpost_users.name ELSE excluded.name END, "
      "email = CASE WHEN excluded.email = '' THEN toolpost_users.email ELSE excluded.email END, "
      "last_seen = excluded.last_seen",
      {user.id, user.name, user.email, FromTime(user.last_seen)}));
  return {};
}

}  // namespace

struct Users::Impl {
  explicit Impl(std::shared_ptr<Store> given) : store(std::move(given)) {}
  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    if (writer.joinable()) writer.join();
    (void)Flush();
  }

  void Seen(std::string_view id, std::string_view name, std::string_view email) {
    const auto now = base::Now();
    const std::lock_guard lock(mutex);
    if (remembered.size() >= kMostRemembered) remembered.clear();
    auto known = remembered.find(id);
    if (known == remembered.end()) known = remembered.emplace(id, User{}).first;
    User& user = known->second;
    const bool news = (!name.empty() && name != user.name) ||
                      (!email.empty() && email != user.email) || now - user.last_seen > kSeenAgain;
    if (!news) return;
    user.id = id;
    if (!name.empty()) user.name = name;
    if (!email.empty()) user.email = email;
    user.last_seen = now;
    if (waiting.size() >= kMostWaiting && !waiting.contains(user.id)) {
      remembered.erase(user.id);
      return;
    }
    User& entry = waiting[user.id] = user;
    for (std::string* text : {&entry.id, &entry.name, &entry.email})
      MakeStorable(*text, kLongestText);
    if (!writer.joinable() && !stopping) writer = std::thread([this] { Run(); });
    wake.notify_one();
  }

  void Run() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      wake.wait(lock, [&] { return stopping || !waiting.empty(); });
      wake.wait_for(lock, kInterval, [&] { return stopping; });
      if (stopping) return;
      lock.unlock();
      Result<void> written = Flush();
      if (!written && !failing) {
        base::Log(base::Severity::kWarning, "users not written; they wait",
                  {{"detail", std::string_view(written.error().message)}});
      }
      failing = !written;  // said once, not twice a second
      lock.lock();
    }
  }

  Result<void> Flush() {
    const std::lock_guard one_at_a_time(flush_mutex);
    std::unordered_map<std::string, User> batch;
    {
      const std::lock_guard lock(mutex);
      batch.swap(waiting);
    }
    while (!batch.empty()) {
      Result<void> written =
          store->With([&](Sql& sql) { return Write(sql, batch.begin()->second); });
      if (!written) {
        const std::lock_guard lock(mutex);
        waiting.merge(batch);  // what came meanwhile is newer and stays
        return written;
      }
      batch.erase(batch.begin());
    }
    return {};
  }

  const std::shared_ptr<Store> store;
  std::mutex flush_mutex;  // taken before `mutex`
  std::mutex mutex;
  std::condition_variable wake;
  std::unordered_map<std::string, User, base::StringHash, std::equal_to<>> remembered;  // by id
  std::unordered_map<std::string, User> waiting;
  bool stopping = false;
  bool failing = false;  // of the writer
  std::thread writer;
};

Users::Users(std::shared_ptr<Store> store) : impl_(std::make_unique<Impl>(std::move(store))) {}
Users::~Users() = default;

void Users::Seen(std::string_view id, std::string_view name, std::string_view email) {
  impl_->Seen(id, name, email);
}

Result<void> Users::Flush() { return impl_->Flush(); }

Result<std::optional<User>> Users::Find(std::string_view id) {
  RETURN_IF_ERROR(Flush());
  std::optional<User> user;
  RETURN_IF_ERROR(impl_->store->With([&](Sql& sql) -> Result<void> {
    ASSIGN_OR_RETURN(const auto rows,
                     sql.QueryAs(id,
                                 "SELECT id, name, email, created_at, last_seen FROM "
                                 "toolpost_users WHERE id = $1",
                                 {std::string(id)}));
    if (rows.empty()) return {};
    const db::Row& row = rows.front();
    user = User{.id = db::TextOr(row[0], ""),
                .name = db::TextOr(row[1], ""),
                .email = db::TextOr(row[2], ""),
                .created_at = ToTime(row[3]),
                .last_seen = ToTime(row[4])};
    return {};
  }));
  return user;
}

}  // namespace toolpost::store
