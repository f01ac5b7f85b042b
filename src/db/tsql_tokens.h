// The lexical structure of Transact-SQL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::db {

struct TsqlToken {
  enum class Kind {
    kWord,        // a keyword or a name without quotes
    kQuotedName,  // [name] or "name"
    kString,      // 'text' or N'text'
    kNumber,      // also 0x… and money
    kVariable,    // @name, @@name
    kTemporary,   // #name, ##name
    kDollar,      // $name
    kSymbol,      // one character, or ::
  };
  Kind kind;
  std::string_view text;  // as written; never empty; of the statement
  bool after_line_break =
      false;  // there is one between this token and the one before, or none before
};

// Splits a statement in one pass from left to right, as the server does: comments nest, quotes are
// doubled, and what looks like a quote or a comment inside another one is none. Spaces and comments
// are left out.
//
// Refuses, with Code::kInvalidArgument, what CheckStatementBytes() and RefuseInvisible() refuse (in
// comments and quoted names too), a carriage return without a line feed, quotes, brackets and
// comments without an end, characters that begin no token (braces, `?`, `$(`, backslash …), letters
// that are not of a script in wide use outside of quotes, and a number that runs into a word or
// name.
Result<std::vector<TsqlToken>> TokenizeTsql(std::string_view sql);

// The name a token of kind kWord or kQuotedName stands for: without quotes, doubled ones single.
std::string NameOf(const TsqlToken& token);

}  // namespace toolpost::db
