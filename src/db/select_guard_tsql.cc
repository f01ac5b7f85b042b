// A walk over the tokens, with a frame for every open parenthesis.
#include "db/select_guard_tsql.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "db/tsql_frame.h"
#include "db/tsql_hints.h"
#include "db/tsql_policy.h"
#include "db/tsql_statement.h"

namespace toolpost::db {
namespace {

using Kind = TsqlToken::Kind;

constexpr std::size_t kDeepestNesting = 100;
constexpr std::string_view kAllowed =
    "Allowed is one SELECT statement, also WITH … SELECT, that only reads.";

Error Refuse(std::string_view what) {
  return Error::InvalidParams(base::StrCat(what, ". ", kAllowed));
}

std::string Upper(std::string_view text) {
  std::string upper(text.substr(0, 64));
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  });
  return upper;
}

using Frame = TsqlFrame;

class Guard {
 public:
  Guard(std::vector<TsqlToken> tokens, const TsqlSurroundings& surroundings)
      : tokens_(std::move(tokens)), surroundings_(surroundings) {}

  Result<void> Check() {
    if (!tokens_.empty() && tokens_.Is(tokens_.size() - 1, ";")) tokens_.RemoveLast();
    // As many write before WITH, which needs it behind another statement.
    if (tokens_.Is(0, ";")) tokens_.RemoveFirst();
    RETURN_IF_ERROR(CheckStart());
    frames_.emplace_back();
    while (at_ < tokens_.size()) {
      RETURN_IF_ERROR(Visit(tokens_[at_]));
    }
    if (frames_.size() > 1) return Refuse("A parenthesis is not closed");
    if (frames_.back().cases > 0) return Refuse("A CASE has no END");
    if (header_) return Refuse("The list after WITH is not followed by a SELECT");
    return {};
  }

 private:
  using Place = Frame::Place;

  Frame& Top() { return frames_.back(); }

  TsqlWord WordAt(std::size_t at) const { return tokens_.WordAt(at); }
  bool Is(std::size_t at, std::string_view text) const { return tokens_.Is(at, text); }
  bool After(TsqlWord word) const { return at_ > 0 && WordAt(at_ - 1) == word; }
  bool After(std::string_view text) const { return at_ > 0 && Is(at_ - 1, text); }

  Result<void> CheckStart() const {
    std::size_t first = 0;
    while (Is(first, "(")) ++first;
    if (first >= tokens_.size()) return Refuse("The statement is empty");
    const TsqlWord word = WordAt(first);
    if (word == TsqlWord::kSelect || (word == TsqlWord::kWith && first == 0)) return {};
    if (tokens_[first].kind == Kind::kWord || tokens_[first].kind == Kind::kQuotedName) {
      return Refuse(base::StrCat("A statement that begins with ", Upper(tokens_[first].text),
                                 " is not allowed"));
    }
    if (Is(0, ";")) return Refuse("The statement begins with several semicolons: leave them out");
    return Refuse("The statement does not begin with SELECT or WITH");
  }

  Result<void> Visit(const TsqlToken& token) {
    switch (token.kind) {
      case Kind::kWord:
        return VisitWord(token);
      case Kind::kSymbol:
        return VisitSymbol(token);
      case Kind::kVariable:
        return VisitVariable(token);
      case Kind::kTemporary:
        return Refuse(base::StrCat("The temporary table ", token.text.substr(0, 64),
                                   " is not allowed: a statement that reads makes none"));
      case Kind::kDollar:
        if (!IsTsqlDollarName(token.text))
          return Refuse(base::StrCat(token.text.substr(0, 64), " is not allowed"));
        return VisitName();
      case Kind::kQuotedName:
        return VisitName();
      case Kind::kString:
      case Kind::kNumber:
        break;
    }
    ++at_;
    return {};
  }

  Result<void> VisitVariable(const TsqlToken& token) {
    const std::string_view name = token.text;
    if (name.starts_with("@@")
            ? !IsTsqlGlobal(name)
            : std::none_of(surroundings_.parameters.begin(), surroundings_.parameters.end(),
                           [&](std::string_view parameter) {
                             return base::EqualIgnoringCase(parameter, name.substr(1));
                           })) {
      return Refuse(base::StrCat("The variable ", name.substr(0, 64),
                                 " is not allowed: it is not among the parameters"));
    }
    if (tokens_.IsAssigned(at_)) {
      return Refuse(base::StrCat("A SELECT that sets ", name.substr(0, 64),
                                 " is not allowed: it returns no rows"));
    }
    if (Top().place == Place::kTable) Top().place = Place::kAfterTable;
    ++at_;
    return {};
  }

  Result<void> VisitSymbol(const TsqlToken& token) {
    if (token.text == "(") return Open();
    if (token.text == ")") return Close();
    if (token.text == ";") return Refuse("A second statement (after ;) is not allowed");
    if (token.text == "," && Top().in_from) Top().place = Place::kTable;
    if (token.text == "," && frames_.size() == 1) list_complete_ = false;
    if (token.text == ".") return VisitMethod();
    if (token.text == "::" && !BehindTypeWithMethods())
      return Refuse(":: is not allowed but after geometry, geography and hierarchyid");
    if (token.text == ":" && !base::EqualIgnoringCase(Top().called.substr(0, 11), "json_object"))
      return Refuse("A colon is not allowed but in JSON_OBJECT (labels are for programs)");
    ++at_;
    return {};
  }

