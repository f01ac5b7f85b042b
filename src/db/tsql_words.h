// The keywords of Transact-SQL, by what a reading statement may do with them.
#pragma once

#include <string_view>

namespace toolpost::db {

enum class TsqlWord {
  kName,           // no keyword
  kPlain,          // a keyword that can only read, wherever it stands
  kOperand,        // the same, and a value or the end of one
  kRefused,        // a reserved word of other statements
  kStarter,        // not reserved, but begins a statement that does not read
  kSeldomStarter,  // the same, but only beside certain words (TsqlStatement::IsStarter)
  kLockHint,       // takes locks that keep others from writing
  // Allowed in some places only.
  kSelect,
  kWith,
  kAs,
  kFrom,
  kJoin,
  kApply,
  kOn,
  kClause,  // ends the list of tables
  kSetOperator,
  kAll,
  kValues,
  kCase,
  kInCase,  // WHEN, THEN, ELSE
  kEnd,
  kDefault,
  kCurrent,
  kFetch,
  kMerge,
  kNext,
  kOption,
  kGo,
};

// `word` without quotes, in any case. One of other than ASCII letters that a server may take for a
// keyword is kRefused; every other one is kName.
TsqlWord ClassifyTsqlWord(std::string_view word);

}  // namespace toolpost::db
