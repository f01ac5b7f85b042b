// WHATWG HTML 13.2.3.2: prescan a byte stream to determine its encoding, over more than the 1,024
// bytes browsers begin with: they find a later <meta> while parsing and start again.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "html/characters.h"
#include "html/charset.h"

namespace toolpost::html {
namespace {

constexpr std::size_t kScanned = std::size_t{64} * 1024;

struct Attribute {
  std::string name;
  std::string value;
};

class Scan {
 public:
  explicit Scan(std::string_view page) : page_(page.substr(0, kScanned)) {}

  std::string_view Run() {
    while (!Ended()) {
      if (page_.substr(at_).starts_with("<!--")) {
        const std::size_t end = page_.find("-->", at_ + 2);
        if (end == page_.npos) return {};
        at_ = end + 3;
      } else if (IsMeta()) {
        at_ += 5;
        const std::string_view found = Meta();
        if (!found.empty()) return found;
      } else if (IsTag()) {
        while (!Ended() && !IsSpace(page_[at_]) && page_[at_] != '>') ++at_;
        Attribute unused;
        while (Next(unused)) {
        }
      } else if (Look(0) == '<' && (Look(1) == '!' || Look(1) == '/' || Look(1) == '?')) {
        at_ = std::min(page_.find('>', at_), page_.size());
      } else {
        ++at_;
      }
    }
    return {};
  }

 private:
  bool Ended() const { return at_ >= page_.size(); }
  char Look(std::size_t ahead) const {
    return at_ + ahead < page_.size() ? page_[at_ + ahead] : '\0';
  }
  bool IsMeta() const {
    return base::EqualIgnoringCase(page_.substr(at_, 5), "<meta") &&
           (IsSpace(Look(5)) || Look(5) == '/');
  }
  bool IsTag() const {
    return Look(0) == '<' && (IsLetter(Look(1)) || (Look(1) == '/' && IsLetter(Look(2))));
  }

  std::string_view Meta() {
    bool http_equiv = false;
    bool from_content = false;
    std::string_view found;
    bool seen_content = false;
    bool seen_charset = false;
    for (Attribute attribute; Next(attribute);) {
      if (attribute.name == "http-equiv") {
        http_equiv = http_equiv || attribute.value == "content-type";
      } else if (attribute.name == "content" && !std::exchange(seen_content, true)) {
        if (!found.empty()) continue;
        found = FromContent(attribute.value);
        from_content = !found.empty();
      } else if (attribute.name == "charset" && !std::exchange(seen_charset, true)) {
        found = EncodingOfLabel(attribute.value);
        from_content = false;
      }
    }
    if (found.empty() || (from_content && !http_equiv)) return {};
    // A page that can be read as ASCII up to here is not in UTF-16.
    if (found.starts_with("UTF-16")) return "UTF-8";
    return found == "x-user-defined" ? "windows-1252" : found;
  }

  // "Extracting a character encoding from a meta element".
  static std::string_view FromContent(std::string_view text) {
    constexpr std::string_view kName = "charset";
    for (std::size_t at = text.find(kName); at != text.npos; at = text.find(kName, at)) {
      at += kName.size();
      while (at < text.size() && IsSpace(text[at])) ++at;
      if (at >= text.size() || text[at] != '=') continue;
      ++at;
      while (at < text.size() && IsSpace(text[at])) ++at;
      const std::string_view rest = text.substr(std::min(at, text.size()));
      if (rest.empty()) return {};
      if (rest.front() == '"' || rest.front() == '\'') {
        const std::size_t end = rest.find(rest.front(), 1);
        return end == rest.npos ? std::string_view() : EncodingOfLabel(rest.substr(1, end - 1));
      }
      return EncodingOfLabel(rest.substr(0, rest.find_first_of("; \t\n\f\r")));
    }
    return {};
  }

  // "Get an attribute"; false when the tag ends.
  bool Next(Attribute& attribute) {
    attribute = {};
    while (!Ended() && (IsSpace(page_[at_]) || page_[at_] == '/')) ++at_;
    if (Ended() || page_[at_] == '>') return false;
    for (; !Ended(); ++at_) {
      const char c = page_[at_];
      if (c == '=' && !attribute.name.empty()) return ++at_, Value(attribute);
      if (IsSpace(c)) break;
      if (c == '/' || c == '>') return true;
      attribute.name.push_back(base::ToLower(c));
    }
    while (!Ended() && IsSpace(page_[at_])) ++at_;
    if (Look(0) != '=') return !Ended();
    ++at_;
    return Value(attribute);
  }

  bool Value(Attribute& attribute) {
    while (!Ended() && IsSpace(page_[at_])) ++at_;
    if (Ended()) return false;
    const char quote = page_[at_];
    if (quote == '"' || quote == '\'') {
      for (++at_; !Ended(); ++at_) {
        if (page_[at_] == quote) return ++at_, true;
        attribute.value.push_back(base::ToLower(page_[at_]));
      }
      return false;
    }
    for (; !Ended() && !IsSpace(page_[at_]) && page_[at_] != '>'; ++at_)
      attribute.value.push_back(base::ToLower(page_[at_]));
    return !Ended();
  }

  const std::string_view page_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view EncodingOfMeta(std::string_view page) { return Scan(page).Run(); }

}  // namespace toolpost::html
