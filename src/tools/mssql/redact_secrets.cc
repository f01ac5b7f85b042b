// One pass: at every beginning of a word, whether a secret follows it. How far a look ahead goes is
// bounded, unless what it saw is then copied.
#include "tools/mssql/redact_secrets.h"

#include <algorithm>
#include <vector>

#include "tools/mssql/secret_commands.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kShortestSignature = 16;
constexpr std::size_t kShortestCut = 2 * kMostAhead;
constexpr std::string_view kCut = "…";
constexpr std::string_view kValueTag = "<value>", kCdata = "<![CDATA[";

class Redactor : CommandSecrets {
 public:
  Redactor(std::string_view text, bool package_options) : CommandSecrets(text, package_options) {}

  std::string Run() {
    const bool cut = text_.size() >= kShortestCut && text_.ends_with(kCut);
    const std::size_t known = cut ? text_.size() - kCut.size() - kMostAhead : text_.size();
    while (at_ < text_.size()) {
      if (at_ <= known) shown_ = out_.size();
      StartLines();
      if (IsMarked()) {
        MarkedValue();
      } else if (StartsWord()) {
        Word();
      } else if (Rest().starts_with("://")) {
        Url();
      } else {
        Copy(1);
      }
    }
    if (cut) out_.replace(shown_, out_.npos, kCut);
    return std::move(out_);
  }

