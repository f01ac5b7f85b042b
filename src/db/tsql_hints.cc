// Hints, each against a list of the allowed.
#include "db/tsql_hints.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "db/tsql_words.h"

namespace toolpost::db {
namespace {

using Kind = TsqlToken::Kind;

constexpr int kDeepestRecursion = 10'000;

// Words and =; # is a number, $ a list of strings in parentheses, @ one of parameters.
constexpr std::string_view kQueryHints[] = {"RECOMPILE",
                                            "MAXDOP #",
                                            "MAXRECURSION #",
                                            "FAST #",
                                            "FORCE ORDER",
                                            "HASH JOIN",
                                            "MERGE JOIN",
                                            "LOOP JOIN",
                                            "HASH GROUP",
                                            "ORDER GROUP",
                                            "CONCAT UNION",
                                            "HASH UNION",
                                            "MERGE UNION",
                                            "EXPAND VIEWS",
                                            "OPTIMIZE FOR UNKNOWN",
                                            "OPTIMIZE FOR @",
                                            "KEEP PLAN",
                                            "KEEPFIXED PLAN",
                                            "ROBUST PLAN",
                                            "MAX_GRANT_PERCENT = #",
                                            "NO_PERFORMANCE_SPOOL",
                                            "USE HINT $"};
constexpr std::string_view kTableHints[] = {
    "NOLOCK",   "READUNCOMMITTED", "READCOMMITTED", "READPAST",  "NOWAIT",
    "NOEXPAND", "SNAPSHOT",        "FORCESCAN",     "FORCESEEK", "INDEX"};

bool Is(std::span<const TsqlToken> tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && base::EqualIgnoringCase(tokens[at].text, text);
}

Error Refuse(std::string_view kind, std::span<const TsqlToken> tokens, std::size_t at,
             std::string_view allowed) {
  const std::string_view text = at < tokens.size() ? tokens[at].text.substr(0, 64) : "its end";
  return Error::InvalidParams(
      base::StrCat("The ", kind, " hint ", text, " is not allowed. Allowed are ", allowed));
}

bool IsIdentifier(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const char lower = base::ToLower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Returns the place behind ('NAME', N'NAME' …), or 0.
std::size_t MatchStrings(std::span<const TsqlToken> tokens, std::size_t at) {
  if (!Is(tokens, at, "(")) return 0;
  for (++at; at + 1 < tokens.size() && tokens[at].kind == Kind::kString; at += 2) {
    std::string_view name = tokens[at].text;
    name.remove_prefix(name.find('\'') + 1);
    if (!IsIdentifier(name.substr(0, name.size() - 1))) return 0;
    if (Is(tokens, at + 1, ")")) return at + 2;
    if (!Is(tokens, at + 1, ",")) return 0;
  }
  return 0;
}

// Returns the place behind (@name UNKNOWN, @name = 5 …), or 0.
std::size_t MatchParameters(std::span<const TsqlToken> tokens, std::size_t at) {
  if (!Is(tokens, at, "(")) return 0;
  do {
    ++at;
    if (at >= tokens.size() || tokens[at].kind != Kind::kVariable) return 0;
    ++at;
    if (Is(tokens, at, "=")) {
      ++at;
      if (at >= tokens.size()) return 0;
      if (tokens[at].kind != Kind::kNumber && tokens[at].kind != Kind::kString) return 0;
    } else if (!Is(tokens, at, "UNKNOWN")) {
      return 0;
    }
    ++at;
  } while (Is(tokens, at, ","));
  return Is(tokens, at, ")") ? at + 1 : 0;
}

bool IsNumberUpTo(const TsqlToken& token, int least, int most) {
  int number = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto read = std::from_chars(token.text.data(), end, number);
  return token.kind == Kind::kNumber && read.ec == std::errc() && read.ptr == end &&
         number >= least && number <= most;
}

// Returns the place behind the hint, or 0.
std::size_t Match(std::span<const TsqlToken> tokens, std::size_t at, std::string_view hint) {
  for (const std::string_view word : base::Split(hint, ' ')) {
    if (at >= tokens.size()) return 0;
    if (word == "$") return MatchStrings(tokens, at);
    if (word == "@") return MatchParameters(tokens, at);
    if (word == "#") {
      const bool recursion = hint.starts_with("MAXRECURSION");
      if (!IsNumberUpTo(tokens[at], recursion ? 1 : 0, kDeepestRecursion)) return 0;
    } else if (word == "=") {
      if (!Is(tokens, at, "=")) return 0;
    } else if (tokens[at].kind != Kind::kWord || !base::EqualIgnoringCase(tokens[at].text, word)) {
      return 0;
    }
    ++at;
  }
  return at;
}

bool IsName(const TsqlToken& token) {
  return token.kind == Kind::kQuotedName ||
         (token.kind == Kind::kWord && ClassifyTsqlWord(token.text) == TsqlWord::kName);
}

// Returns the place behind balanced parentheses of names, numbers and commas, or 0.
std::size_t MatchIndexList(std::span<const TsqlToken> tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const TsqlToken& token = tokens[at];
    if (token.text == "(") {
      ++depth;
    } else if (token.text == ")") {
      if (--depth == 0) return at + 1;
    } else if (token.text != "," && token.kind != Kind::kNumber && !IsName(token)) {
      return 0;
    }
    if (depth == 0) return 0;
  }
  return 0;
}

// Returns the place behind the hint, or 0.
std::size_t MatchTableHint(std::span<const TsqlToken> tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at].kind != Kind::kWord) return 0;
  const bool known = std::any_of(std::begin(kTableHints), std::end(kTableHints),
                                 [&](std::string_view hint) { return Is(tokens, at, hint); });
  if (!known) return 0;
  const bool index = Is(tokens, at, "INDEX");
  if (index && Is(tokens, at + 1, "=")) {
    ++at;
    if (at + 1 < tokens.size() && (IsName(tokens[at + 1]) || tokens[at + 1].kind == Kind::kNumber))
      return at + 2;
  }
  if ((index || Is(tokens, at, "FORCESEEK")) && Is(tokens, at + 1, "("))
    return MatchIndexList(tokens, at + 1);
  return index ? 0 : at + 1;
}

}  // namespace

