// JSON-RPC lines on two descriptors: standard input and output, or a pair of pipes in tests.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "toolpost/transport.h"

namespace toolpost::transport {

// What the reading thread writes is gathered and leaves in one write before it blocks for more
// input; what other threads write leaves at once. Does not own the descriptors.
class StdioTransport : public Transport {
 public:
  StdioTransport(int in, int out, std::size_t max_message_bytes);

  // Code::kTooLarge for a line above the limit, which is skipped: reading goes on.
  Result<std::string> Read() override;
  void Write(std::string_view message) override;
  // Ends output; a Read() in progress ends with the input.
  void Close() override;
  HealthState Health() const override;
  std::string_view name() const override { return "stdio"; }

 private:
  enum class Line { kNone, kWhole, kTooLong };

  // Takes the next line out of the buffer.
  Line NextLine(std::string& line);
  // Reads more input; false at its end.
  bool Fill();
  void Flush();
  // Writes a large message from where it is; false: another thread is writing.
  bool WriteInPlace(std::string_view message);

  const int in_;
  const int out_;
  const std::size_t max_message_bytes_;

  std::vector<char> input_;
  std::size_t end_ = 0;      // of what was read into input_
  std::size_t begin_ = 0;    // of the current line in input_
  std::size_t scanned_ = 0;  // no newline before this
  bool skipping_ = false;    // inside a line above the limit
  std::atomic<bool> at_end_{false};

  std::mutex mutex_;
  std::atomic<std::thread::id> reader_;
  std::string output_;
  bool writing_ = false;
  bool widened_ = false;  // the pipe was asked to hold more
  std::atomic<bool> closed_{false};
};

}  // namespace toolpost::transport
