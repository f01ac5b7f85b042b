// What start tags mean.
#include "html/tag_rules.h"

#include "html/characters.h"
#include "html/hidden_style.h"

namespace toolpost::html {

using enum Element;

bool IsNavigation(const Token& tag) {
  const std::string* role = tag.Find("role");
  return role != nullptr && (*role == "navigation" || *role == "menu" || *role == "menubar");
}

bool IsConcealed(Element element, const Token& tag) {
  // Pages that hide themselves until their scripts have run are to be read all the same.
  if (element == kHtml || element == kBody) return false;
  if (tag.attributes_dropped || tag.Find("hidden") != nullptr) return true;
  if (element == kDialog && tag.Find("open") == nullptr) return true;
  const std::string* style = tag.Find("style");
  return style != nullptr && HidesElement(*style);
}

bool LeavesForeignContent(Element element) {
  switch (element) {
    case kB:
    case kBig:
    case kBr:
    case kCode:
    case kEm:
    case kEmbed:
    case kI:
    case kImg:
    case kMeta:
    case kNobr:
    case kRuby:
    case kS:
    case kSmall:
    case kSpan:
    case kStrong:
    case kStrike:
    case kSub:
    case kSup:
    case kTt:
    case kU:
    case kVar:
      return true;
    default:
      return (FlagsOf(element) & kBlock) != 0;
  }
}

Tokenizer::Mode ModeAfter(Element element) {
  switch (element) {
    case kTitle:
    case kTextarea:
      return Tokenizer::Mode::kRcdata;
    case kStyle:
    case kXmp:
    case kIframe:
    case kNoembed:
    case kNoframes:
      return Tokenizer::Mode::kRawtext;
    case kScript:
      return Tokenizer::Mode::kScript;
    case kPlaintext:
      return Tokenizer::Mode::kPlaintext;
    default:
      return Tokenizer::Mode::kData;
  }
}

std::string LanguageOf(const Token& tag) {
  const std::string* classes = tag.Find("class");
  if (classes == nullptr) return {};
  for (const std::string_view prefix : {"language-", "lang-", "highlight-source-"}) {
    const std::size_t at = classes->find(prefix);
    if (at == classes->npos) continue;
    const std::size_t first = at + prefix.size();
    constexpr std::size_t kLongest = 20;
    std::size_t end = first;
    while (end < classes->size() && end - first < kLongest &&
           (IsLetter((*classes)[end]) || IsDigit((*classes)[end]) || (*classes)[end] == '+' ||
            (*classes)[end] == '#' || (*classes)[end] == '-')) {
      ++end;
    }
    return classes->substr(first, end - first);
  }
  return {};
}

}  // namespace toolpost::html
