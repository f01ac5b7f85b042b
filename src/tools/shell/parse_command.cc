// The command parser: one pass over the bytes.
#include "tools/shell/parse_command.h"

#include <optional>
#include <utility>

#include "base/strings.h"

namespace toolpost::tools::shell {
namespace {

using base::StrCat;

// Sequences that are white space or line breaks to some programs and letters to others.
constexpr std::string_view kOddSpaces[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001",
                                           "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
                                           "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
                                           "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

class Parser {
 public:
  Parser(std::string_view text, std::size_t* steps) : text_(text), steps_(steps) {}

  Result<std::vector<ParsedStage>> Parse() {
    while (at_ < text_.size()) {
      if (Peek() == ' ' || Peek() == '\t') {
        Advance();
      } else if (Peek() == '|') {
        RETURN_IF_ERROR(Pipe());
      } else if (IsErrorRedirection()) {
        Advance(4);
      } else {
        RETURN_IF_ERROR(ReadWord());
      }
    }
    if (stage_.words.empty()) {
      return stages_.empty() ? Error::InvalidParams("The command is empty")
                             : Error::InvalidParams("The pipeline ends without a command after |");
    }
    stages_.push_back(std::move(stage_));
    return std::move(stages_);
  }

 private:
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void Advance(std::size_t count = 1) {
    for (; count > 0; --count, ++at_) {
      if ((static_cast<unsigned char>(text_[at_]) & 0xc0) != 0x80) ++position_;
      if (steps_ != nullptr) ++*steps_;
    }
  }

  Error Blocked(std::string_view rule, std::string_view what, std::string_view instead) const {
    return {Code::kPermissionDenied,
            StrCat("Blocked, ", rule, ": ", what, " at position ", position_, ". ", instead),
            {}};
  }
  Error Malformed(std::string_view what) const {
    return Error::InvalidParams(StrCat(what, " at position ", position_));
  }

  bool IsErrorRedirection() const {
    if (!text_.substr(at_).starts_with("2>&1")) return false;
    const char next = Peek(4);
    return at_ + 4 == text_.size() || next == ' ' || next == '\t' || next == '|';
  }

  Result<void> Pipe() {
    if (Peek(1) == '|') {
      return Blocked("command chaining", "\"||\"",
                     "Run one command per call; only pipes (|) may join commands.");
    }
    if (Peek(1) == '&') {
      return Blocked("redirection", "\"|&\"",
                     "Use | alone; standard error is captured on its own.");
    }
    if (stage_.words.empty()) return Malformed("There is no command before the |");
    stages_.push_back(std::exchange(stage_, {}));
    if (stages_.size() >= kMaxStages) {
      return Error::InvalidParams(
          StrCat("The pipeline has more than ", kMaxStages, " commands; at most that many run"));
    }
    Advance();
    return {};
  }

  // Reads quoted and unquoted pieces up to the end of the word.
  Result<void> ReadWord() {
    Word word;
    word.position = position_;
    start_ = at_;
    while (at_ < text_.size()) {
      const char c = Peek();
      if (c == ' ' || c == '\t' || c == '|') break;
      if (c == '\'') {
        RETURN_IF_ERROR(SingleQuoted(word));
      } else if (c == '"') {
        RETURN_IF_ERROR(DoubleQuoted(word));
      } else if (c == '\\') {
        RETURN_IF_ERROR(Escaped(word));
      } else {
        RETURN_IF_ERROR(Plain(word));
      }
    }
    if (stage_.words.size() >= kMaxArguments) {
      return Error::InvalidParams(
          StrCat("The command has more than ", kMaxArguments, " arguments; at most that many fit"));
    }
    stage_.words.push_back(std::move(word));
    return {};
  }

  // Line breaks and tabs are text inside quotes; other control characters are nowhere.
  Result<void> Take(Word& word) {
    const char c = Peek();
    if (IsControl(c) && c != '\n' && c != '\t') return Control();
    word.text.push_back(c);
    Advance();
    return {};
  }
  Error Control() const {
    return Malformed(StrCat("The command has the control character number ",
                            static_cast<int>(static_cast<unsigned char>(Peek())),
                            Peek() == '\n' ? " (a line break, allowed only in quotes)" : ""));
  }

  Result<void> SingleQuoted(Word& word) {
    const Error unclosed = Malformed("The ' is never closed; it stands");
    Advance();
    while (at_ < text_.size() && Peek() != '\'') RETURN_IF_ERROR(Take(word));
    if (at_ == text_.size()) return unclosed;
    Advance();
    return {};
  }

  Result<void> DoubleQuoted(Word& word) {
    const Error unclosed = Malformed("The \" is never closed; it stands");
    Advance();
    while (at_ < text_.size() && Peek() != '"') {
      const char next = Peek(1);
      if (Peek() == '\\' && (next == '"' || next == '\\' || next == '$' || next == '`')) Advance();
      RETURN_IF_ERROR(Take(word));
    }
    if (at_ == text_.size()) return unclosed;
    Advance();
    return {};
  }

  Result<void> Escaped(Word& word) {
    if (at_ + 1 == text_.size())
      return Malformed("The command ends with a \\ that escapes nothing");
    Advance();
    if (IsControl(Peek()) && Peek() != '\t') return Control();
    return Take(word);
  }

  Result<void> Plain(Word& word) {
    const char c = Peek();
    if (IsControl(c)) return Control();
    RETURN_IF_ERROR(CheckOperator());
    RETURN_IF_ERROR(CheckSpace());
    if (c == '@' && Peek(1) == '{') return Reflog(word);
    if (c == '*' || c == '?' || c == '[')
      word.wildcards.push_back(static_cast<std::uint32_t>(word.text.size()));
    return Take(word);
  }

  // `HEAD@{1}`: git's own braces, which no shell expands either.
  Result<void> Reflog(Word& word) {
    std::size_t length = 2;
    while (IsReflogCharacter(Peek(length))) ++length;
    if (Peek(length) != '}' || length == 2) {
      RETURN_IF_ERROR(Take(word));
      return CheckOperator();
    }
    for (++length; length > 0; --length) RETURN_IF_ERROR(Take(word));
    return {};
  }
  static bool IsReflogCharacter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  }

  Result<void> CheckSpace() const {
    if (static_cast<unsigned char>(Peek()) < 0x80) return {};
    for (const std::string_view odd : kOddSpaces) {
      if (text_.substr(at_, odd.size()) == odd) {
        return Malformed(
            "The command has a blank or line break that is not an ordinary space; type a space, or "
            "quote it; it stands");
      }
    }
    return {};
  }

  Result<void> CheckOperator() const {
    const bool starts_word = at_ == start_;
    switch (Peek()) {
      case ';':
        return Blocked("command chaining", "\";\"",
                       "Run one command per call, or quote it if it is text.");
      case '&':
        if (Peek(1) == '&') {
          return Blocked("command chaining", "\"&&\"",
                         "Run one command per call, or quote it if it is text.");
        }
        return Blocked("background execution", "\"&\"",
                       "Every command runs to its end; quote the & if it is text.");
      case '>':
      case '<':
        return Redirection();
      case '`':
        return Blocked("command substitution", "\"`\"", "Quote it with ' if it is text.");
      case '$':
        return Blocked(Peek(1) == '(' ? "command substitution" : "variable expansion", "\"$\"",
                       "Nothing is expanded here; quote it if it is text.");
      case '(':
      case ')':
        return Blocked("grouping", StrCat('"', Peek(), '"'), "Quote it if it is text.");
      case '{':
      case '}':
        return Blocked("grouping", StrCat('"', Peek(), '"'),
                       "Braces are not expanded here; quote them if they are text.");
      case '~':
        if (!starts_word) return {};
        return Blocked("home directory expansion", "\"~\"",
                       "Write paths relative to the working directory.");
      case '#':
        if (!starts_word) return {};
        return Blocked("comments", "\"#\"", "Quote it if it is text.");
      case '!':
        if (!starts_word || !stage_.words.empty()) return {};
        return Blocked("negation", "\"!\"", "The exit code is in the result as it is.");
      default:
        return {};
    }
  }

  // From the `>` on, over blanks: `>/dev/`, `> /dev/`, `>>/dev/`.
  Error Redirection() const {
    std::size_t next = at_ + 1;
    while (next < text_.size() && std::string_view(" \t>|&").find(text_[next]) != text_.npos)
      ++next;
    if (Peek() == '>' && text_.substr(next).starts_with("/dev/")) {
      return Blocked("device write", "\">/dev/\"",
                     "Nothing need be thrown away: stdout and stderr come back separately.");
    }
    return Blocked("redirection", StrCat('"', Peek(), '"'),
                   "Output comes back in the result; use file/write to keep it, or quote the "
                   "character if it is text.");
  }

  const std::string_view text_;
  std::size_t* const steps_;
  std::size_t at_ = 0;
  std::size_t position_ = 1;  // in characters
  std::size_t start_ = 0;     // of the word being read
  ParsedStage stage_;
  std::vector<ParsedStage> stages_;
};

}  // namespace

Result<std::vector<ParsedStage>> ParseCommand(std::string_view command, std::size_t* steps) {
  if (command.size() > kMaxCommandBytes) {
    return Error{Code::kTooLarge,
                 StrCat("The command has ", command.size(), " bytes; at most ", kMaxCommandBytes,
                        " are allowed"),
                 {}};
  }
  if (!base::IsValidUtf8(command)) return Error::InvalidParams("The command is not valid UTF-8");
  return Parser(command, steps).Parse();
}

}  // namespace toolpost::tools::shell
