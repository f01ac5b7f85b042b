// What passed in one replay, both directions, for the schema check of ../e2e.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace toolpost::transcripts {

// Writes one line per message, "> " for what the client sent and "< " for what it received, into
// `<name>.log` of the directory named by TOOLPOST_TRANSCRIPT_RECORDINGS; without that variable it
// writes nothing. Not thread-safe.
class Recording {
 public:
  explicit Recording(const std::string& name);
  void Sent(std::string_view text) { Write("> ", text); }
  void Received(std::string_view text) { Write("< ", text); }
  // True if all that was to be written was written.
  bool Close();

 private:
  void Write(std::string_view mark, std::string_view text);

  bool wanted_;
  std::ofstream file_;
};

}  // namespace toolpost::transcripts
