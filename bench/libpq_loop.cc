// A bare loop over libpq in the shape that database/query uses: one row by its key, prepared once,
// each time in a read-only transaction that is rolled back, all of it one pipeline.
// Usage: libpq_loop URL CONNECTIONS SECONDS; a thread for each connection. Prints one JSON line.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "child.h"
#include "db/libpq.h"

namespace {

using toolpost::db::Libpq;

constexpr const char* kStatement = "SELECT id, name, price, stock, added FROM items WHERE id = $1";
constexpr const char* kKey = "4711";

class Loop {
 public:
  Loop(const Libpq& pq, const std::string& url) : pq_(pq) {
    const char* const names[] = {"dbname", nullptr};
    const char* const values[] = {url.c_str(), nullptr};
    connection_ = pq.connectdb_params(names, values, 1);
    if (pq.status(connection_) != CONNECTION_OK) bench::Fail(pq.error_message(connection_));
    if (pq.enter_pipeline_mode(connection_) != 1) bench::Fail("no pipeline mode");
    Check(pq.send_prepare(connection_, "row", kStatement, 0, nullptr));
    Finish();
  }
  ~Loop() { pq_.finish(connection_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void Run(std::uint64_t until) {
    for (std::uint64_t begin = bench::Now(); begin < until;) {
      Query();
      const std::uint64_t end = bench::Now();
      times.push_back(end - begin);
      begin = end;
    }
  }

  std::vector<std::uint64_t> times;

 private:
  static void Check(int sent) {
    if (sent != 1) bench::Fail("libpq cannot send");
  }
  void Send(const char* sql) {
    Check(pq_.send_query_params(connection_, sql, 0, nullptr, nullptr, nullptr, nullptr, 0));
  }

  void Query() {
    Send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    Check(pq_.send_query_prepared(connection_, "row", 1, &kKey, nullptr, nullptr, 0));
    Send("ROLLBACK");
    if (Finish() != 1) bench::Fail("the row is missing");
  }

  // Reads to the end of the pipeline; returns the number of rows.
  int Finish() {
    Check(pq_.pipeline_sync(connection_));
    if (pq_.flush(connection_) != 0) bench::Fail("libpq cannot flush");
    int rows = 0;
    for (;;) {
      PGresult* result = pq_.get_result(connection_);
      if (result == nullptr) continue;
      const ExecStatusType status = pq_.result_status(result);
      if (status == PGRES_FATAL_ERROR) bench::Fail(pq_.error_message(connection_));
      rows += pq_.ntuples(result);
      for (int i = pq_.ntuples(result) > 0 ? pq_.nfields(result) - 1 : -1; i >= 0; --i)
        bytes_ += static_cast<std::size_t>(pq_.getlength(result, 0, i));
      pq_.clear(result);
      if (status == PGRES_PIPELINE_SYNC) return rows;
    }
  }

  const Libpq& pq_;
  PGconn* connection_ = nullptr;
  std::size_t bytes_ = 0;
};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) bench::Fail("Usage: libpq_loop URL CONNECTIONS SECONDS");
  const auto pq = Libpq::Load();
  if (!pq) bench::Fail(pq.error().message);
  std::vector<std::unique_ptr<Loop>> loops;
  for (int i = std::atoi(argv[2]); i > 0; --i)
    loops.push_back(std::make_unique<Loop>(**pq, argv[1]));
  const double cpu = CpuSeconds();
  const std::uint64_t begin = bench::Now();
  const std::uint64_t until = begin + std::strtoull(argv[3], nullptr, 10) * 1'000'000'000;
  std::vector<std::thread> threads;
  for (const auto& loop : loops) threads.emplace_back([&] { loop->Run(until); });
  for (std::thread& thread : threads) thread.join();
  const double seconds = static_cast<double>(bench::Now() - begin) / 1e9;
  std::vector<std::uint64_t> times;
  for (const auto& loop : loops) times.insert(times.end(), loop->times.begin(), loop->times.end());
  if (times.empty()) bench::Fail("no time for a single query");
  std::ranges::sort(times);
  const auto at = [&](std::size_t percent) {
    return static_cast<double>(times[(times.size() - 1) * percent / 100]) / 1e6;
  };
  std::printf(
      "{\"requests\":%zu,\"seconds\":%.6f,\"cpu_us\":%.3f,\"p50_ms\":%.4f,\"p95_ms\":%.4f}\n",
      times.size(), seconds, (CpuSeconds() - cpu) * 1e6 / static_cast<double>(times.size()), at(50),
      at(95));
}
