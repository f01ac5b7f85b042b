// PostgresDatabase when the network between it and the server swallows packets or breaks.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "db/postgres_database_fixture.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

sockaddr_un Address(const fs::path& directory) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (directory / ".s.PGSQL.5432").string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

// Forwards connections to the server until it is told to swallow everything or to break them.
class Proxy {
 public:
  enum class Kind { kUnix, kTcp };
  explicit Proxy(fs::path server, Kind kind = Kind::kUnix) : server_(std::move(server)) {
    std::string pattern = (fs::temp_directory_path() / "toolpost-cut-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    if (kind == Kind::kUnix) {
      listener_ = socket(AF_UNIX, SOCK_STREAM, 0);
      const sockaddr_un address = Address(directory_);
      EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
      place_ = directory_.string();
    } else {
      listener_ = socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      auto* any = reinterpret_cast<sockaddr*>(&address);
      socklen_t size = sizeof address;
      EXPECT_EQ(bind(listener_, any, size), 0);
      EXPECT_EQ(getsockname(listener_, any, &size), 0);
      place_ = "127.0.0.1&port=" + std::to_string(ntohs(address.sin_port));
    }
    EXPECT_EQ(listen(listener_, 50), 0);
    thread_ = std::thread([this] { Run(); });
  }
  ~Proxy() {
    stop_ = true;
    thread_.join();
    Break();
    close(listener_);
    fs::remove_all(directory_);
  }
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // What follows "host=" in a URL.
  const std::string& place() const { return place_; }
  // Returns when somebody wants to connect and is not let in.
  void AwaitKnock() const {
    pollfd knock{listener_, POLLIN, 0};
    EXPECT_EQ(poll(&knock, 1, 30'000), 1);
  }
  std::atomic<bool> swallow = false;
  std::atomic<bool> break_all = false;

 private:
  void Run() {
    while (!stop_) {
      if (break_all) Break();
      if (swallow) {
        std::this_thread::yield();
        continue;
      }
      std::vector<pollfd> ready = {{listener_, POLLIN, 0}};
      for (const auto& [from, to] : pairs_) ready.push_back({from, POLLIN, 0});
      if (poll(ready.data(), ready.size(), 5) <= 0 || swallow) continue;
      for (std::size_t i = 1; i < ready.size(); ++i) {
        if (ready[i].revents != 0 && !Forward(pairs_[i - 1].first, pairs_[i - 1].second)) {
          Drop(ready[i].fd);
          break;
        }
      }
      if (ready[0].revents != 0) Accept();
    }
  }
  void Accept() {
    const int client = accept(listener_, nullptr, nullptr);
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_un address = Address(server_);
    if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      close(client);
      close(server);
      return;
    }
    pairs_.emplace_back(client, server);
    pairs_.emplace_back(server, client);
  }
  // A receiver may stop reading until the connection breaks: waiting for it must notice that.
  bool Forward(int from, int to) {
    char bytes[16384];
    const ssize_t size = recv(from, bytes, sizeof bytes, 0);
    std::string_view rest(bytes, size > 0 ? static_cast<std::size_t>(size) : 0);
    while (!rest.empty() && !break_all && !stop_) {
      pollfd writable{to, POLLOUT, 0};
      if (poll(&writable, 1, 5) == 0) continue;
      const ssize_t sent = send(to, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EAGAIN) continue;
      if (sent < 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return size > 0 && rest.empty();
  }
  void Drop(int one) {
    std::erase_if(pairs_, [&](const auto& pair) {
      if (pair.first != one && pair.second != one) return false;
      close(pair.first);  // each end is the first of one of the two
      return true;
    });
  }
  void Break() {
    break_all = false;
    for (const auto& pair : pairs_) close(pair.first);
    pairs_.clear();
  }

  const fs::path server_;
  fs::path directory_;
  std::string place_;
  int listener_ = -1;
  std::atomic<bool> stop_ = false;
  std::vector<std::pair<int, int>> pairs_;
  std::thread thread_;
};

class PostgresNetworkTest : public PostgresDatabaseTest {
 protected:
  void SetUp() override { Connect(Proxy::Kind::kUnix); }
  void Connect(Proxy::Kind kind) {
    TearDown();
    const std::size_t host = url().find("host=") + 5;
    proxy_ = std::make_unique<Proxy>(url().substr(host), kind);
    database_ = OpenPostgresDatabase({.url = url().substr(0, host) + proxy_->place(),
                                      .max_connections = 3,
                                      .connect_timeout = seconds(2)})
                    .value();
    ASSERT_EQ(Value(*database_, "SELECT 1"), "1");
  }
  void TearDown() override {
    database_.reset();
    proxy_.reset();
  }
  void ExpectRecovery() {
    const auto deadline = Steady::now() + seconds(60);
    while (Value(*database_, "SELECT 41 + 1") != "42" && Steady::now() < deadline) {
      std::this_thread::yield();
    }
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(Value(*database_, "SELECT " + std::to_string(i)), std::to_string(i));
    }
    EXPECT_TRUE(database_->Status().reachable);
    EXPECT_EQ(database_->Status().busy, 0);
  }

  std::unique_ptr<Proxy> proxy_;
  std::unique_ptr<Database> database_;
};

TEST_F(PostgresNetworkTest, ASilentNetworkFailsWithinTheDeadlineAndIsSurvived) {
  proxy_->swallow = true;
  KeptRows rows;
  const auto done = database_->Read(
      {.sql = "SELECT 2", .deadline = Steady::now() + milliseconds(200), .stop = {}}, rows);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kTimeout);
  EXPECT_TRUE(rows.rows.empty());
  // Its connection is gone, and a new one gets no answer either.
  const auto again = database_->Check();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kUnavailable);
  EXPECT_FALSE(database_->Status().reachable);
  proxy_->swallow = false;
  ExpectRecovery();
}

