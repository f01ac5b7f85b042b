// A private PostgreSQL server for the tests of one binary.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace toolpost::db {

// A cluster in a temporary directory, reachable only through a socket there, started with the first
// Get() and stopped and removed at exit. Login needs the password, and the database sorts text by
// language, so that code which forgets either fails. Ends the test binary with a message when
// PostgreSQL is not installed (scripts/packages.sh names it). Main thread only.
class PostgresServer {
 public:
  static constexpr std::string_view kPassword = "planted-pg-password";

  static PostgresServer& Get();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The URL of a new, empty database.
  std::string NewDatabase();
  std::string Url(std::string_view database) const;
  // As a crash would end it: connections break, committed data stays.
  void Stop();
  void Start();

 private:
  friend class PostgresStandby;
  PostgresServer();

  std::filesystem::path programs_;
  std::filesystem::path directory_;
  pid_t server_ = -1;
  int databases_ = 0;
};

// A copy of that server that follows it, reachable in the same way with the same password. Main
// thread only.
class PostgresStandby {
 public:
  PostgresStandby();
  ~PostgresStandby();
  PostgresStandby(const PostgresStandby&) = delete;
  PostgresStandby& operator=(const PostgresStandby&) = delete;

  // Of the copy of the database that `url` leads to.
  std::string UrlOf(std::string_view url) const;

 private:
  std::filesystem::path directory_;
  pid_t server_ = -1;
};

}  // namespace toolpost::db
