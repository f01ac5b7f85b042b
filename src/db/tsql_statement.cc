// Looks at a token and its neighbours.
#include "db/tsql_statement.h"

#include "base/strings.h"

namespace toolpost::db {

using Kind = TsqlToken::Kind;

TsqlStatement::TsqlStatement(std::vector<TsqlToken> tokens) : tokens_(std::move(tokens)) {
  words_.reserve(tokens_.size());
  for (const TsqlToken& token : tokens_) {
    words_.push_back(token.kind == Kind::kWord ? ClassifyTsqlWord(token.text) : TsqlWord::kName);
  }
}

void TsqlStatement::RemoveFirst() {
  tokens_.erase(tokens_.begin());
  words_.erase(words_.begin());
}

void TsqlStatement::RemoveLast() {
  tokens_.pop_back();
  words_.pop_back();
}

bool TsqlStatement::Is(std::size_t at, std::string_view text) const {
  return at < size() && base::EqualIgnoringCase(tokens_[at].text, text);
}

bool TsqlStatement::IsNamed(std::size_t at, std::string_view name) const {
  return at < size() && base::EqualIgnoringCase(NameOf(tokens_[at]), name);
}

bool TsqlStatement::IsName(std::size_t at) const {
  if (at >= size()) return false;
  const Kind kind = tokens_[at].kind;
  if (kind == Kind::kWord) {
    const TsqlWord word = WordAt(at);
    const bool starter = word == TsqlWord::kStarter || word == TsqlWord::kSeldomStarter;
    return word == TsqlWord::kName || (starter && !IsStarter(at));
  }
  return kind == Kind::kQuotedName || kind == Kind::kTemporary || kind == Kind::kDollar;
}

bool TsqlStatement::IsPart(std::size_t at) const {
  const TsqlWord word = WordAt(at);
  return IsName(at) || word == TsqlWord::kStarter || word == TsqlWord::kSeldomStarter ||
         word == TsqlWord::kApply || word == TsqlWord::kNext || word == TsqlWord::kGo;
}

bool TsqlStatement::IsStarter(std::size_t at) const {
  if (at > 0 && WordAt(at - 1) == TsqlWord::kAs) return false;  // an alias
  if (WordAt(at) == TsqlWord::kStarter) return true;
  if (Is(at, "SEND")) return Is(at + 1, "ON");
  if (Is(at, "RENAME")) return IsNamed(at + 1, "OBJECT");
  return at > 0 && (IsNamed(at - 1, "GET") || IsNamed(at - 1, "MOVE"));  // CONVERSATION
}

bool TsqlStatement::IsAssigned(std::size_t at) const {
  const bool compound =
      at + 1 < size() &&
      std::string_view("+-*/%&^|").find(tokens_[at + 1].text) != std::string_view::npos;
  if (at == 0 || !Is(compound ? at + 2 : at + 1, "=")) return false;
  // In the list of a SELECT. Where a condition can stand, something else is before it.
  const TsqlToken& before = tokens_[at - 1];
  return WordAt(at - 1) == TsqlWord::kSelect || WordAt(at - 1) == TsqlWord::kAll ||
         Is(at - 1, "DISTINCT") || Is(at - 1, "PERCENT") || Is(at - 1, "TIES") ||
         before.text == "," || before.text == ")" || before.kind == Kind::kNumber;
}

bool TsqlStatement::IsFetchOfRows(std::size_t at) const {
  const auto rows = [&](std::size_t place) { return Is(place, "ROW") || Is(place, "ROWS"); };
  if (at == 0 || !rows(at - 1) || !(Is(at + 1, "NEXT") || Is(at + 1, "FIRST"))) return false;
  if (Is(at + 2, "(")) return true;
  const bool count = at + 2 < size() && (tokens_[at + 2].kind == Kind::kNumber ||
                                         tokens_[at + 2].kind == Kind::kVariable);
  return count && rows(at + 3) && Is(at + 4, "ONLY");
}

bool TsqlStatement::IsAloneOnLine(std::size_t at) const {
  return tokens_[at].after_line_break && (at + 1 >= size() || EndsLine(at + 1));
}

bool TsqlStatement::EndsLine(std::size_t at) const {
  if (tokens_[at].after_line_break) return true;
  return tokens_[at].kind == Kind::kNumber &&
         (at + 1 >= size() || tokens_[at + 1].after_line_break);
}

}  // namespace toolpost::db
