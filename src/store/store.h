// toolpost's own state: API keys, usage logs, secrets. SQLite in the state directory, or PostgreSQL
// by URL.
//
// Opened on first use: constructing a Store touches nothing, so that stdio and the command line
// start without side effects. Thread-safe; every member blocks except the constructor.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "db/sql.h"
#include "toolpost/result.h"

namespace toolpost::store {

struct StoreOptions {
  std::string url;  // postgresql://…; empty: SQLite
  std::string
      directory;  // state directory; created 0700 when needed. SQLite file: toolpost.db, 0600
};

class Store {
 public:
  explicit Store(StoreOptions options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // For `serve` on SQLite: takes the directory for this process until it ends (a lock the kernel
  // drops with the process), or fails at once with Code::kConflict naming the process that holds it
  // (requirements D20). PostgreSQL stores are shared: always succeeds.
  Result<void> LockForServing();

  // Borrows a connection for `work`; the first use opens the database and brings its tables up to
  // date (safe when several processes and instances start at once; a database from a newer toolpost
  // is refused with a clear message).
  Result<void> With(const std::function<Result<void>(db::Sql&)>& work);

  // Grows with every change of the API keys by anyone (all processes, all instances); cheap enough
  // to ask twice a second.
  Result<std::int64_t> KeyEpoch();

  // Why the store could not be used the last time; empty: it could, or was not. Does not block.
  std::string problem() const;

  // True if the SQLite file exists already, or the store is PostgreSQL: lets readers avoid creating
  // a database only to find it empty.
  bool Exists() const;
  const StoreOptions& options() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `With` for work that returns a value.
template <typename T>
Result<T> Read(Store& store, const std::function<Result<T>(db::Sql&)>& work);

}  // namespace toolpost::store

namespace toolpost::store {

template <typename T>
Result<T> Read(Store& store, const std::function<Result<T>(db::Sql&)>& work) {
  Result<T> value = Error::Internal("not run");
  RETURN_IF_ERROR(store.With([&](db::Sql& sql) -> Result<void> {
    value = work(sql);
    if (!value) return value.error();
    return {};
  }));
  return value;
}

}  // namespace toolpost::store
