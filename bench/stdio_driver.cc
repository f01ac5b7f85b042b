// Drives one stdio server: initialize, then sequential calls, then calls with a window of requests
// in flight. Prints one JSON line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "child.h"

namespace {

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})"
    "\n";
constexpr std::string_view kInitialized =
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

struct Options {
  int core = -1;
  std::uint64_t sequential = 20'000;
  std::uint64_t windowed = 200'000;
  std::uint64_t window = 64;
  std::string tool = "bench_echo";
  std::string arguments = R"({"message":"hello"})";
  char** command = nullptr;
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  int i = 1;
  for (; i + 1 < argc && std::strcmp(argv[i], "--") != 0; i += 2) {
    const std::string_view name = argv[i];
    const char* value = argv[i + 1];
    if (name == "--core") {
      options.core = std::atoi(value);
    } else if (name == "--sequential") {
      options.sequential = std::strtoull(value, nullptr, 10);
    } else if (name == "--windowed") {
      options.windowed = std::strtoull(value, nullptr, 10);
    } else if (name == "--window") {
      options.window = std::strtoull(value, nullptr, 10);
    } else if (name == "--tool") {
      options.tool = value;
    } else if (name == "--arguments") {
      options.arguments = value;
    } else {
      bench::Fail("unknown option " + std::string(name));
    }
  }
  if (i + 1 >= argc) {
    bench::Fail(
        "usage: stdio_driver [--core N] [--sequential N] [--windowed N] [--window N] [--tool NAME] "
        "[--arguments JSON] -- SERVER [ARGUMENT…]");
  }
  options.command = argv + i + 1;
  return options;
}

class Client {
 public:
  Client(bench::Child& server, const Options& options)
      : server_(server),
        head_(R"({"jsonrpc":"2.0","id":)"),
        tail_(R"(,"method":"tools/call","params":{"name":")" + options.tool + R"(","arguments":)" +
              options.arguments + "}}\n") {}

  void Initialize() {
    server_.Write(kInitialize);
    while (TakeReplies(false) == 0) server_.Read(buffer_);
    server_.Write(kInitialized);
  }

  // Sends `calls` requests, never more than `window` unanswered. `latencies` gets one entry per
  // call when window is 1.
  void Run(std::uint64_t calls, std::uint64_t window, std::vector<std::uint64_t>* latencies) {
    std::uint64_t sent = 0;
    std::uint64_t answered = 0;
    std::string out;
    while (answered < calls) {
      for (; sent < calls && sent - answered < window; ++sent) {
        out += head_;
        out += std::to_string(++id_);
        out += tail_;
      }
      const std::uint64_t begin = bench::Now();
      if (!out.empty()) server_.Write(out);
      out.clear();
      server_.Read(buffer_);
      const std::uint64_t replies = TakeReplies(true);
      answered += replies;
      if (latencies != nullptr && replies == 1) latencies->push_back(bench::Now() - begin);
    }
  }

 private:
  std::uint64_t TakeReplies(bool calls) {
    std::uint64_t count = 0;
    std::size_t begin = 0;
    for (std::size_t end; (end = buffer_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto line = std::string_view(buffer_).substr(begin, end - begin);
      if (line.find("\"method\":") != std::string_view::npos) continue;  // a notification
      if (line.find("\"result\":") == std::string_view::npos ||
          (calls && line.find("\"isError\":true") != std::string_view::npos)) {
        bench::Fail("a call failed: " + std::string(line));
      }
      ++count;
    }
    buffer_.erase(0, begin);
    return count;
  }

  bench::Child& server_;
  std::string head_;
  std::string tail_;
  std::string buffer_;
  std::uint64_t id_ = 0;
};

double Percentile(std::vector<std::uint64_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
  return static_cast<double>(sorted[at]) / 1e3;
}

struct Phase {
  double per_second = 0;
  double cpu_us = 0;
};

template <typename Work>
Phase Measure(const bench::Child& server, std::uint64_t calls, Work work) {
  if (calls == 0) return {};
  const std::uint64_t cpu = server.CpuNanoseconds();
  const std::uint64_t begin = bench::Now();
  work();
  const auto wall = static_cast<double>(bench::Now() - begin);
  const auto used = static_cast<double>(server.CpuNanoseconds() - cpu);
  const auto count = static_cast<double>(calls);
  return {count * 1e9 / wall, used / 1e3 / count};
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = ParseOptions(argc, argv);
  bench::Child server(options.command, options.core);
  Client client(server, options);
  client.Initialize();
  const std::uint64_t idle = server.RssKib();
  client.Run(std::min<std::uint64_t>(options.sequential, 1'000), 1, nullptr);

  std::vector<std::uint64_t> latencies;
  latencies.reserve(options.sequential);
  const Phase sequential =
      Measure(server, options.sequential, [&] { client.Run(options.sequential, 1, &latencies); });
  const Phase windowed = Measure(server, options.windowed,
                                 [&] { client.Run(options.windowed, options.window, nullptr); });
  std::sort(latencies.begin(), latencies.end());
  std::printf(
      R"({"sequential_per_s":%.0f,"sequential_cpu_us":%.2f,"p50_us":%.1f,"p95_us":%.1f,"p99_us":%.1f,)"
      R"("windowed_per_s":%.0f,"windowed_cpu_us":%.2f,"rss_idle_kib":%lu,"rss_after_kib":%lu})"
      "\n",
      sequential.per_second, sequential.cpu_us, Percentile(latencies, 0.5),
      Percentile(latencies, 0.95), Percentile(latencies, 0.99), windowed.per_second,
      windowed.cpu_us, idle, server.RssKib());
}