TEST_F(PostgresNetworkTest, AnUnansweredLoginEndsAtTheDeadlineAndWhenTheCallerCancels) {
  proxy_->break_all = true;
  while (proxy_->break_all) std::this_thread::yield();
  proxy_->swallow = true;
  KeptRows rows;
  const auto late = database_->Read(
      {.sql = "SELECT 2", .deadline = Steady::now() + milliseconds(200), .stop = {}}, rows);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kTimeout);
  std::stop_source source;
  std::thread canceller([&] {
    proxy_->AwaitKnock();
    source.request_stop();
  });
  const auto cancelled = database_->Read(
      {.sql = "SELECT 3", .deadline = Steady::now() + seconds(60), .stop = source.get_token()},
      rows);
  canceller.join();
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, Code::kCancelled);
  proxy_->swallow = false;
  ExpectRecovery();
}

// The process that serves us is stopped, as it would be where memory or disks are overloaded.
TEST_F(PostgresNetworkTest, ASessionThatDoesNotAnswerKeepsItsPlaceUntilItEnds) {
  const auto database = Open(1);
  const std::string pid = Value(*database, "SELECT pg_backend_pid()");
  const auto others = [&] {
    return IntegerOr((*admin().Query("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                     "current_database() AND pid NOT IN (pg_backend_pid(), " +
                                     pid + ")"))[0][0],
                     -1);
  };
  const auto before = others();
  ASSERT_EQ(kill(std::stoi(pid), SIGSTOP), 0);
  const auto read = [&] {
    KeptRows rows;
    return database->Read(
        {.sql = "SELECT 2", .deadline = Steady::now() + milliseconds(200), .stop = {}}, rows);
  };
  const auto first = read(), second = read();
  ASSERT_EQ(kill(std::stoi(pid), SIGCONT), 0);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, Code::kTimeout);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kUnavailable);
  EXPECT_EQ(others(), before);
  EXPECT_EQ(Value(*database, "SELECT 3"), "3");
  EXPECT_EQ(others(), before + 1);
}

TEST_F(PostgresNetworkTest, TheCatalogueIsWaitedForNoLongerThanTheCallerWants) {
  const std::vector<std::string> names = {"customers"};
  const auto ask = [&](Database& database, int what, const Patience& patience) -> Result<void> {
    if (what == 0) RETURN_IF_ERROR(database.Tables({}, patience));
    if (what == 1) RETURN_IF_ERROR(database.Describe("", names, patience));
    return what == 2 ? database.Check(patience) : Result<void>();
  };
  for (const int what : {0, 1, 2}) {
    const auto database = Open(1);
    const std::string pid = Value(*database, "SELECT pg_backend_pid()");
    ASSERT_EQ(kill(std::stoi(pid), SIGSTOP), 0);
    const auto begin = Steady::now();
    const auto late = ask(*database, what, {.deadline = begin + milliseconds(200)});
    ASSERT_EQ(kill(std::stoi(pid), SIGCONT), 0);
    ASSERT_FALSE(late) << what;
    EXPECT_EQ(late.error().code, Code::kTimeout) << what;
    EXPECT_LT(Steady::now() - begin, seconds(25)) << what;  // 30 is what it has by default
    std::stop_source stopped;
    stopped.request_stop();
    const auto cancelled =
        ask(*database, what, {.deadline = begin + seconds(60), .stop = stopped.get_token()});
    ASSERT_FALSE(cancelled) << what;
    EXPECT_EQ(cancelled.error().code, Code::kCancelled) << what;
  }
}

// How much of it is read depends on who is faster, server or reader.
TEST_F(PostgresNetworkTest, ARowThatIsTooLargeEndsItsConnection) {
  for (const Proxy::Kind kind : {Proxy::Kind::kUnix, Proxy::Kind::kTcp}) {
    Connect(kind);
    KeptRows rows;
    const auto done = Read(
        *database_,
        "SELECT repeat(repeat('x', 1000), 400000 * id::int) FROM customers WHERE id = 1", rows);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Code::kTooLarge) << done.error().message;
    EXPECT_TRUE(rows.rows.empty());
    EXPECT_EQ(Value(*database_, "SELECT 2"), "2");
  }
}

TEST_F(PostgresNetworkTest, ABrokenConnectionIsReplacedAndLeavesNoSession) {
  for (int i = 0; i < 5; ++i) {
    proxy_->break_all = true;
    while (proxy_->break_all) std::this_thread::yield();
    EXPECT_EQ(Value(*database_, "SELECT 2"), "2");
  }
  const auto deadline = Steady::now() + seconds(30);
  const auto sessions = [] {
    return IntegerOr((*admin().Query("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                     "current_database() AND pid <> pg_backend_pid()"))[0][0],
                     -1);
  };
  while (sessions() != 1 && Steady::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(sessions(), 1);
}

TEST_F(PostgresNetworkTest, AConnectionThatBreaksWithinAResultFailsIt) {
  class Breaker final : public RowSink {
   public:
    explicit Breaker(Proxy& proxy) : proxy_(proxy) {}
    void Begin(std::span<const ResultColumn>) override { ++begun; }
    bool Add(std::span<const Cell>) override {
      if (++rows == 100) {
        proxy_.break_all = true;
        while (proxy_.break_all) std::this_thread::yield();
      }
      return true;
    }
    int begun = 0, rows = 0;

   private:
    Proxy& proxy_;
  };
  Breaker sink(*proxy_);
  const auto done = Read(*database_, "SELECT generate_series(1, 100000000)", sink);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kUnavailable);
  EXPECT_EQ(sink.begun, 1);  // and was not run again
  ExpectRecovery();
}

}  // namespace
}  // namespace toolpost::db
