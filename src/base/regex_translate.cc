// A single pass over an ECMA-262 pattern that writes the RE2 pattern of the same meaning.
#include "base/regex_translate.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "base/hex_digit.h"
#include "base/strings.h"

namespace toolpost::base {

namespace {

// What an escape or a class member stands for: one code point, or a set.
using Atom = std::variant<char32_t, CharacterSet>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string CodePoint(char32_t code) {
  char digits[9];
  char* end =
      std::to_chars(digits, digits + sizeof digits, static_cast<std::uint32_t>(code), 16).ptr;
  return StrCat("\\x{", std::string_view(digits, static_cast<std::size_t>(end - digits)), "}");
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}

  Result<std::string> Run() {
    while (at_ < in_.size()) RETURN_IF_ERROR(Term());
    return std::move(out_);
  }

 private:
  Error Refuse(std::string_view reason) const {
    return Error::InvalidParams(StrCat("pattern is not supported at byte ", at_, ": ", reason));
  }
  bool Accept(std::string_view text) {
    if (!in_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  Result<void> Term() {
    const char c = in_[at_];
    switch (c) {
      case '\\':
        return Escape();
      case '[':
        return Class();
      case '(':
        return Group();
      case '^':
        out_ += "\\A";
        break;
      case '$':
        out_ += "\\z";
        break;
      case '.':
        out_ += "[^\\n\\r\\x{2028}\\x{2029}]";
        break;
      case '{':
        if (AcceptRepetition()) return {};
        out_ += "\\{";
        break;
      case '}':
      case ']':
        out_ += '\\';
        out_ += c;
        break;
      default:
        out_ += c;
    }
    ++at_;
    return {};
  }

  bool AcceptRepetition() {
    std::size_t end = at_ + 1;
    const std::size_t digits = end;
    while (end < in_.size() && IsDigit(in_[end])) ++end;
    if (end == digits) return false;
    if (end < in_.size() && in_[end] == ',') ++end;
    while (end < in_.size() && IsDigit(in_[end])) ++end;
    if (end == in_.size() || in_[end] != '}') return false;
    out_ += in_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return true;
  }

  Result<void> Group() {
    const std::string_view rest = in_.substr(at_);
    if (rest.starts_with("(?=") || rest.starts_with("(?!") || rest.starts_with("(?<=") ||
        rest.starts_with("(?<!")) {
      return Refuse(
          "lookahead and lookbehind cannot be matched in linear time; rewrite it without");
    }
    if (Accept("(?<")) {
      const std::size_t end = in_.find('>', at_);
      if (end == std::string_view::npos || end == at_)
        return Refuse("the group name is not closed");
      at_ = end + 1;
      out_ += "(?:";
    } else if (Accept("(?:")) {
      out_ += "(?:";
    } else if (rest.starts_with("(?")) {
      return Refuse("of the groups that begin with (? only (?: and (?<name> are known");
    } else {
      ++at_;
      out_ += '(';
    }
    return {};
  }

  Result<void> Escape() {
    if (Accept("\\b")) {
      out_ += "\\b";
    } else if (Accept("\\B")) {
      out_ += "\\B";
    } else {
      ASSIGN_OR_RETURN(const Atom atom, EscapedAtom());
      if (const auto* code = std::get_if<char32_t>(&atom)) {
        out_ += CodePoint(*code);
      } else {
        const auto& set = std::get<CharacterSet>(atom);
        out_ += StrCat(set.negated ? "[^" : "[", set.items, "]");
      }
    }
    return {};
  }

  // The atom of the escape at `at_`, inside or outside a class; leaves `at_` behind it.
  Result<Atom> EscapedAtom() {
    if (at_ + 1 >= in_.size()) return Refuse("it ends in a single backslash");
    const char c = in_[at_ + 1];
    if (c == 'u' || c == 'x') return CodeEscape();
    if (c == 'p' || c == 'P') return PropertyEscape();
    if (c == 'c') {
      if (at_ + 2 >= in_.size() || !IsLetter(in_[at_ + 2])) return Refuse("\\c needs a letter");
      at_ += 3;
      return Atom(static_cast<char32_t>(in_[at_ - 1] % 32));
    }
    if (c == '0' && !(at_ + 2 < in_.size() && IsDigit(in_[at_ + 2]))) {
      at_ += 2;
      return Atom(U'\0');
    }
    if (IsDigit(c) || c == 'k') {
      return Refuse("backreferences cannot be matched in linear time; rewrite it without");
    }
    if (std::optional<Atom> atom = SimpleEscape(c)) {
      at_ += 2;
      return *std::move(atom);
    }
    return Refuse(StrCat("unknown escape \\", IsLetter(c) ? in_.substr(at_ + 1, 1) : "(other)"));
  }

  static std::optional<Atom> SimpleEscape(char c) {
    switch (c) {
      case 'd':
        return CharacterSet{"0-9"};
      case 'D':
        return CharacterSet{"\\x{0}-\\x{2F}\\x{3A}-\\x{10FFFF}"};
      case 'w':
        return CharacterSet{"0-9A-Za-z_"};
      case 'W':
        return CharacterSet{
            "\\x{0}-\\x{2F}\\x{3A}-\\x{40}\\x{5B}-\\x{5E}\\x{60}\\x{7B}-\\x{10FFFF}"};
      case 's':
        return CharacterSet{std::string(EcmaSpaces())};
      case 'S':
        return CharacterSet{std::string(EcmaNonSpaces())};
      case 't':
        return U'\t';
      case 'n':
        return U'\n';
      case 'v':
        return U'\v';
      case 'f':
        return U'\f';
      case 'r':
        return U'\r';
      default:
        if (c > ' ' && c < 0x7f && !IsLetter(c)) return static_cast<char32_t>(c);
        return std::nullopt;
    }
  }

  std::optional<char32_t> Hex(std::size_t digits) {
    char32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const int value = at_ + i < in_.size() ? HexDigit(in_[at_ + i]) : -1;
      if (value < 0) return std::nullopt;
      code = code * 16 + static_cast<char32_t>(value);
    }
    at_ += digits;
    return code;
  }

  Result<Atom> CodeEscape() {
    std::optional<char32_t> code;
    if (Accept("\\x")) {
      code = Hex(2);
    } else if (Accept("\\u{")) {
      const std::size_t end = in_.find('}', at_);
      const bool sane = end != std::string_view::npos && end > at_ && end - at_ <= 6;
      if (sane) code = Hex(end - at_);
      if (code) ++at_;
    } else {
      Accept("\\u");
      code = Hex(4);
      if (code && *code >= 0xD800 && *code < 0xDC00 && Accept("\\u")) {
        const std::optional<char32_t> low = Hex(4);
        if (!low || *low < 0xDC00 || *low > 0xDFFF) return Refuse("a high surrogate stands alone");
        return Atom(0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
      }
    }
    if (!code || *code > 0x10FFFF) return Refuse("a \\x or \\u escape is malformed");
    if (*code >= 0xD800 && *code <= 0xDFFF) return Refuse("a surrogate stands alone");
    return Atom(*code);
  }

  Result<Atom> PropertyEscape() {
    const bool complement = in_[at_ + 1] == 'P';
    const std::size_t end = in_.find('}', at_);
    if (in_.substr(at_ + 2, 1) != "{" || end == std::string_view::npos) {
      return Refuse("\\p needs a property in braces, such as \\p{Letter}");
    }
    ASSIGN_OR_RETURN(CharacterSet set, UnicodeProperty(in_.substr(at_ + 3, end - at_ - 3)));
    set.negated ^= complement;
    at_ = end + 1;
    return Atom(std::move(set));
  }

  Result<Atom> ClassAtom() {
    if (in_[at_] == '\\') {
      if (Accept("\\b")) return Atom(U'\b');
      if (in_.substr(at_).starts_with("\\B")) return Refuse("\\B has no meaning in a class");
      return EscapedAtom();
    }
    const auto lead = static_cast<unsigned char>(in_[at_]);
    const int length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (int i = 1; i < length; ++i) {
      code =
          (code << 6) | (static_cast<unsigned char>(in_[at_ + static_cast<std::size_t>(i)]) & 0x3F);
    }
    at_ += static_cast<std::size_t>(length);
    return Atom(code);
  }

  Result<void> AddSet(const CharacterSet& set, std::string& items) {
    if (!set.negated) {
      items += set.items;
    } else if (set.items.starts_with("\\p{") && set.items.find('}') + 1 == set.items.size()) {
      items += StrCat("\\P", std::string_view(set.items).substr(2));
    } else {
      return Refuse("this complement of a property cannot stand inside [ ]; put it outside");
    }
    return {};
  }

  Result<void> Class() {
    ++at_;
    const bool negated = Accept("^");
    std::string items;
    while (true) {
      if (at_ >= in_.size()) return Refuse("a class [ is not closed");
      if (Accept("]")) break;
      ASSIGN_OR_RETURN(const Atom first, ClassAtom());
      const auto* low = std::get_if<char32_t>(&first);
      const bool range =
          low != nullptr && at_ + 1 < in_.size() && in_[at_] == '-' && in_[at_ + 1] != ']';
      if (low == nullptr) {
        RETURN_IF_ERROR(AddSet(std::get<CharacterSet>(first), items));
      } else if (!range) {
        items += CodePoint(*low);
      } else {
        ++at_;
        ASSIGN_OR_RETURN(const Atom last, ClassAtom());
        const auto* high = std::get_if<char32_t>(&last);
        if (high == nullptr || *high < *low) return Refuse("a range in a class is out of order");
        items += StrCat(CodePoint(*low), "-", CodePoint(*high));
      }
    }
    if (items.empty()) {  // [] matches nothing and [^] everything
      out_ += negated ? "[\\x{0}-\\x{10FFFF}]" : "[^\\x{0}-\\x{10FFFF}]";
    } else {
      out_ += StrCat(negated ? "[^" : "[", items, "]");
    }
    return {};
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string> TranslateRegex(std::string_view pattern) {
  if (!IsValidUtf8(pattern)) return Error::InvalidParams("pattern is not valid UTF-8");
  return Translator(pattern).Run();
}

}  // namespace toolpost::base
