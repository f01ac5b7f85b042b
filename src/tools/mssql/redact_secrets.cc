// One pass: at every beginning of a word, whether a secret follows it.
#include "tools/mssql/redact_secrets.h"

#include <algorithm>
#include <initializer_list>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kMask = "***";
constexpr std::size_t kShortestToken = 16;
constexpr std::size_t kLongestCommand = 1000;  // of net use, up to its password

bool Has(std::string_view set, char c) { return set.find(c) != set.npos; }
bool IsSpace(char c) { return Has(" \t\r\n", c); }
bool IsAlphanumeric(char c) {
  const char lower = base::ToLower(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}
bool InName(char c) { return IsAlphanumeric(c) || Has("_-@$#", c); }

bool OneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return base::EqualIgnoringCase(each, word); });
}

// OLD_PASSWORD, @rmtpassword, PGPASSWORD, client-secret …
bool NamesSecret(std::string_view name) {
  std::string plain = base::ToLower(name);
  std::erase_if(plain, [](char c) { return !IsAlphanumeric(c); });
  for (const std::string_view end :
       {"password", "passwd", "pwd", "passphrase", "secret", "apikey", "accountkey", "accesskey",
        "secretkey", "accesstoken", "refreshtoken", "sharedaccesssignature"}) {
    if (plain.ends_with(end)) return true;
  }
  return false;
}

bool NamesTool(std::string_view line) {
  const std::string lower = base::ToLower(line);
  for (const std::string_view tool :
       {"sqlcmd", "osql", "isql", "bcp", "dtexec", "dtutil", "tsql", "sqlagent", "sqlmaint"}) {
    for (std::size_t at = 0; (at = lower.find(tool, at)) != lower.npos; at += tool.size()) {
      const std::size_t end = at + tool.size();
      const bool starts = at == 0 || !IsAlphanumeric(lower[at - 1]);
      if (starts && (end == lower.size() || !IsAlphanumeric(lower[end]))) return true;
    }
  }
  return false;
}

