// Remembers, beyond the life of the process, in which folders temporary files may have been left,
// so that a start after a crash cleans up exactly there instead of searching the roots.
//
// One file per process in the state directory, `file-writes-<random>`, locked while the process
// lives, with one folder per line. Made with the first write, removed at a clean end. Thread-safe.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "sandbox/descriptor.h"
#include "sandbox/roots.h"

namespace toolpost::sandbox {

class WriteJournal {
 public:
  // `directory` is made when needed; without one that can be written nothing is remembered.
  explicit WriteJournal(std::string directory) : directory_(std::move(directory)) {}
  ~WriteJournal();
  WriteJournal(const WriteJournal&) = delete;
  WriteJournal& operator=(const WriteJournal&) = delete;

  // To be called before a temporary file is made beside `location`.
  void Note(const Location& location);

  // Removes what dead processes left in folders of `roots`, and their journals. Returns how many
  // temporary files.
  std::size_t CleanUp(const Roots& roots);

 private:
  void Append(const std::string& folder);

  const std::string directory_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> noted_;
  std::string path_;
  Descriptor file_;
};

}  // namespace toolpost::sandbox
