// The tokenizer of the HTML standard (WHATWG HTML 13.2.5) over a whole document.
//
// Gives the tokens of the standard for any input, however broken, in time linear in its size; parse
// errors are not reported. The tree builder's part of the work is left to the caller: it sets the
// mode after start tags whose content is no markup. Text may come in several pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "html/token.h"

namespace toolpost::html {

// One pass by one thread over a text that must outlive it.
class Tokenizer {
 public:
  // How text up to the end tag is read.
  enum class Mode {
    kData,       // markup
    kRcdata,     // character references only: title, textarea
    kRawtext,    // nothing: style, xmp, iframe, noembed, noframes
    kScript,     // nothing, with the escapes of scripts
    kPlaintext,  // nothing, to the end of the document
    kCdata,      // up to "]]>"
  };

  // UTF-8; other bytes pass through unchanged.
  explicit Tokenizer(std::string_view input) : input_(input) {}

  // False at the end. `token` is overwritten.
  bool Next(Token& token);

  // `end_tag` (lower case) is the element whose end tag leads back to kData; empty: nothing does.
  void SetMode(Mode mode, std::string_view end_tag = {});
  // Whether "<![CDATA[" begins a section, as inside of svg and math, or a bogus comment.
  void AllowCdata(bool allow) { cdata_ = allow; }

  // Characters looked at so far: the measure of the work done.
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr int kEnd = -1;
  enum class Escape { kNone, kEscaped, kDouble };

  // Each consumes something; false when that gave no token.
  bool Data(Token& token);
  bool Rcdata(Token& token);
  bool Rawtext(Token& token);
  bool Plaintext(Token& token);
  bool Cdata(Token& token);
  bool Script(Token& token);
  bool Markup(Token& token);
  bool Declaration(Token& token);
  bool Comment(Token& token);
  bool BogusComment(Token& token);
  bool ParseDoctype(Token& token);
  bool Tag(Token& token, Token::Kind kind);

  bool Text(Token& token, std::string_view text, std::size_t consumed);
  // Up to the next character of `stops`; a CR or NUL at once.
  bool Run(Token& token, std::string_view stops, bool replace_nul);
  bool Reference(Token& token);
  bool EndTagAhead();
  void ScriptStep(char c);
  bool ScriptWord(std::size_t from);

  bool Attributes(Token& token);
  bool AttributeValue(std::string& value);
  void AppendReference(std::string& out, bool in_attribute);
  void AppendNumber(std::string& out);

  void DoctypeName(Doctype& doctype);
  bool DoctypeIdentifiers(Doctype& doctype);
  bool DoctypeIdentifier(Doctype& doctype, std::optional<std::string>& identifier);

  // The character `ahead` of the current one as it stands there, or kEnd.
  int Look(std::size_t ahead) const {
    return at_ + ahead < input_.size() ? static_cast<unsigned char>(input_[at_ + ahead]) : kEnd;
  }
  // The current character with CR as LF, or kEnd.
  int Peek() const {
    const int c = Look(0);
    return c == '\r' ? '\n' : c;
  }
  void Advance() {
    at_ += Look(0) == '\r' && Look(1) == '\n' ? 2 : 1;
    ++steps_;
  }
  void Skip(std::size_t count) {
    at_ += count;
    steps_ += count;
  }
  void SkipSpace();
  bool AheadIgnoringCase(std::string_view word) const;

  const std::string_view input_;
  std::size_t at_ = 0;
  std::uint64_t steps_ = 0;
  Mode mode_ = Mode::kData;
  std::string end_tag_;
  bool cdata_ = false;
  Escape escape_ = Escape::kNone;
  int dashes_ = 0;
  std::string scratch_;
};

}  // namespace toolpost::html