class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string Run() {
    while (at_ < text_.size()) {
      if (at_ == 0 || text_[at_ - 1] == '\n') tool_line_ = NamesTool(Line());
      const bool starts_word = at_ == 0 || !InName(text_[at_ - 1]);
      if (starts_word && (text_[at_] == '/' || InName(text_[at_]))) {
        Word();
      } else if (text_.substr(at_, 3) == "://") {
        Url();
      } else {
        Copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  std::string_view Rest() const { return text_.substr(at_); }
  std::string_view Line() const {
    return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
  }
  void Copy(std::size_t count) {
    out_.append(Rest().substr(0, count));
    at_ = std::min(at_ + count, text_.size());
  }
  void Mask(std::size_t count) {
    out_.append(kMask);
    at_ += count;
  }
  template <typename Predicate>
  std::size_t Span(std::size_t from, Predicate predicate) const {
    while (from < text_.size() && predicate(text_[from])) ++from;
    return from;
  }
  // Copies the spaces of this line.
  void CopySpaces() {
    Copy(Span(at_, [](char c) { return c == ' ' || c == '\t'; }) - at_);
  }

  void Word() {
    const bool slash = text_[at_] == '/';
    const std::size_t end = Span(at_ + (slash ? 1 : 0), InName);
    const std::string_view word = text_.substr(at_, end - at_);
    if (slash || word.front() == '-') return Option(word);
    const bool at_start = AtStartOfSetting();
    Copy(word.size());
    if (word == "sig") return Signature();
    if (OneOf(word, {"Bearer", "Basic"})) return Token();
    if (OneOf(word, {"net"})) return NetUse();
    if (OneOf(word, {"ConvertTo-SecureString"})) return SecureString();
    if (NamesSecret(word)) Assignment(at_start && OneOf(word, {"password", "pwd"}));
  }

  // A setting of a connection string: first, or behind a semicolon or a quote.
  bool AtStartOfSetting() const {
    std::size_t before = at_;
    while (before > 0 && text_[before - 1] == ' ') --before;
    return before == 0 || Has(";'\"", text_[before - 1]);
  }

  // --password x, -P x, -Px, /P x
  void Option(std::string_view word) {
    const std::string_view name = word.substr(
        word.find_first_not_of("-/") == word.npos ? word.size() : word.find_first_not_of("-/"));
    const bool dash = word.front() == '-' && !word.starts_with("--");
    if (tool_line_ && dash && name.starts_with('P') && !OneOf(name, {"Password", "P"})) {
      Copy(2);
      return Mask(EndOfArgument(at_) - at_);
    }
    Copy(word.size());
    const bool names =
        (tool_line_ && (name == "P" || (!dash && OneOf(name, {"p", "de", "decrypt"})))) ||
        OneOf(name, {"pw", "pass"}) || NamesSecret(name);
    if (!names) return;
    if (at_ < text_.size() && Has("=:", text_[at_])) {
      Copy(1);
    } else if (at_ < text_.size() && !IsSpace(text_[at_]) && !Has("'\"", text_[at_])) {
      return;
    }
    CopySpaces();
    Argument();
  }

  bool IsNoSecret(std::string_view value) const {
    return value.empty() || Has("@$%*?(", value.front()) || OneOf(value, {"NULL"});
  }

  std::size_t EndOfArgument(std::size_t from) const {
    if (from < text_.size() && Has("'\"", text_[from])) return EndOfQuoted(from);
    return Span(from, [](char c) { return !IsSpace(c) && !Has("'\"", c); });
  }

  // Of a command: up to the next space, or in quotes. What begins with - or / is the next option.
  void Argument() {
    if (at_ >= text_.size()) return;
    if (Has("'\"", text_[at_])) return QuotedValue();
    const std::string_view value = text_.substr(at_, EndOfArgument(at_) - at_);
    if (IsNoSecret(value) || Has("-/", value.front())) return;
    Mask(value.size());
  }

  // Behind the closing quote; doubled ones belong to the value.
  std::size_t EndOfQuoted(std::size_t open) const {
    const char quote = text_[open];
    for (std::size_t at = open + 1; at < text_.size(); ++at) {
      if (text_[at] != quote) continue;
      if (at + 1 >= text_.size() || text_[at + 1] != quote) return at + 1;
      ++at;
    }
    return text_.size();
  }

  // At a quote. An even number of them before a value: it stands inside of another literal.
  void QuotedValue() {
    const char quote = text_[at_];
    const std::size_t quotes = Span(at_, [&](char c) { return c == quote; }) - at_;
    const bool value_follows = at_ + quotes < text_.size() && !IsSpace(text_[at_ + quotes]) &&
                               !Has(",;)", text_[at_ + quotes]);
    std::size_t width = 1;
    std::size_t end = text_.size();
    if (quotes % 2 == 0) {
      if (!value_follows) return Copy(quotes);
      width = quotes;
      const std::size_t close = text_.find(std::string(quotes, quote), at_ + quotes);
      if (close != text_.npos) end = close + quotes;
    } else {
      end = EndOfQuoted(at_);
    }
    const bool closed = end > at_ + width && text_[end - 1] == quote;
    const std::size_t stop = closed ? end - width : end;
    if (IsNoSecret(text_.substr(at_ + width, stop - at_ - width))) return Copy(end - at_);
    Copy(width);
    Mask(stop - at_);
    Copy(end - at_);
  }

  // Behind a name: = or :, and the value.
  void Assignment(bool setting) {
    std::size_t sign = Span(at_, [](char c) { return c == ' ' || c == '\t' || c == '"'; });
    if (sign >= text_.size() || !Has("=:", text_[sign])) return;
    const bool spaced = sign > at_ || (sign + 1 < text_.size() && text_[sign + 1] == ' ');
    const bool json = text_[sign] == ':';
    Copy(sign + 1 - at_);
    CopySpaces();
    if (at_ >= text_.size()) return;
    if (Has("Nn", text_[at_]) && at_ + 1 < text_.size() && text_[at_ + 1] == '\'') Copy(1);
    if (Has("'\"", text_[at_])) {
      // The quote may be the end of a literal around `Password=`.
      if (!spaced || at_ + 1 < text_.size()) QuotedValue();
      return;
    }
    if (text_[at_] == '{' && !json) return Braced();
    Unquoted(setting, spaced);
  }

  void Braced() {
    const std::size_t close = std::min(text_.find('}', at_), text_.size());
    Copy(1);
    Mask(close - at_);
  }

  void Unquoted(bool setting, bool spaced) {
    const auto plain = [](char c) { return !IsSpace(c) && !Has(";'\"", c); };
    std::size_t end = Span(at_, plain);
    const std::string_view value = text_.substr(at_, end - at_);
    if (IsNoSecret(value)) return;
    const std::size_t semicolon = Span(end, [](char c) { return !Has(";'\"=\n", c); });
    const bool ends_setting =
        semicolon < text_.size() && text_[semicolon] == ';' && (setting || end == semicolon);
    if (setting && ends_setting) end = semicolon;  // a password with spaces
    const bool hexadecimal = value.starts_with("0x");
    if (spaced && !hexadecimal && !(setting && ends_setting)) return;  // password = column
    Mask(end - at_);
  }

  void Signature() {
    if (at_ >= text_.size() || text_[at_] != '=') return;
    Copy(1);
    const std::size_t end = Span(at_, [](char c) { return !IsSpace(c) && !Has("&;'\"", c); });
    if (end - at_ >= kShortestToken) Mask(end - at_);
  }

  // A word that is no token follows "bearer" in prose.
  void Token() {
    CopySpaces();
    const std::size_t end =
        Span(at_, [](char c) { return IsAlphanumeric(c) || Has("._~+/=-", c); });
    const std::string_view token = text_.substr(at_, end - at_);
    const bool digits = token.find_first_of("0123456789=") != token.npos;
    if (token.size() >= kShortestToken && digits) Mask(token.size());
  }

  // net use [device] \\host\share [password] [/user:name]
  void NetUse() {
    const std::string_view line = Rest().substr(0, kLongestCommand);
    const std::size_t use = line.find_first_not_of(" \t");
    if (use == line.npos || !OneOf(line.substr(use, 4), {"use ", "use\t"})) return;
    const std::size_t share = line.find("\\\\");
    if (share == line.npos || line.find('\n') < share) return;
    Copy(share);
    Copy(EndOfArgument(at_) - at_);
    CopySpaces();
    Argument();
  }

  void SecureString() {
    CopySpaces();
    if (OneOf(Rest().substr(0, 7), {"-String"})) {
      Copy(7);
      CopySpaces();
    }
    Argument();
  }

  // ://user:password@
  void Url() {
    Copy(3);
    const std::size_t end = Span(at_, [](char c) { return !IsSpace(c) && !Has("/?#'\"", c); });
    const std::string_view authority = text_.substr(at_, end - at_);
    const std::size_t at_sign = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (at_sign == authority.npos || colon >= at_sign) return;
    Copy(colon + 1);
    if (IsNoSecret(authority.substr(colon + 1, at_sign - colon - 1))) return;
    Mask(at_sign - colon - 1);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  bool tool_line_ = false;  // the line calls a program whose -P is a password
  std::string out_;
};

}  // namespace

std::string RedactSecrets(std::string_view text) { return Redactor(text).Run(); }

}  // namespace toolpost::tools::mssql
