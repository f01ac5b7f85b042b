// The tokens of a Transact-SQL statement, with what their words mean and what stands beside them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "db/tsql_tokens.h"
#include "db/tsql_words.h"

namespace toolpost::db {

// Every place may be asked for: beyond the end there is nothing.
class TsqlStatement {
 public:
  explicit TsqlStatement(std::vector<TsqlToken> tokens);

  std::size_t size() const { return tokens_.size(); }
  bool empty() const { return tokens_.empty(); }
  const TsqlToken& operator[](std::size_t at) const { return tokens_[at]; }
  std::span<const TsqlToken> tokens() const { return tokens_; }
  void RemoveFirst();
  void RemoveLast();

  // TsqlWord::kName for what is no word.
  TsqlWord WordAt(std::size_t at) const { return at < size() ? words_[at] : TsqlWord::kName; }
  // Spelled like this, in any case.
  bool Is(std::size_t at, std::string_view text) const;
  // The same, and also as [text] or "text".
  bool IsNamed(std::size_t at, std::string_view name) const;
  // A name that is no keyword.
  bool IsName(std::size_t at) const;
  // What may stand behind a dot: there, only reserved words are none.
  bool IsPart(std::size_t at) const;

  // Whether the TsqlWord::kStarter or kSeldomStarter at this place begins a statement, as in SEND
  // ON, and is no name.
  bool IsStarter(std::size_t at) const;
  // Whether the variable at this place is set, as in SELECT @a = 1, rather than read.
  bool IsAssigned(std::size_t at) const;
  // OFFSET n ROWS FETCH NEXT n ROWS ONLY, and not the FETCH of a cursor.
  bool IsFetchOfRows(std::size_t at) const;
  // Whether the word at this place, and perhaps a number, has a line of its own.
  bool IsAloneOnLine(std::size_t at) const;

 private:
  bool EndsLine(std::size_t at) const;

  std::vector<TsqlToken> tokens_;
  std::vector<TsqlWord> words_;  // of each token
};

}  // namespace toolpost::db
