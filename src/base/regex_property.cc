// Unicode property names of ECMA-262 and the RE2 classes that stand for them.
#include <algorithm>
#include <utility>

#include "base/regex_translate.h"
#include "base/strings.h"

namespace toolpost::base {

namespace {

using Alias = std::pair<std::string_view, std::string_view>;

// Long names and aliases of General_Category (Unicode PropertyValueAliases).
constexpr Alias kCategories[] = {
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
    {"Private_Use", "Co"},
    {"Other", "C"},
    {"Unassigned", "Cn"},
    {"Cased_Letter", "LC"},
};

// ISO 15924 codes of the scripts that schemas use; RE2 knows every script by its long name.
constexpr Alias kScripts[] = {
    {"Arab", "Arabic"},    {"Armn", "Armenian"},   {"Beng", "Bengali"},   {"Bopo", "Bopomofo"},
    {"Brai", "Braille"},   {"Cher", "Cherokee"},   {"Copt", "Coptic"},    {"Qaac", "Coptic"},
    {"Cyrl", "Cyrillic"},  {"Deva", "Devanagari"}, {"Ethi", "Ethiopic"},  {"Geor", "Georgian"},
    {"Goth", "Gothic"},    {"Grek", "Greek"},      {"Gujr", "Gujarati"},  {"Guru", "Gurmukhi"},
    {"Hang", "Hangul"},    {"Hani", "Han"},        {"Hebr", "Hebrew"},    {"Hira", "Hiragana"},
    {"Kana", "Katakana"},  {"Khmr", "Khmer"},      {"Knda", "Kannada"},   {"Laoo", "Lao"},
    {"Latn", "Latin"},     {"Mlym", "Malayalam"},  {"Mong", "Mongolian"}, {"Mymr", "Myanmar"},
    {"Orya", "Oriya"},     {"Sinh", "Sinhala"},    {"Syrc", "Syriac"},    {"Taml", "Tamil"},
    {"Telu", "Telugu"},    {"Thaa", "Thaana"},     {"Thai", "Thai"},      {"Tibt", "Tibetan"},
    {"Zinh", "Inherited"}, {"Qaai", "Inherited"},  {"Zyyy", "Common"},
};

// RE2 has no Cn, so the two categories that hold it are complements of all others.
constexpr std::string_view kAllButOther = "\\pL\\pM\\pN\\pP\\pS\\pZ";
constexpr std::string_view kAssigned = "\\pL\\pM\\pN\\pP\\pS\\pZ\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}";

template <std::size_t kSize>
std::string_view Lookup(const Alias (&table)[kSize], std::string_view name) {
  const auto* found = std::ranges::find(table, name, &Alias::first);
  return found == std::end(table) ? std::string_view() : found->second;
}

Error Unknown(std::string_view expression) {
  return Error::InvalidParams(StrCat(
      "unknown Unicode property \\p{", expression.substr(0, 64),
      "}: use a general category such as \\p{Letter} or a script such as \\p{Script=Greek}"));
}

bool IsShortCategory(std::string_view name) {
  return std::ranges::find(kCategories, name, &Alias::second) != std::end(kCategories);
}

Result<CharacterSet> Category(std::string_view expression, std::string_view name) {
  if (!IsShortCategory(name)) name = Lookup(kCategories, name);
  if (name.empty()) return Unknown(expression);
  if (name == "C") return CharacterSet{std::string(kAllButOther), true};
  if (name == "Cn") return CharacterSet{std::string(kAssigned), true};
  if (name == "LC") return CharacterSet{"\\p{Lu}\\p{Ll}\\p{Lt}"};
  return CharacterSet{StrCat("\\p{", name, "}")};
}

Result<CharacterSet> Script(std::string_view expression, std::string_view name) {
  if (const std::string_view long_name = Lookup(kScripts, name); !long_name.empty()) {
    name = long_name;
  }
  const bool plausible = name.size() > 2 && name != "Any" && std::ranges::all_of(name, [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
                         });
  if (!plausible) return Unknown(expression);
  return CharacterSet{StrCat("\\p{", name, "}")};
}

}  // namespace

Result<CharacterSet> UnicodeProperty(std::string_view expression) {
  const std::size_t equals = expression.find('=');
  if (equals != std::string_view::npos) {
    const std::string_view property = expression.substr(0, equals);
    const std::string_view value = expression.substr(equals + 1);
    if (property == "General_Category" || property == "gc") return Category(expression, value);
    if (property == "Script" || property == "sc") return Script(expression, value);
    return Unknown(expression);
  }
  if (expression == "Any") return CharacterSet{"\\x{0}-\\x{10FFFF}"};
  if (expression == "ASCII") return CharacterSet{"\\x{0}-\\x{7F}"};
  if (expression == "ASCII_Hex_Digit" || expression == "AHex") return CharacterSet{"0-9A-Fa-f"};
  if (expression == "White_Space" || expression == "space") {
    return CharacterSet{"\\x{9}-\\x{D}\\x{85}\\p{Z}"};
  }
  return Category(expression, expression);
}

std::string_view EcmaSpaces() {
  return "\\x{9}-\\x{D}\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}"
         "\\x{205F}\\x{3000}\\x{FEFF}";
}

std::string_view EcmaNonSpaces() {
  return "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}"
         "\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}"
         "\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";
}

}  // namespace toolpost::base
