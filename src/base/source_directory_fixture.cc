#include "base/source_directory_fixture.h"

#include <cstdlib>

namespace toolpost::base {

std::filesystem::path SourceDirectory() { return TOOLPOST_SOURCE_DIR; }

std::filesystem::path SharedData() {
  if (const char* directory = std::getenv("TOOLPOST_TEST_DATA")) return directory;
  return SourceDirectory().parent_path() / "shared/data";
}

}  // namespace toolpost::base