Result<std::size_t> CheckTableHints(std::span<const TsqlToken> tokens, std::size_t at) {
  ++at;
  do {
    const std::size_t end = MatchTableHint(tokens, at);
    if (end == 0) {
      return Refuse("table", tokens, at,
                    "NOLOCK, READUNCOMMITTED, READCOMMITTED, READPAST, NOWAIT, NOEXPAND, SNAPSHOT, "
                    "FORCESCAN, FORCESEEK and INDEX");
    }
    at = end;
    if (Is(tokens, at, ",")) ++at;
  } while (!Is(tokens, at, ")"));
  return at + 1;
}

Result<std::size_t> CheckQueryHints(std::span<const TsqlToken> tokens, std::size_t at) {
  do {
    ++at;
    std::size_t end = 0;
    for (const std::string_view hint : kQueryHints) end = std::max(end, Match(tokens, at, hint));
    if (end == 0 || !(Is(tokens, end, ",") || Is(tokens, end, ")"))) {
      return Refuse("query", tokens, at,
                    "RECOMPILE, MAXDOP, MAXRECURSION (1 to 10000), FAST, FORCE ORDER, HASH, MERGE "
                    "and LOOP JOIN, HASH and ORDER GROUP, HASH, MERGE and CONCAT UNION, EXPAND "
                    "VIEWS, OPTIMIZE FOR, KEEP PLAN, KEEPFIXED PLAN, ROBUST PLAN, "
                    "MAX_GRANT_PERCENT, NO_PERFORMANCE_SPOOL and USE HINT ('…')");
    }
    at = end;
  } while (Is(tokens, at, ","));
  return at + 1;
}

}  // namespace toolpost::db
