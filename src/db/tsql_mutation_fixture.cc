// A scanner in as few words as possible, and what is built on it.
#include "db/tsql_mutation_fixture.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "db/look_alike.h"
#include "db/tsql_words.h"

namespace toolpost::db {
namespace {

enum class PieceKind { kSpace, kComment, kString, kQuoted, kWord, kOther };

struct Piece {
  PieceKind kind;
  std::string_view text;
};

bool Has(std::string_view set, char c) { return set.find(c) != set.npos; }

bool InWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || Has("_@#$", c);
}

std::size_t EndOfQuoted(std::string_view sql, std::size_t open, char close) {
  std::size_t at = sql.find(close, open + 1);
  while (at != sql.npos && at + 1 < sql.size() && sql[at + 1] == close)
    at = sql.find(close, at + 2);
  return at == sql.npos ? sql.npos : at + 1;
}

std::size_t EndOfComment(std::string_view sql) {
  if (sql[0] == '-') {
    const std::size_t line = sql.find('\n');
    return line == sql.npos ? sql.size() : line + 1;
  }
  int depth = 1;
  std::size_t at = 2;
  while (depth > 0) {
    at = sql.find_first_of("/*", at);
    if (at == sql.npos) return sql.npos;
    const std::string_view pair = sql.substr(at, 2);
    depth += pair == "/*" ? 1 : pair == "*/" ? -1 : 0;
    at += pair == "/*" || pair == "*/" ? 2 : 1;
  }
  return at;
}

// Nothing when a quote or comment has no end.
std::optional<std::vector<Piece>> Scan(std::string_view sql) {
  std::vector<Piece> pieces;
  while (!sql.empty()) {
    PieceKind kind = PieceKind::kOther;
    std::size_t end = 1;
    if (Has(" \t\r\n", sql[0])) {
      kind = PieceKind::kSpace;
    } else if (sql.starts_with("--") || sql.starts_with("/*")) {
      kind = PieceKind::kComment;
      end = EndOfComment(sql);
    } else if (sql[0] == '\'' || sql.starts_with("N'") || sql.starts_with("n'")) {
      kind = PieceKind::kString;
      end = EndOfQuoted(sql, sql[0] == '\'' ? 0 : 1, '\'');
    } else if (sql[0] == '[' || sql[0] == '"') {
      kind = PieceKind::kQuoted;
      end = EndOfQuoted(sql, 0, sql[0] == '[' ? ']' : '"');
    } else if (InWord(sql[0])) {
      kind = PieceKind::kWord;
      while (end < sql.size() && InWord(sql[end])) ++end;
    }
    if (end == sql.npos) return std::nullopt;
    pieces.push_back({kind, sql.substr(0, end)});
    sql.remove_prefix(end);
  }
  return pieces;
}

class Mutator {
 public:
  Mutator(std::vector<Piece> pieces, std::uint64_t seed)
      : pieces_(std::move(pieces)), state_(seed) {}

  std::string Run() {
    std::string out;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      out += Spelled(i);
      if (Chance(3) && MayStandBehind(i)) out += Trivia();
    }
    return out;
  }

 private:
  // SplitMix64: a fuzzer calls this for every input, and larger generators take long to seed.
  std::uint64_t Random() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  bool Chance(unsigned one_in) { return Random() % one_in == 0; }

  std::string Spelled(std::size_t i) {
    const auto& [kind, text] = pieces_[i];
    const bool glued = i > 0 && pieces_[i - 1].kind == PieceKind::kWord;
    switch (kind) {
      case PieceKind::kWord:
        return Word(text, MayQuote(i));
      case PieceKind::kQuoted:
        return MayQuote(i) ? Quoted(OtherCase(text)) : OtherCase(text);
      case PieceKind::kString:
        return !glued && text[0] == '\'' && Chance(4) ? base::StrCat("N", text) : std::string(text);
      default:
        return std::string(text);
    }
  }