 private:
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
    if (word == "-----BEGIN") return PrivateKey();
    if (word.front() == '-') return Option(word);
    if (const std::size_t token = KnownToken(Rest())) return MaskTo(at_ + token);
    if (const std::string_view variable = VariableOf(word); !variable.empty())
      variables_.insert(variable);
    const SecretName name = NameOf(word);
    const char before = Before();
    const std::string_view bracket = Bracket();
    Copy(word.size());
    if (word == "sig" || (word == "code" && Has("?&", before))) return Signature();
    if (OneOf(word, {"Bearer", "Basic"})) return Token();
    if (OneOf(word, {"Authorization", "Proxy-Authorization"})) return Authorization();
    if (OneOf(word, {"IDENTIFIED"})) return IdentifiedBy();
    if (Command(word)) return;
    MarkArguments(SecretArguments(word));
    if (OneOf(word, {"key", "name", "value"})) MarkBeside(word);
    if (OneOf(word, {"EXEC", "EXECUTE", "sp_password"}))
      changes_password_ = OneOf(word, {"sp_password"});
    if (OneOf(word, {"SetEnvironmentVariable"})) MarkVariable();
    const bool of_change = changes_password_ && OneOf(word, {"@old", "@new"});
    if (!of_change && !NamesSecret(word)) return;
    if (!bracket.empty()) return Element(bracket);
    Assignment(name);
  }

  void MarkedValue() {
    if (!At(">")) return QuotedValue();
    Copy(1);
    ElementValue("<");
  }

  // What is before the name of <Password>, <x:Password> or &lt;Password&gt;; empty: something else.
  std::string_view Bracket() const {
    std::size_t at = at_;
    if (Before() == ':') --at;
    while (at < at_ && at > 0 && InName(text_[at - 1])) --at;
    const std::string_view before = text_.substr(0, at);
    return before.ends_with('<') ? "<" : before.ends_with("&lt;") ? "&lt;" : "";
  }

  void Element(std::string_view bracket) {
    const std::string_view closing = bracket == "<" ? ">" : "&gt;";
    const std::size_t close = scan_.Until(at_, bracket == "<" ? "<>\r\n" : "<>;\r\n") + 1;
    const std::string_view tag = text_.substr(0, close);
    if (!tag.ends_with(closing) || text_[close - closing.size() - 1] == '/') return;
    CopyTo(close);
    ElementValue(bracket);
  }

  // Behind <Password>
  void ElementValue(std::string_view bracket) {
    CopyTo(scan_.Span(at_, " \t\r\n"));
    if (OneOf(Rest().substr(0, kValueTag.size()), {kValueTag})) Copy(kValueTag.size());
    if (Rest().starts_with(kCdata)) {
      Copy(kCdata.size());
      return MaskTo(std::min(text_.find("]]>", at_), text_.size()));
    }
    const std::size_t end = std::min(text_.find(bracket, at_), text_.size());
    if (!Keeps(text_.substr(at_, end - at_), '"')) MaskTo(end);
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
    if (!Keeps(text_.substr(at_, end - at_), '"')) MaskTo(end);
  }

  void IdentifiedBy() {
    std::size_t at = at_;
    std::string_view next = scan_.NextArgument(at);
    if (OneOf(next, {"WITH"})) {
      scan_.NextArgument(at);
      next = scan_.NextArgument(at);
    }
    if (!OneOf(next, {"BY"})) return;
    const std::size_t behind = at;
    if (!OneOf(scan_.NextArgument(at), {"VALUES", "PASSWORD"})) at = behind;
    ArgumentAt(scan_.Blanks(at));
  }

  // ://user:password@
  void Url() {
    Copy(3);
    const std::size_t end = scan_.Until(at_, " \t\r\n/?#'\"");
    const std::string_view authority = text_.substr(at_, end - at_);
    const std::size_t colon = authority.find(':');
    std::size_t at_sign = authority.rfind('@');
    if (colon >= std::min(at_sign, authority.size()) || At("[")) return;
    const std::string_view port = authority.substr(colon + 1);
    // The password has a slash, unless that is a port.
    if (at_sign + 1 == authority.size() || (at_sign == authority.npos && !IsPort(port))) {
      const std::size_t last = scan_.Near(end).Until(end, " \t\r\n'\"<>@");
      if (last == text_.size() || text_[last] == '@') at_sign = last - at_;
    }
    if (at_sign == authority.npos) return;
    Copy(colon + 1);
    const std::string_view password = text_.substr(at_, at_sign - colon - 1);
    if (!Keeps(password, '"')) MaskTo(at_ + password.size());
  }

  // Of a URL: a number, a variable, or nothing.
  bool IsPort(std::string_view text) const {
    const std::size_t behind = std::min(text.find_first_not_of("0123456789"), text.size());
    if (behind > 0) return behind == text.size() || !InName(text[behind]);
    return text.empty() || text.starts_with("port") || text.front() == '{' ||
           !VariableOf(text).empty() || Keeps(text, '"');
  }

  void MarkArguments(std::string_view positions) {
    for (const char position : positions) {
      const std::size_t literal = scan_.LiteralArgument(at_, position - '0');
      if (literal != text_.npos) Mark(literal);
    }
  }

  void Mark(std::size_t quote) {
    const auto from = marks_.begin() + static_cast<std::ptrdiff_t>(next_mark_);
    marks_.insert(std::upper_bound(from, marks_.end(), quote), quote);
  }

  // At the quote of a literal that names a secret.
  bool NamedAt(std::size_t quote) const {
    const Quoted name = scan_.Near(quote).QuotedAt(quote);
    return name.behind < quote + kMostAhead &&
           NamesSecret(text_.substr(name.begin, name.end - name.begin));
  }

  // <add key="Password" value="x"/> and {"value": "x", "name": "Password"}, from that word on.
  void MarkBeside(std::string_view word) {
    const SecretScan near = scan_.Near(at_);
    std::size_t value = text_.npos;
    bool secret = false;
    for (std::size_t at = at_; !word.empty(); at += word.size()) {
      const std::size_t sign = near.Span(at, "'\" \t\r\n");
      if (sign >= text_.size() || !Has("=:", text_[sign])) return;
      at = near.Span(sign + 1, " \t\r\n");
      if (at < text_.size() && Has("'\"", text_[at])) {
        const Quoted quoted = near.QuotedAt(at);
        if (OneOf(word, {"value"})) value = at;
        if (OneOf(word, {"key", "name"}))
          secret = NamesSecret(text_.substr(quoted.begin, quoted.end - quoted.begin));
        if (secret && value != text_.npos) return Mark(value);
        at = quoted.behind;
      } else {
        at = near.Until(at, " \t\r\n,;}>");
      }
      at = near.Span(at, "'\" \t\r\n,;");
      word = near.Word(at);
      if (secret && text_.substr(at).starts_with('>') && HoldsValue(near, at + 1)) return Mark(at);
    }
  }

  // Behind <property name="Password">: whether this is what a value stands in, and no label.
  bool HoldsValue(const SecretScan& near, std::size_t from) const {
    if (OneOf(text_.substr(near.Span(from, " \t\r\n"), kValueTag.size()), {kValueTag})) return true;
    std::size_t tag = near.Span(near.Until(from, "<"), "</");
    if (text_.substr(tag + near.Word(tag).size()).starts_with(':'))
      tag += near.Word(tag).size() + 1;
    return OneOf(near.Word(tag), {"property", "entry", "param", "parameter", "string", "setting"});
  }

  // [Environment]::SetEnvironmentVariable('PASSWORD', 'x')
  void MarkVariable() {
    const std::size_t name = scan_.LiteralArgument(at_, 1);
    if (name != text_.npos && NamedAt(name)) MarkArguments("2");
  }

  std::vector<std::size_t> marks_;  // quotes of literals that are secrets
  std::size_t next_mark_ = 0;
  bool changes_password_ = false;  // the last procedure
};

}  // namespace

std::string RedactSecrets(std::string_view text, bool package_options) {
  return Redactor(text, package_options).Run();
}

std::optional<std::string> Redacted(const std::optional<std::string>& text, bool package_options) {
  return text ? std::optional(RedactSecrets(*text, package_options)) : std::nullopt;
}

std::string RedactValue(std::string_view name, std::string_view value) {
  return ContainsSecretName(name) && !value.empty() ? std::string(kSecretMask)
                                                    : RedactSecrets(value);
}

}  // namespace toolpost::tools::mssql
