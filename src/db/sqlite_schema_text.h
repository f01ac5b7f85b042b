// What only the text of an SQLite schema says, as sqlite_schema keeps it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::db {

// The end of the quoted name, string or comment that begins at `at`, else of one character.
std::size_t SkipToken(std::string_view sql, std::size_t at);

// The conditions of the CHECK constraints in a CREATE TABLE statement.
std::vector<std::string> ChecksOf(std::string_view create_table);

// The module that a CREATE VIRTUAL TABLE statement uses.
std::string ModuleOf(std::string_view create_virtual_table);

// The parts of a CREATE INDEX statement that no pragma tells.
struct IndexText {
  std::vector<std::string> columns;  // as written
  std::string predicate;
};
IndexText IndexTextOf(std::string_view create_index);

}  // namespace toolpost::db
