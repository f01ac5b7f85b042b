// Who has been recognised here: one row per user, made and kept up to date by authentication.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "store/store.h"

namespace toolpost::store {

struct User {
  std::string id;
  std::string name;   // empty: not known
  std::string email;  // empty: not known
  base::WallTime created_at{};
  base::WallTime last_seen{};
};

// Thread-safe. Seen() never touches the database: what is new about a user is written by the next
// Find() or Flush(), or within a second by a thread that starts with the first one. A user whose
// name and email are known and who was seen in the last hour costs a look into a table. While the
// database is away entries wait, at most 10,000; beyond that new ones are forgotten until the user
// comes again.
class Users {
 public:
  explicit Users(std::shared_ptr<Store> store);
  ~Users();
  Users(const Users&) = delete;
  Users& operator=(const Users&) = delete;

  // Empty claims leave what is known.
  void Seen(std::string_view id, std::string_view name = {}, std::string_view email = {});
  // Writes what waits.
  Result<void> Flush();
  // Filtered as Tasks are.
  Result<std::optional<User>> Find(std::string_view id);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::store
