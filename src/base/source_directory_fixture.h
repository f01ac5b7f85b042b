// Where tests find the files that they compare with.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace toolpost::base {

// The project's root.
std::filesystem::path SourceDirectory();

// Published test suites, which may be absent: $TOOLPOST_TEST_DATA, or beside the project.
std::filesystem::path SharedData();

// The text of a file in tests/vectors; empty when there is none.
inline std::string VectorFile(const std::filesystem::path& name) {
  std::ifstream file(SourceDirectory() / "tests/vectors" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace toolpost::base
