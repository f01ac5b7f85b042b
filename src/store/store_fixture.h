// For tests of the store: a store of its own on either engine, and second processes on the same
// one.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "db/sql.h"
#include "store/store.h"

namespace toolpost::store {

// INSTANTIATE_TEST_SUITE_P(Engines, MyTest, BothEngines(), EngineName);
class StoreTest : public ::testing::TestWithParam<db::Dialect> {
 protected:
  void SetUp() override;
  void TearDown() override;

  bool IsPostgres() const { return GetParam() == db::Dialect::kPostgres; }
  // Another Store on the same database, as another process or instance has it.
  std::unique_ptr<Store> OpenAnother() const { return std::make_unique<Store>(options_); }

  std::filesystem::path directory_;  // of this test, removed at its end
  StoreOptions options_;
  std::shared_ptr<Store> store_;  // nothing is opened yet
};

inline auto BothEngines() {
  return ::testing::Values(db::Dialect::kSqlite, db::Dialect::kPostgres);
}
inline std::string EngineName(const ::testing::TestParamInfo<db::Dialect>& info) {
  return info.param == db::Dialect::kSqlite ? "Sqlite" : "Postgres";
}

// This test binary once more, running one test that is disabled otherwise ("DISABLED_…"). That test
// finds the store with ChildStoreOptions() and reports with ChildReports(). Killed, if it still
// runs, with the object.
class ChildProcess {
 public:
  ChildProcess(const std::string& test, const StoreOptions& options);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  std::string NextReport();  // waits; empty when the child has ended
  bool Succeeded();          // waits for the end
  void Kill();               // kill -9, and waits

 private:
  pid_t pid_ = -1;
  int reports_ = -1;
};

StoreOptions ChildStoreOptions();
void ChildReports(std::string_view line);
[[noreturn]] void ChildWaitsToBeKilled();

}  // namespace toolpost::store
