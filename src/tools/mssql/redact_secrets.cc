// One pass: at every beginning of a word, whether a secret follows it. How far a look ahead goes is
// bounded, unless what it saw is then copied.
#include "tools/mssql/redact_secrets.h"

#include <algorithm>
#include <vector>

#include "tools/mssql/secret_scan.h"
#include "tools/mssql/secret_words.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kMask = "***";
constexpr std::size_t kShortestSignature = 16;

class Redactor {
 public:
  Redactor(std::string_view text, bool package_options)
      : text_(text), scan_(text), package_options_(package_options) {
    out_.reserve(text.size());
  }

  std::string Run() {
    while (at_ < text_.size()) {
      while (at_ >= next_line_) StartLine();
      if (IsMarked()) {
        QuotedValue();
      } else if (StartsWord()) {
        Word();
      } else if (Rest().starts_with("://")) {
        Url();
      } else {
        Copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  // What a word that names a secret stood in.
  struct Name {
    std::string_view word;
    bool setting = false;  // of a connection string: first, or behind a semicolon or a quote
    bool behind_semicolon = false;
    bool set = false;  // cmd's set NAME=value, which ends with the line
  };

  std::string_view Rest() const { return text_.substr(at_); }
  bool At(std::string_view set) const { return at_ < text_.size() && Has(set, text_[at_]); }
  char Before() const { return at_ == 0 ? '\0' : text_[at_ - 1]; }
  void Copy(std::size_t count) {
    out_.append(Rest().substr(0, count));
    at_ = std::min(at_ + count, text_.size());
  }
  void CopyTo(std::size_t position) { Copy(position - at_); }
  void CopySpaces() { CopyTo(scan_.Blanks(at_)); }
  void MaskTo(std::size_t position) {
    out_.append(kMask);
    at_ = position;
  }

  // A command goes on in the next line behind ^, ` or a backslash.
  void StartLine() {
    const std::size_t line = next_line_;
    next_line_ = scan_.Until(line, "\n") + 1;
    command_ = std::min(scan_.Span(line, "@ \t"), at_);
    std::size_t end = line == 0 ? 0 : line - 1;
    while (end > 0 && Has(" \r", text_[end - 1])) --end;
    const bool continued = end > 0 && Has("^`\\", text_[end - 1]);
    const PasswordOptions options = OptionsOf(text_.substr(line, next_line_ - 1 - line));
    if (!continued || options.any()) options_ = options;
    options_.package = options_.package || package_options_;
  }

  bool IsMarked() {
    while (next_mark_ < marks_.size() && marks_[next_mark_] < at_) ++next_mark_;
    return next_mark_ < marks_.size() && marks_[next_mark_] == at_;
  }

  bool StartsWord() const {
    if (InName(Before())) return false;
    return text_[at_] == '/' ? !Has("*/", Before()) : InName(text_[at_]);
  }

  void Word() {
    const bool slash = text_[at_] == '/';
    const std::string_view word = scan_.Word(at_ + (slash ? 1 : 0));
    if (slash) return Option(text_.substr(at_, word.size() + 1));
    if (word.front() == '-') return Option(word);
    if (const std::size_t token = KnownToken(Rest())) return MaskTo(at_ + token);
    const Name name = NameOf(word);
    const char before = Before();
    const bool in_tag = out_.ends_with("<DTS:");
    Copy(word.size());
    if (word == "sig" || (word == "code" && Has("?&", before))) return Signature();
    if (OneOf(word, {"Bearer", "Basic"})) return Token();
    if (OneOf(word, {"Authorization", "Proxy-Authorization"})) return Authorization();
    if (OneOf(word, {"net"})) return Net();
    if (OneOf(word, {"setx"})) return SetVariable();
    if (OneOf(word, {"IDENTIFIED"})) return IdentifiedBy();
    if (OneOf(word, {"ConvertTo-SecureString"})) return SecureString(word.size());
    MarkArguments(SecretArguments(word));
    if (OneOf(word, {"key", "name"})) MarkBeside();
    if (OneOf(word, {"SetEnvironmentVariable"})) MarkVariable();
    if (!NamesSecret(word)) return;
    if (before == '<' || (before == ':' && in_tag)) return Element();
    Assignment(name);
  }

  Name NameOf(std::string_view word) const {
    std::size_t before = at_;
    while (before > 0 && text_[before - 1] == ' ') --before;
    Name name{.word = word};
    name.behind_semicolon = before > 0 && text_[before - 1] == ';';
    name.setting =
        OneOf(word, {"password", "pwd"}) && (before == 0 || Has(";'\"", text_[before - 1]));
    const std::string_view line = text_.substr(command_, at_ - command_);
    name.set = OneOf(line, {"set ", "set \""}) && word.front() != '@';
    return name;
  }

  // --password x, -P x, -Px, /P x
  void Option(std::string_view word) {
    if (word == "-----BEGIN") return PrivateKey();
    const std::string_view name = word.substr(std::min(word.find_first_not_of("-/"), word.size()));
    if (HoldsPassword(word, name)) {
      Copy(2);
      return MaskTo(scan_.EndOfArgument(at_));
    }
    Copy(word.size());
    if (options_.package && OneOf(name, {"set", "par", "parameter"})) return PackageValue();
    if (options_.package && OneOf(name, {"en", "encrypt"})) return EncryptedPackage();
    if (options_.pair && OneOf(name, {"u", "user", "proxy-user"})) return Pair();
    const bool of_program =
        (options_.capital && name == "P") ||
        (options_.package && OneOf(name, {"p", "de", "decrypt", "sourcep", "destp"})) ||
        (options_.small && OneOf(name, {"p", "rp", "tp", "sp"}));
    if (!of_program && !NamesSecret(name)) return;
    if (At("=:")) {
      Copy(1);
    } else if (const std::size_t sign = scan_.Blanks(at_); sign < text_.size() && sign > at_) {
      if (text_[sign] == '=') return Assignment({.word = name});
    } else if (!At("'\"")) {
      return;
    }
    CopySpaces();
    Argument();
  }

  // -Px of a program that takes it so; not what PowerShell has.
  bool HoldsPassword(std::string_view word, std::string_view name) const {
    if (word.size() != name.size() + 1 || word.front() != '-' || name.size() < 2) return false;
    if (OneOf(name, {"password", "path", "passthru", "port", "priority", "process", "property"}))
      return false;
    return (options_.capital && name.front() == 'P') ||
           (options_.small && name.front() == 'p' && !NamesSecret(name));
  }

  // Of a command: up to the next space, or in quotes. What begins with - or / is the next option.
  void Argument() {
    if (Rest().starts_with("\"\\\"")) {  // as the designer of jobs writes it
      Copy(1);
      return Escaped();
    }
    if (At("'\"")) return QuotedValue();
    if (At("-/@$(")) return;
    const std::size_t end = scan_.EndOfArgument(at_);
    if (!IsNoSecret(text_.substr(at_, end - at_), 0)) MaskTo(end);
  }

  // At a quote. 'Password=' + 'x': it may be the end of a literal, and what is added follows.
  void QuotedValue() {
    if (const std::size_t added = scan_.Added(at_); added > 0) {
      CopyTo(added);
      CopyNational();
      if (!At("'\"")) return;
    }
    const Quoted quoted = scan_.QuotedAt(at_);
    if (IsNoSecret(text_.substr(quoted.begin, quoted.end - quoted.begin), text_[at_]))
      return CopyTo(quoted.behind);
    CopyTo(quoted.begin);
    MaskTo(quoted.end);
    CopyTo(quoted.behind);
  }

  void CopyNational() {
    if (At("Nn@") && at_ + 1 < text_.size() && Has("'\"", text_[at_ + 1])) Copy(1);
  }

  // Behind a name: = or :, and the value.
  void Assignment(const Name& name) {
    const std::size_t sign = scan_.Sign(at_, name.word.starts_with('@'));
    if (sign == text_.npos) return;
    const bool colon = text_[sign] == ':';
    const std::size_t behind = scan_.Span(sign + 1, "=>");
    const bool spaced =
        scan_.Until(at_, " \t\r\n=:") < sign || (behind < text_.size() && IsSpace(text_[behind]));
    CopyTo(behind);
    const std::size_t value = scan_.Filler(at_, "");
    CopyTo(scan_.BeginsLiteral(value) ? value : scan_.Blanks(at_));
    CopyNational();
    if (At("'\"")) return QuotedValue();
    if (Rest().starts_with("\\\"")) return Escaped();
    if (Rest().starts_with("&quot;") || Rest().starts_with("&apos;")) return Entity();
    if (At("{") && !colon) return Braced();
    Unquoted(name, spaced, colon);
  }

  // {\"password\":\"x\"}
  void Escaped() {
    Copy(2);
    const std::size_t quote = scan_.Until(at_, "\"");
    MaskTo(quote > at_ && text_[quote - 1] == '\\' ? quote - 1 : quote);
  }

  // Password=&quot;x&quot;
  void Entity() {
    const std::string_view quote = Rest().substr(0, 6);
    Copy(quote.size());
    MaskTo(std::min(text_.find(quote, at_), text_.size()));
  }

  void Braced() {
    Copy(1);
    MaskTo(std::min(text_.find('}', at_), text_.size()));
  }

  void Unquoted(const Name& name, bool spaced, bool colon) {
    if (At("$(") || (At("@") && !name.setting)) return;
    std::size_t end = scan_.Until(at_, " \t\r\n;'\"");
    const std::string_view value = text_.substr(at_, end - at_);
    if (!At("@") && IsNoSecret(value, 0)) return;
    if (name.word.starts_with('@') && value.find_first_not_of("0123456789") == value.npos) return;
    bool all = false;  // a value with spaces
    if (name.set && !spaced) {
      end = scan_.Until(at_, "\r\n\"&|");
    } else if (name.setting) {
      const std::size_t stop = scan_.Until(at_, "\r\n;'\"");
      const bool open = stop == text_.size() || Has("\r\n", text_[stop]);
      all = open ? name.behind_semicolon && !spaced : text_[stop] == ';' || !spaced;
      if (all) end = stop;
    }
    const bool header = colon && Has(name.word, '-');
    const bool column = spaced && !all && !header && !value.starts_with("0x");
    if (!column || LooksLikeToken(value)) MaskTo(end);  // otherwise: password = column
  }

  // <Password>x</Password>
  void Element() {
    const std::size_t close = scan_.Until(at_, "<>\r\n");
    if (close == text_.size() || text_[close] != '>' || text_[close - 1] == '/') return;
    CopyTo(close + 1);
    const std::size_t end = scan_.Until(at_, "<");
    if (!IsNoSecret(text_.substr(at_, end - at_), '"')) MaskTo(end);
  }

  void PrivateKey() {
    constexpr std::string_view kHeader = "PRIVATE KEY-----";
    const std::size_t header = Rest().substr(0, 100).find(kHeader);
    if (header == text_.npos) return Copy(10);
    Copy(header + kHeader.size());
    MaskTo(std::min(text_.find("-----END", at_), text_.size()));
  }

  void Signature() {
    if (!At("=")) return;
    Copy(1);
    const std::size_t end = scan_.Until(at_, " \t\r\n&;'\"");
    if (end - at_ >= kShortestSignature) MaskTo(end);
  }

  // A word that is no token follows "bearer" in prose.
  void Token() {
    CopySpaces();
    const std::size_t digit = Rest().substr(0, kMostAhead).find_first_of("0123456789=");
    if (digit == text_.npos) return;
    const std::size_t end = scan_.EndOfToken(at_);
    if (end - at_ >= kShortestSignature && at_ + digit < end) MaskTo(end);
  }

  void Authorization() {
    const std::size_t sign = scan_.Sign(at_, false);
    if (sign == text_.npos) return;
    CopyTo(scan_.Span(sign + 1, " \t'\""));
    if (OneOf(scan_.Word(at_), {"Bearer", "Basic", "Token", "ApiKey", "Digest", "SharedKey"})) {
      Copy(scan_.Word(at_).size());
      if (!At(" \t")) return;
      CopySpaces();
    } else if (!LooksLikeToken(scan_.Word(at_))) {
      return;
    }
    const std::size_t end = scan_.Until(at_, " \t\r\n'\"");
    if (!IsNoSecret(text_.substr(at_, end - at_), '"')) MaskTo(end);
  }

  // net use [device] \\host\share [password] [/user:name], net user name [password]
  void Net() {
    std::size_t at = at_;
    if (OneOf(text_.substr(at, 4), {".exe"})) at += 4;
    const std::string_view command = scan_.NextArgument(at);
    bool subject = false;  // the share or the user was there
    if (!OneOf(command, {"use", "user"})) return;
    for (;;) {
      const std::string_view argument = scan_.NextArgument(at);
      if (argument.empty() || at > at_ + kMostAhead) return;
      if (argument.front() == '/') continue;
      if (subject) return ArgumentAt(at - argument.size());
      subject = OneOf(command, {"user"}) || argument.find("\\\\") != argument.npos;
    }
  }

  void SetVariable() {
    std::size_t at = at_;
    if (!NamesSecret(scan_.NextArgument(at))) return;
    ArgumentAt(scan_.Blanks(at));
  }

  void IdentifiedBy() {
    std::size_t at = at_;
    if (!OneOf(scan_.NextArgument(at), {"BY"})) return;
    const std::size_t behind = at;
    if (!OneOf(scan_.NextArgument(at), {"VALUES"})) at = behind;
    ArgumentAt(scan_.Blanks(at));
  }

  void ArgumentAt(std::size_t position) {
    CopyTo(position);
    if (at_ < text_.size()) Argument();
  }

  // 'x' | ConvertTo-SecureString, or with options before the value.
  void SecureString(std::size_t word) {
    MaskPiped(out_.size() - word);
    for (;;) {
      CopySpaces();
      const std::string_view option = scan_.Word(at_);
      if (!OneOf(option, {"-AsPlainText", "-Force", "-String"})) break;
      Copy(option.size());
      if (At(":")) Copy(1);
    }
    if (At("(")) Copy(1);
    if (at_ < text_.size()) Argument();
  }

  // In what was written, the literal before a bar before `end`.
  void MaskPiped(std::size_t end) {
    const auto before = [&](std::string_view set) {
      while (end > 0 && Has(" \t\r\n", out_[end - 1])) --end;
      return end > 0 && Has(set, out_[--end]);
    };
    if (!before("|") || !before("'\"")) return;
    const char quote = out_[end];
    std::size_t begin = end;
    while (begin > 0 && end - begin < kMostAhead && out_[begin - 1] != quote) --begin;
    const std::string_view value = std::string_view(out_).substr(begin, end - begin);
    if (begin > 0 && !IsNoSecret(value, quote)) out_.replace(begin, end - begin, kMask);
  }

  // dtexec /SET \Package.Variables[Password].Value;x
  void PackageValue() {
    const std::string_view path = Rest().substr(0, Rest().substr(0, kMostAhead).find(';'));
    if (path.size() == Rest().size() || !HasSecretName(path)) return;
    Copy(path.size() + 1);
    if (Rest().starts_with("\\\"")) return Escaped();
    if (at_ < text_.size()) Argument();
  }

  // dtutil /ENCRYPT FILE;x.dtsx;3;password
  void EncryptedPackage() {
    CopySpaces();
    const std::size_t quote = At("'\"") ? 1 : 0;
    const std::size_t end = scan_.EndOfArgument(at_);
    std::size_t part = at_;
    for (int i = 0; i < 3; ++i) {
      part = text_.substr(0, end).find(';', part);
      if (part == text_.npos) return;
      ++part;
    }
    CopyTo(part);
    if (end - quote > at_ && !IsNoSecret(text_.substr(at_, end - quote - at_), '"'))
      MaskTo(end - quote);
  }

  // curl -u name:password
  void Pair() {
    CopySpaces();
    const std::size_t quote = At("'\"") ? 1 : 0;
    const std::size_t end = scan_.EndOfArgument(at_);
    const std::size_t colon = text_.substr(0, end).find(':', at_);
    if (colon == text_.npos) return;
    CopyTo(colon + 1);
    if (end - quote > at_ && !IsNoSecret(text_.substr(at_, end - quote - at_), '"'))
      MaskTo(end - quote);
  }

  // ://user:password@
  void Url() {
    Copy(3);
    const std::size_t end = scan_.Until(at_, " \t\r\n/?#'\"");
    const std::string_view authority = text_.substr(at_, end - at_);
    const std::size_t at_sign = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (at_sign == authority.npos || colon >= at_sign) return;
    Copy(colon + 1);
    const std::string_view password = authority.substr(colon + 1, at_sign - colon - 1);
    if (!IsNoSecret(password, '"')) MaskTo(at_ + password.size());
  }

  void MarkArguments(std::string_view positions) {
    for (const char position : positions) {
      const std::size_t literal = scan_.LiteralArgument(at_, position - '0');
      if (literal != text_.npos) marks_.push_back(literal);
    }
  }

  // At the quote of a literal that names a secret.
  bool NamedAt(std::size_t quote) const {
    const Quoted name = scan_.QuotedAt(quote);
    return name.end - name.begin < kMostAhead &&
           NamesSecret(text_.substr(name.begin, name.end - name.begin));
  }

  // <add key="Password" value="x"/>
  void MarkBeside() {
    if (!Rest().starts_with("=\"") || !NamedAt(at_ + 1)) return;
    const std::size_t value = scan_.Span(scan_.QuotedAt(at_ + 1).behind, " \t\r\n");
    const std::string_view word = scan_.Word(value);
    if (OneOf(word, {"value"}) && text_.substr(value + word.size()).starts_with("=\""))
      marks_.push_back(value + word.size() + 1);
  }

  // [Environment]::SetEnvironmentVariable('PASSWORD', 'x')
  void MarkVariable() {
    const std::size_t name = scan_.LiteralArgument(at_, 1);
    if (name != text_.npos && NamedAt(name)) MarkArguments("2");
  }

  const std::string_view text_;
  const SecretScan scan_;
  const bool package_options_;
  std::size_t at_ = 0;
  std::size_t command_ = 0;  // where this line's begins
  std::size_t next_line_ = 0;
  PasswordOptions options_;         // of the programs of this line
  std::vector<std::size_t> marks_;  // quotes of literals that are secrets
  std::size_t next_mark_ = 0;
  std::string out_;
};

}  // namespace

std::string RedactSecrets(std::string_view text, bool package_options) {
  return Redactor(text, package_options).Run();
}

std::optional<std::string> Redacted(const std::optional<std::string>& text, bool package_options) {
  return text ? std::optional(RedactSecrets(*text, package_options)) : std::nullopt;
}

std::string RedactValue(std::string_view name, std::string_view value) {
  return NamesSecret(name) && !value.empty() ? std::string(kMask) : RedactSecrets(value);
}

}  // namespace toolpost::tools::mssql