  std::string OtherCase(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
      if (std::isalpha(static_cast<unsigned char>(c)) != 0 && Chance(2)) c ^= 0x20;
    }
    return out;
  }

  // Not beside another quote, which would then be a doubled one.
  bool MayQuote(std::size_t i) const {
    const auto quotes = [](const Piece& piece) {
      return piece.kind == PieceKind::kString || piece.kind == PieceKind::kQuoted ||
             piece.text == "]";
    };
    return (i == 0 || !quotes(pieces_[i - 1])) &&
           (i + 1 >= pieces_.size() || !quotes(pieces_[i + 1]));
  }

  // VALUE is no name in NEXT VALUE FOR.
  std::string Word(std::string_view text, bool may_quote) {
    const bool starts_name = std::isalpha(static_cast<unsigned char>(text[0])) != 0;
    const bool name = starts_name && IsAscii(text) && ClassifyTsqlWord(text) == TsqlWord::kName &&
                      !base::EqualIgnoringCase(text, "value");
    std::string spelled = Chance(2) ? OtherCase(text) : std::string(text);
    if (!name || !may_quote || !Chance(4)) return spelled;
    return Chance(2) ? base::StrCat("[", spelled, "]") : base::StrCat("\"", spelled, "\"");
  }

  std::string Quoted(std::string text) {
    const std::string_view inner = std::string_view(text).substr(1, text.size() - 2);
    if (inner.find_first_of("\"[]") != inner.npos || !Chance(2)) return text;
    return text[0] == '[' ? base::StrCat("\"", inner, "\"") : base::StrCat("[", inner, "]");
  }

  // Where there is space already, and around commas and parentheses.
  bool MayStandBehind(std::size_t i) const {
    const auto separates = [&](std::size_t at) {
      const Piece& piece = pieces_[at];
      return piece.kind == PieceKind::kSpace || piece.kind == PieceKind::kComment ||
             (piece.kind == PieceKind::kOther && Has("(),", piece.text[0]));
    };
    const bool open_line = pieces_[i].text.starts_with("--") && !pieces_[i].text.ends_with('\n');
    const bool after_cr = pieces_[i].text == "\r";
    const bool half_comment = pieces_[i].text == "-";
    return !open_line && !after_cr && !half_comment &&
           (separates(i) || (i + 1 < pieces_.size() && separates(i + 1)));
  }

  std::string_view Trivia() {
    static constexpr std::array<std::string_view, 10> kTrivia = {" ",
                                                                 "\t",
                                                                 "\n",
                                                                 "\r\n",
                                                                 "/**/",
                                                                 "/* SELECT */",
                                                                 "/* /* [ */ ' */",
                                                                 "--'\n",
                                                                 "/*--*/",
                                                                 "/*\n/*\"*/\n*/"};
    return kTrivia[Random() % kTrivia.size()];
  }

  std::vector<Piece> pieces_;
  std::uint64_t state_;
};

}  // namespace

std::string MutateTsql(std::string_view sql, std::uint64_t seed) {
  auto pieces = Scan(sql);
  return pieces ? Mutator(*std::move(pieces), seed).Run() : std::string(sql);
}

bool LooksHarmless(std::string_view sql) {
  static constexpr std::array<std::string_view, 24> kHarmful = {
      "insert",  "update", "delete",  "truncate", "into",        "exec",
      "execute", "create", "alter",   "drop",     "grant",       "revoke",
      "deny",    "backup", "restore", "dbcc",     "kill",        "declare",
      "begin",   "commit", "waitfor", "shutdown", "reconfigure", "openrowset"};
  const auto pieces = Scan(sql);
  if (!pieces) return false;
  bool begun = false, ended = false;
  for (const Piece& piece : *pieces) {
    if (piece.kind == PieceKind::kSpace || piece.kind == PieceKind::kComment) continue;
    if (ended) return false;
    ended = begun && piece.text == ";";
    begun = true;
    if (piece.kind == PieceKind::kWord &&
        std::any_of(kHarmful.begin(), kHarmful.end(), [&](std::string_view word) {
          return base::EqualIgnoringCase(word, piece.text);
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace toolpost::db
