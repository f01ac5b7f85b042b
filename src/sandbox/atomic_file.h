// Writes a file so that its name always leads to either the old or the new content: into a
// temporary file beside it, flushed, then renamed over it.
//
// The temporary file has a random name, mode 0600, and is locked (flock) as long as its writer
// lives, so that RemoveLeftovers can tell one of a killed process from one in use. Files are never
// written in place: another hard link of an old file keeps the old content. An AtomicFile belongs
// to one thread.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/confined_open.h"
#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

class AtomicFile {
 public:
  // `parent` must outlive the file; `given` is the caller's path, for messages.
  static Result<AtomicFile> Create(const Parent& parent, std::string given);
  AtomicFile(AtomicFile&&) noexcept = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();  // an uncommitted file is removed

  Result<void> Write(std::string_view data);
  // Appends the first `size` bytes of `source`, inside the kernel where possible. kConflict if it
  // turns out shorter.
  Result<void> CopyFrom(int source, std::uint64_t size);
  int descriptor() const { return file_.get(); }
  // Flushes, takes mode and (if permitted) owner of `replaced`, or the usual mode of new files when
  // that is null, and puts the file in its place. setuid, setgid and sticky are never taken over.
  // Returns what is there now.
  Result<struct stat> Commit(const struct stat* replaced);

 private:
  AtomicFile(const Parent& parent, std::string given, std::string name, Descriptor file);

  const Parent* parent_;
  std::string given_;
  std::string temporary_;  // empty when there is none any more
  Descriptor file_;
};

// The form of temporary names: `.toolpost-<32 hex digits>.tmp`. Listings leave them out.
bool IsTemporaryName(std::string_view name);

// Removes the temporary files of dead writers in the folder `directory` (open for reading). Returns
// how many.
std::size_t RemoveLeftovers(int directory);

}  // namespace toolpost::sandbox
