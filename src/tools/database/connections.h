// The databases of the configuration by name, one pool each, shared by all doors.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "config/config.h"
#include "db/database.h"
#include "toolpost/context.h"
#include "toolpost/result.h"

namespace toolpost::tools::database {

struct Connection {
  std::string name;
  std::string description;
  bool accept_privileged = false;
  std::shared_ptr<db::Database> database;  // null: it cannot be opened, see `problem`
  Error problem;
  // What `database` was opened with.
  std::string url{};
  int max_connections = 0;
};

// Thread-safe. A call keeps the database it got, whatever becomes of the name meanwhile.
class Connections {
 public:
  using List = std::vector<std::shared_ptr<const Connection>>;  // by name

  // For tests, and for a program's own databases. `on_network` says whether other machines can
  // call; empty: they cannot.
  explicit Connections(std::vector<Connection> all, std::function<bool()> on_network = {});
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // Those of the configuration; the sample shop, as `sample`, if there are none. Nothing connects
  // yet. Code::kInvalidArgument names the setting that is wrong.
  static Result<std::shared_ptr<Connections>> Make(const config::Config& config,
                                                   std::function<bool()> on_network);
  // Those of a changed configuration, to be taken over by Replace(). What is opened as before keeps
  // its pool. Nothing changes yet; errors as of Make().
  Result<List> Follow(const config::Config& config) const;
  // The pools of what is not in `next` end with the last call that uses them.
  void Replace(List next);

  // `name`, or without one `default` or the only one. Empty when that is nothing.
  std::string Resolve(std::string_view name) const;
  // A database the caller may use. Code::kNotFound lists those there are for this caller;
  // Code::kPermissionDenied for one that is not, and for an account with privileges it should not
  // have while other machines can call.
  Result<std::shared_ptr<db::Database>> Use(std::string_view name, const Principal& principal,
                                            const db::Patience& patience = {}) const;
  std::shared_ptr<const List> all() const;
  // Those the caller may use.
  List For(const Principal& principal) const;
  // Connects to databases that were not there or not opened yet, or whose accounts are not known,
  // and asks what those may do, on a thread of its own; the log tells of what is wrong.
  void CheckAccounts();
  // What somebody should know of the databases they may use: that they are not there or damaged,
  // that accounts could write or are not known. Calls CheckAccounts() where something is not known,
  // for the next time.
  std::vector<std::string> Warnings(const Principal& principal = {});

 private:
  Connections(List all, std::function<bool()> on_network);
  Result<void> CheckAccount(const Connection& connection, const db::Patience& patience) const;

  mutable std::mutex mutex_;
  std::shared_ptr<const List> all_;
  const std::function<bool()> on_network_;
  std::mutex checker_mutex_;
  std::thread checker_;  // guarded by checker_mutex_
  std::atomic<bool> checking_ = false;
  std::stop_source stop_checking_;
};

// What is needed of `privileges` in one line.
std::string Listed(const std::vector<std::string>& privileges);

}  // namespace toolpost::tools::database
