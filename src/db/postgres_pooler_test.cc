// PostgresDatabase behind PgBouncer in transaction mode, where every transaction may meet another
// session of the server.
#include <gmock/gmock.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "base/strings.h"
#include "db/postgres_database_fixture.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using Steady = std::chrono::steady_clock;

constexpr const char* kProgram = "/usr/sbin/pgbouncer";

// One PgBouncer with two sessions on the server, in a directory of its own.
class PgBouncer {
 public:
  explicit PgBouncer(const std::string& server_directory) {
    std::string pattern = (fs::temp_directory_path() / "toolpost-pgb-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    std::ofstream(directory_ / "users") << "\"toolpost\" \"" << PostgresServer::kPassword << "\"\n";
    std::ofstream(directory_ / "ini")
        << "[databases]\n* = host=" << server_directory << "\n[pgbouncer]\nlisten_addr =\n"
        << "listen_port = 6432\nunix_socket_dir = " << directory_.string()
        << "\nauth_type = scram-sha-256\nauth_file = " << (directory_ / "users").string()
        << "\npool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 50\nlogfile = "
        << (directory_ / "log").string() << "\n";
    const passwd* user = geteuid() == 0 ? getpwnam("postgres") : nullptr;
    if (user != nullptr) {
      for (const char* name : {"", "users", "ini"}) {
        EXPECT_EQ(chown((directory_ / name).c_str(), user->pw_uid, user->pw_gid), 0);
      }
    }
    child_ = fork();
    if (child_ != 0) return;
    if (user != nullptr && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl(kProgram, kProgram, "-q", (directory_ / "ini").c_str(), nullptr);
    _exit(127);
  }
  ~PgBouncer() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    fs::remove_all(directory_);
  }
  PgBouncer(const PgBouncer&) = delete;
  PgBouncer& operator=(const PgBouncer&) = delete;

  const fs::path& directory() const { return directory_; }

 private:
  fs::path directory_;
  pid_t child_ = -1;
};

class PostgresPoolerTest : public PostgresDatabaseTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(kProgram)) << "install the Debian package pgbouncer";
    const std::size_t host = url().find("host=") + 5;
    bouncer_ = std::make_unique<PgBouncer>(url().substr(host));
    url_ = url().substr(0, host) + bouncer_->directory().string() + "&port=6432";
    const auto deadline = Steady::now() + seconds(30);
    while (!Postgres::Open({.url = url_}) && Steady::now() < deadline) std::this_thread::yield();
    database_ = OpenPostgresDatabase({.url = url_, .max_connections = 6}).value();
  }

  std::unique_ptr<PgBouncer> bouncer_;
  std::string url_;
  std::unique_ptr<Database> database_;
};

TEST_F(PostgresPoolerTest, ReadsAsWithoutIt) {
  const Json ids = JsonArray{JsonArray{1, 2, 3}};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Value(*database_, "SELECT sum(id) FROM customers WHERE id = ANY($1)", &ids), "6");
    EXPECT_EQ(Value(*database_, "SELECT TIMESTAMPTZ '2026-01-01 00:00+01'"),
              "2025-12-31T23:00:00+00:00");
    EXPECT_EQ(Value(*database_, "SELECT current_setting('transaction_read_only')"), "on");
  }
  EXPECT_EQ(Value(*database_, "SELECT count(*) FROM session.statements WHERE name ~ 'toolpost'"),
            "0");
  EXPECT_TRUE(database_->Tables({}));
}

TEST_F(PostgresPoolerTest, LeavesNothingInSessionsThatOthersGet) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(Value(*database_, "SELECT x FROM trap"), "99");
    EXPECT_THAT(Value(*database_, "SELECT liar(7) / 0"), HasSubstr("division by zero"));
    EXPECT_THAT(Value(*database_, "SELECT pg_advisory_lock(1)"), HasSubstr("not allowed"));
  }
  const auto locks = admin().Query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
  EXPECT_EQ(IntegerOr((*locks)[0][0], -1), 0);
  const auto other = Postgres::Open({.url = url_}).value();
  EXPECT_EQ(TextOr((*other->Query("SHOW default_transaction_read_only"))[0][0], ""), "off");
}

TEST_F(PostgresPoolerTest, IsNotMisledBySettingsThatOthersLeft) {
  const auto other = Postgres::Open({.url = url_}).value();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(
        other->Query("SELECT set_config('search_path', 'app', false), "
                     "set_config('standard_conforming_strings', 'off', false), "
                     "set_config('default_transaction_read_only', 'off', false)"));
    EXPECT_EQ(Value(*database_, "SELECT count(*) FROM page"), "1");
    EXPECT_EQ(Value(*database_, "SELECT '\\'"), "\\");
    EXPECT_EQ(Value(*database_, "SELECT current_setting('transaction_read_only')"), "on");
  }
}

TEST_F(PostgresPoolerTest, WhoMustWaitForASessionOfTheServerWaitsUntilTheDeadline) {
  const auto one = Postgres::Open({.url = url_}).value(),
             two = Postgres::Open({.url = url_}).value();
  const auto taken = one->InTransaction([&](Sql& first) -> Result<void> {
    RETURN_IF_ERROR(first.Query("SELECT 1"));
    return two->InTransaction([&](Sql& second) -> Result<void> {
      RETURN_IF_ERROR(second.Query("SELECT 1"));
      KeptRows rows;
      const auto late = database_->Read(
          {.sql = "SELECT 2", .deadline = Steady::now() + milliseconds(200), .stop = {}}, rows);
      EXPECT_EQ(late ? Code::kInternal : late.error().code, Code::kTimeout);
      return {};
    });
  });
  EXPECT_TRUE(taken);
  EXPECT_EQ(Value(*database_, "SELECT 3"), "3");
}

TEST_F(PostgresPoolerTest, ManyCallersAndCancelsDoNotConfuseSessions) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&, caller] {
      for (int turn = 0; turn < 15; ++turn) {
        const Json parameters = JsonArray{caller * 1000 + turn};
        if (Value(*database_, "SELECT $1::int", &parameters) !=
            std::to_string(caller * 1000 + turn)) {
          ++wrong;
        }
        if (turn % 5 != caller % 5) continue;
        KeptRows rows;
        const auto slow =
            database_->Read({.sql = "SELECT count(*) FROM generate_series(1, 100000000) a",
                             .deadline = Steady::now() + milliseconds(50),
                             .stop = {}},
                            rows);
        if (slow || slow.error().code != Code::kTimeout) ++wrong;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace toolpost::db
