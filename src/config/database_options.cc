// The rows of the option table about databases. Named connections are in named.cc.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> DatabaseTable() {
  return {
      Live(Alias(
          DefaultNote(Secret(
                          "database.url", [](Config& c) -> std::string& { return c.database.url; },
                          "Database of the connection `default`: `postgresql://…` or "
                          "`sqlite:///path/to/file.db`"),
                      "a small sample database, if no connection is configured at all"),
          "DATABASE_URL", "")),
      Live(String(
          "database.url_file", "", [](Config& c) -> std::string& { return c.database.url_file; },
          "File that holds that URL instead")),
      Live(String(
          "database.description", "",
          [](Config& c) -> std::string& { return c.database.description; },
          "What is in that database, for models")),
      Live(Integer(
          "database.max_connections", "8", 1, 1000,
          [](Config& c) -> std::uint64_t& { return c.database.max_connections; },
          "Connections to each database that does not say otherwise")),
      Live(Switch(
          "database.accept_privileged", "false",
          [](Config& c) -> bool& { return c.database.accept_privileged; },
          "Let other machines use a database account that could do more than read")),
      Integer(
          "database.max_rows", "10000", 1, 1'000'000,
          [](Config& c) -> std::uint64_t& { return c.database.max_rows; },
          "Most rows of one result"),
      Size(
          "database.max_cell", "8KiB", 64, kKiB * kKiB,
          [](Config& c) -> std::uint64_t& { return c.database.max_cell; },
          "Bytes of one value in a result before it is cut"),
      Size(
          "database.max_export", "64MiB", kKiB, kGiB,
          [](Config& c) -> std::uint64_t& { return c.database.max_export; },
          "Bytes of a whole result that is read through its link"),
      Time(
          "database.timeout", "30s", 100, kHour,
          [](Config& c) -> Duration& { return c.database.timeout; }, "Longest run of a statement"),
  };
}

}  // namespace toolpost::config
