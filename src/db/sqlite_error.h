// What an SQLite result code means to a caller.
#pragma once

#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

// `code` is an extended result code, `file` the file's name, `detail` the engine's words: logged,
// not in the message.
Error SqliteError(int code, std::string_view file, std::string_view detail);

// The same for who reads the database of somebody else, of what is not the statement's fault.
Error SqliteReadError(int code);

}  // namespace toolpost::db
