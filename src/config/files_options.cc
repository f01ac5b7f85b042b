// The rows of the option table about files.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> FilesTable() {
  return {
      DefaultNote(List(
                      "files.roots", "", [](Config& c) -> Strings& { return c.files.roots; },
                      "Folders the file and shell tools may work in; relative paths start in the "
                      "first"),
                  "the working directory, unless that is `/`, the home directory or `state.dir`"),
      List(
          "files.read_only_roots", "",
          [](Config& c) -> Strings& { return c.files.read_only_roots; },
          "Folders the file and shell tools may only read"),
      Switch(
          "files.follow_links", "false", [](Config& c) -> bool& { return c.files.follow_links; },
          "Follow relative symbolic links that stay inside their root"),
      Switch(
          "files.client_roots", "false", [](Config& c) -> bool& { return c.files.client_roots; },
          "Confine each call further to the folders the client declares (`roots/list`); costs a "
          "question to the client per call"),
      Size(
          "files.max_read", "10MiB", kKiB, kGiB,
          [](Config& c) -> std::uint64_t& { return c.files.max_read; },
          "Most bytes of one read; files may be larger"),
  };
}

}  // namespace toolpost::config
