// The entries of one folder.
#pragma once

#include <string>
#include <vector>

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

struct DirectoryEntry {
  std::string name;
  unsigned char type = 0;  // DT_… of readdir; DT_UNKNOWN where the file system does not say
};

// The temporary files of writers (atomic_file.h).
enum class Temporary { kLeftOut, kShown };

// Reads at most `limit` entries of the folder (open for reading) into `entries`, sorted by bytes,
// without `.` and `..`. Returns an errno value, or 0; EFBIG when there are more than `limit`.
int ReadDirectory(int directory, std::size_t limit, Temporary temporary,
                  std::vector<DirectoryEntry>& entries);

// Opens the folder `name` in `directory` for reading, never following a link. Empty with errno set.
Descriptor OpenChild(int directory, const std::string& name);

}  // namespace toolpost::sandbox
