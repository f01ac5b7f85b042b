// PostgreSQL's errors about a user's statement, for that user.
#pragma once

#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

struct PostgresDiagnosis {
  std::string_view state;  // SQLSTATE
  std::string_view message;
  std::string_view detail;
  std::string_view hint;
  std::string_view position;  // a character of the statement, from 1
};

// PostgreSQL's words are passed on when they are about the statement; what is about the server goes
// to the log.
Error StatementError(const PostgresDiagnosis& diagnosis);
Error TookTooLong();

}  // namespace toolpost::db
