// A statement as text: what is refused before it is parsed, and parameters that have names.
//
// Nothing here decides what a statement means. PostgreSQL's own parser does, on the text that comes
// out of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/statement_text.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct SqlToken {
  enum class Kind { kSpace, kComment, kString, kQuotedName, kWord, kNumber, kParameter, kOther };
  Kind kind;
  std::string_view text;  // never empty
};

// The token at the start of `sql`, which is not empty, by PostgreSQL's rules with
// standard_conforming_strings. A literal or comment without an end reaches to the end of the text.
SqlToken NextPostgresToken(std::string_view sql);

// Refuses what is empty, longer than kLongestStatement, not UTF-8, has control characters (other
// than tab, CR, LF) anywhere or invisible ones outside string literals (but for the emoji of
// comments and quoted names), or has more names, operators and brackets than a statement needs
// (which would exhaust the parser's stack).
Result<void> CheckPostgresText(std::string_view sql);

struct NumberedStatement {
  std::string sql;                 // with $1, $2 …
  std::vector<std::string> names;  // of $1, $2 …
};

// Replaces `:name` outside literals, quoted names and comments by numbers. `::type` and `:=` are
// left alone, and so is `[a:b]` when there is no parameter b. Code::kInvalidArgument when a name
// has no value, a value is not used, or the statement numbers parameters too.
Result<NumberedStatement> NumberParameters(std::string_view sql, const JsonObject& values);

struct QuestionMarks {
  std::string sql;        // with $1, $2 …, when `count` was right
  std::size_t count = 0;  // that can be parameters
};

// Replaces lone `?` outside literals, quoted names and comments by $1, $2 …, when there are `count`
// of them and the statement numbers none itself. Otherwise it stays as it is: `?` is also an
// operator of jsonb.
QuestionMarks NumberQuestionMarks(std::string_view sql, std::size_t count);

}  // namespace toolpost::db