  // A type of that name in another schema is somebody's own.
  bool BehindTypeWithMethods() const {
    if (at_ == 0 || !HasStaticMethods(NameOf(tokens_[at_ - 1]))) return false;
    return at_ < 2 || !Is(at_ - 2, ".") || (at_ > 2 && tokens_.IsNamed(at_ - 3, "sys"));
  }

  // `(SELECT …).value(…)` and `@x.value(…)`; every other dot belongs to a name.
  Result<void> VisitMethod() {
    const bool behind_value =
        at_ > 0 && (tokens_[at_ - 1].text == ")" || tokens_[at_ - 1].kind == Kind::kVariable);
    if (!behind_value || !tokens_.IsPart(at_ + 1))
      return Refuse("A dot that joins no names is not allowed");
    ++at_;
    return VisitName();
  }

  // A value, so that a parenthesis behind it can neither be its arguments nor a part of it.
  bool AfterOperand() const {
    if (at_ == 0) return false;
    const TsqlToken& before = tokens_[at_ - 1];
    if (before.kind == Kind::kWord) {
      const TsqlWord word = WordAt(at_ - 1);
      return word == TsqlWord::kOperand || word == TsqlWord::kEnd;
    }
    if (before.text == ")") return !base::EqualIgnoringCase(closed_, "top");
    return before.kind == Kind::kString || before.kind == Kind::kVariable ||
           (before.kind == Kind::kNumber && !(at_ > 1 && Is(at_ - 2, "TOP")));
  }

  Result<void> Open() {
    if (frames_.size() > kDeepestNesting) return Refuse("Parentheses are nested too deeply");
    std::size_t inner = at_ + 1;
    while (Is(inner, "(")) ++inner;
    const bool query = WordAt(inner) == TsqlWord::kSelect;
    const bool named = at_ > 0 && tokens_.IsName(at_ - 1) && !After("OFFSET") && !After("TIES");
    // WITH … (SELECT …)
    const bool main_query = query && header_ && frames_.size() == 1 && ListComplete();
    if (main_query) header_ = false;
    if (!main_query && query && (AfterOperand() || (named && inner == at_ + 1)))
      return Refuse("A second SELECT that belongs to nothing before it is not allowed");
    Frame frame;
    const bool word = at_ > 0 && tokens_[at_ - 1].kind == Kind::kWord;
    if (word || named) frame.called = NameOf(tokens_[at_ - 1]);
    frame.cte_body =
        header_ && frames_.size() == 1 &&
        (After(TsqlWord::kAs) || base::EqualIgnoringCase(frame.called, "xmlnamespaces"));
    if (TakesTable(frame.called) || Top().place == Place::kTable) {
      frame.place = Place::kTable;
      frame.in_from = true;
    }
    if (Top().place == Place::kTable) Top().place = Place::kAfterTable;
    frames_.push_back(std::move(frame));
    ++at_;
    return {};
  }

  Result<void> Close() {
    if (frames_.size() == 1) return Refuse("A closing parenthesis has no opening one");
    if (Top().cases > 0) return Refuse("A CASE has no END");
    closed_ = std::move(Top().called);
    list_complete_ = Top().cte_body;
    frames_.pop_back();
    ++at_;
    return {};
  }

  bool ListComplete() const { return list_complete_ && After(")"); }

  Result<void> VisitWord(const TsqlToken& token) {
    const TsqlWord word = WordAt(at_);
    if (header_ && frames_.size() == 1 && !tokens_.IsPart(at_) && word != TsqlWord::kAs &&
        word != TsqlWord::kSelect) {
      return NotHere(token, "in the list after WITH");
    }
    switch (word) {
      case TsqlWord::kName:
        return VisitName();
      case TsqlWord::kStarter:
      case TsqlWord::kSeldomStarter:
        if (!tokens_.IsStarter(at_)) return VisitName();
        [[fallthrough]];
      case TsqlWord::kRefused:
        return Refuse(base::StrCat(Upper(token.text), " is not allowed (a column of that name is [",
                                   token.text.substr(0, 64), "])"));
      case TsqlWord::kLockHint:
        return Refuse(
            base::StrCat("The hint ", Upper(token.text), " is not allowed: it takes locks"));
      case TsqlWord::kApply:
        if (!After("CROSS") && !After("OUTER")) return VisitName();
        break;
      case TsqlWord::kNext:
      case TsqlWord::kGo:
        RETURN_IF_ERROR(CheckPlace(word, token));
        if (!After(TsqlWord::kFetch)) return VisitName();
        break;
      case TsqlWord::kWith:
        return VisitWith(token);
      case TsqlWord::kOption:
        return VisitOption();
      default:
        break;
    }
    RETURN_IF_ERROR(CheckPlace(word, token));
    if (word == TsqlWord::kSelect && frames_.size() == 1) header_ = false;
    Top().Pass(word, at_ > 0 ? tokens_[at_ - 1].text : std::string_view());
    ++at_;
    return {};
  }

