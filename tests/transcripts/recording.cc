// Recordings as files of lines.
#include "recording.h"

#include <cstdlib>

namespace toolpost::transcripts {

Recording::Recording(const std::string& name) {
  const char* directory = std::getenv("TOOLPOST_TRANSCRIPT_RECORDINGS");
  wanted_ = directory != nullptr && *directory != '\0';
  if (wanted_) file_.open(std::string(directory) + "/" + name + ".log");
}

void Recording::Write(std::string_view mark, std::string_view text) {
  if (wanted_) file_ << mark << text << '\n';
}

bool Recording::Close() {
  if (!wanted_) return true;
  file_.close();
  return !file_.fail();
}

}  // namespace toolpost::transcripts
