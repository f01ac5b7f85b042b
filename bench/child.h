// A child process under measurement: its pipes, the core it is pinned to, and what /proc says about
// it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

// Starts on construction, with pipes on standard input and output and standard error inherited;
// closes the input and reaps the child on destruction. Any failure ends the driver: a benchmark has
// nobody to recover for.
class Child {
 public:
  // `command` is a null-terminated argument list; the child is pinned to `core` unless that is
  // negative.
  Child(char** command, int core);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void Write(std::string_view data);
  // Appends whatever is there to `buffer`; waits for at least one byte.
  void Read(std::string& buffer);
  // CPU time of all threads so far, in nanoseconds.
  std::uint64_t CpuNanoseconds() const;
  // Resident memory in KiB.
  std::uint64_t RssKib() const;
  void Terminate();

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
};

// Nanoseconds on the monotonic clock.
std::uint64_t Now();
// Prints the message and exits with 1.
[[noreturn]] void Fail(std::string_view message);

}  // namespace bench