  static Error NotHere(const TsqlToken& token, std::string_view where) {
    return Refuse(base::StrCat(Upper(token.text), " is not allowed ", where));
  }

  // Words that mean something else in other places.
  Result<void> CheckPlace(TsqlWord word, const TsqlToken& token) const {
    bool allowed = true;
    switch (word) {
      case TsqlWord::kSelect:
        allowed = at_ == 0 || After("(") || After(TsqlWord::kSetOperator) ||
                  (After(TsqlWord::kAll) && at_ > 1 && Is(at_ - 2, "UNION")) ||
                  (header_ && frames_.size() == 1 && ListComplete());
        if (!allowed) return Refuse("A second SELECT statement is not allowed");
        break;
      case TsqlWord::kValues:
        allowed = After("(");
        break;
      case TsqlWord::kInCase:
      case TsqlWord::kEnd:
        allowed = frames_.back().cases > 0;
        break;
      case TsqlWord::kDefault:
        allowed = !frames_.back().called.empty();
        break;
      case TsqlWord::kCurrent:
        allowed = Is(at_ + 1, "ROW");
        break;
      case TsqlWord::kFetch:
        allowed = tokens_.IsFetchOfRows(at_);
        break;
      case TsqlWord::kMerge:
        allowed =
            WordAt(at_ + 1) == TsqlWord::kJoin &&
            (After("INNER") || After("OUTER") || After("LEFT") || After("RIGHT") || After("FULL"));
        break;
      case TsqlWord::kNext:
        if (Is(at_ + 1, "VALUE"))
          return Refuse("NEXT VALUE FOR is not allowed: it changes the sequence");
        break;
      case TsqlWord::kGo:
        if (tokens_.IsAloneOnLine(at_))
          return Refuse("GO is not allowed: it is a command of client tools");
        break;
      default:
        break;
    }
    if (allowed) return {};
    return NotHere(token, "here");
  }

  Result<void> VisitWith(const TsqlToken& token) {
    if (at_ == 0) {
      header_ = true;
      ++at_;
      return {};
    }
    const bool behind_openjson = After(")") && base::EqualIgnoringCase(closed_, "openjson");
    if (Is(at_ + 1, "(") && Top().in_from && !behind_openjson) {
      ASSIGN_OR_RETURN(at_, CheckTableHints(tokens_.tokens(), at_ + 1));
      return {};
    }
    if (!(Is(at_ + 1, "(") && Top().in_from) && !Is(at_ + 1, "ROLLUP") && !Is(at_ + 1, "CUBE") &&
        !Is(at_ + 1, "TIES")) {
      return NotHere(token, "here");
    }
    ++at_;
    return {};
  }

  Result<void> VisitOption() {
    if (frames_.size() > 1 || !Is(at_ + 1, "(")) return Refuse("OPTION is not allowed here");
    ASSIGN_OR_RETURN(at_, CheckQueryHints(tokens_.tokens(), at_ + 1));
    if (at_ < tokens_.size()) return Refuse("Nothing is allowed after OPTION (…)");
    return {};
  }

  // a, a.b, a..b, a.*
  Result<void> VisitName() {
    TsqlName name;
    name.parts.push_back(NameOf(tokens_[at_++]));
    while (Is(at_, ".")) {
      ++at_;
      if (Is(at_, ".")) {
        name.parts.emplace_back();
      } else if (tokens_.IsPart(at_)) {
        name.parts.push_back(NameOf(tokens_[at_++]));
      } else if (Is(at_, "*")) {
        ++at_;
        return {};
      } else if (at_ < tokens_.size() && tokens_[at_].kind == Kind::kWord) {
        return NotHere(tokens_[at_], "as a name without brackets");
      } else {
        return Refuse("A dot that joins no names is not allowed");
      }
    }
    name.called = Is(at_, "(");
    name.relation = Top().place == Place::kTable ||
                    (Top().place == Place::kAfterTable && name.parts.size() > 1);
    if (const std::string reason = WhyRefused(name, surroundings_.databases); !reason.empty())
      return Refuse(reason);
    if (Top().place == Place::kTable) Top().place = Place::kAfterTable;
    return {};
  }

  TsqlStatement tokens_;
  const TsqlSurroundings& surroundings_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  bool header_ = false;         // in the list after WITH
  bool list_complete_ = false;  // the last parenthesis closed was that of a query of that list
  std::string closed_;          // Frame::called of the last parenthesis closed
};

}  // namespace

Result<void> GuardTsqlStatement(std::string_view sql, const TsqlSurroundings& surroundings) {
  ASSIGN_OR_RETURN(std::vector<TsqlToken> tokens, TokenizeTsql(sql));
  return Guard(std::move(tokens), surroundings).Check();
}

}  // namespace toolpost::db
