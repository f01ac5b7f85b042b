// Tags to calls of the writer.
#include "html/extract.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "html/characters.h"
#include "html/invisible.h"
#include "html/open_elements.h"
#include "html/tag_rules.h"
#include "html/text_writer.h"
#include "html/tokenizer.h"

namespace toolpost::html {
namespace {

using enum Element;

// A link that goes on longer is one whose end was forgotten.
constexpr std::size_t kMaxLinkText = 1'000;
constexpr std::size_t kMaxUrl = 2'000;

std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && IsSpace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

class Extractor {
 public:
  Extractor(std::string_view page, const ExtractOptions& options)
      : options_(options),
        tokenizer_(page),
        writer_(options.markdown, options.max_bytes),
        title_(false, options.max_bytes),
        open_([this](const OpenElements::Entry& entry) { Closed(entry); }) {}

  Extract Run() {
    Token token;
    Extract result;
    while (tokenizer_.Next(token)) {
      if (writer_.size() + preformatted_.size() > options_.max_bytes) {
        result.complete = false;
        break;
      }
      if (token.kind == Token::Kind::kText) Text(token.text);
      if (token.kind == Token::Kind::kStartTag) Start(token);
      if (token.kind == Token::Kind::kEndTag) End(token);
    }
    open_.CloseAll();
    result.complete = result.complete && writer_.size() <= options_.max_bytes;
    result.title = std::move(title_.text());
    result.text = std::move(writer_.text());
    result.hidden_chars = hidden_chars_ + writer_.invisible() + title_.invisible();
    result.steps = tokenizer_.steps() + open_.steps() + result.text.size();
    return result;
  }

 private:
  struct Link {
    std::string url;  // empty: none is written
    std::size_t start = 0;
  };

  bool Visible() const { return !open_.hidden() && !open_.dropped(); }
  bool InForeignContent() const {
    return (open_.Has(kSvg) && !open_.IsInside(kForeignobject, kSvg)) ||
           (open_.Has(kMath) && !open_.IsInside(kForeignobject, kMath));
  }

  void Text(std::string_view text) {
    if (open_.dropped() || unrecorded_) return;
    if (open_.hidden()) {
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        hidden_chars_ += !IsSpace(byte) && (byte & 0xC0) != 0x80 ? 1 : 0;
      }
    } else if (open_.Has(kTitle)) {
      if (first_title_) title_.Text(text);
    } else if (preformatted_depth_ > 0) {
      preformatted_.append(text);
    } else {
      writer_.Text(text);
    }
  }

  void Start(const Token& tag) {
    const Element element = ElementOf(tag.name);
    bool foreign = InForeignContent();
    if (foreign && LeavesForeignContent(element)) {
      open_.Close(kSvg);
      open_.Close(kMath);
      foreign = InForeignContent();
    }
    if (foreign && tag.self_closing) return;
    if ((element == kBody || element == kHtml) && open_.Has(element)) return;
    open_.CloseImplied(element);
    if ((FlagsOf(element) & kVoid) != 0) return Void(element, tag);
    const bool dropped = (FlagsOf(element) & kDropped) != 0 || IsNavigation(tag);
    const bool opened = open_.Open(element, IsConcealed(element, tag), dropped);
    if (opened && Visible()) Opened(element, tag);
    tokenizer_.AllowCdata(InForeignContent());
    const Tokenizer::Mode mode = foreign ? Tokenizer::Mode::kData : ModeAfter(element);
    if (mode == Tokenizer::Mode::kData) return;
    tokenizer_.SetMode(mode, tag.name);
    unrecorded_ = !opened;
  }

  void End(const Token& tag) {
    if (std::exchange(unrecorded_, false)) return;
    const Element element = ElementOf(tag.name);
    if (element == kBr) return Void(kBr, tag);
    open_.Close(element);
    tokenizer_.AllowCdata(InForeignContent());
  }

  void Void(Element element, const Token& tag) {
    if (!Visible()) return;
    if (element == kBr) {
      if (preformatted_depth_ > 0) {
        preformatted_.push_back('\n');
      } else {
        Break(false);
      }
    } else if (element == kHr) {
      writer_.Rule();
    } else if (element == kImg) {
      Image(tag);
    } else if (element == kBase && base_.empty() && tag.Find("href") != nullptr) {
      base_ = Resolve(*tag.Find("href"));
    }
  }

  void Image(const Token& tag) {
    const std::string* alt = tag.Find("alt");
    if (!options_.markdown || alt == nullptr || TrimSpace(*alt).empty()) return;
    const bool in_link = !links_.empty() && !links_.back().url.empty();
    const std::string* source = tag.Find("src");
    const std::string url = in_link || source == nullptr ? std::string() : Resolve(*source);
    if (url.empty()) return writer_.Text(*alt);
    writer_.Open("![");
    writer_.Text(*alt);
    writer_.Close("![", base::StrCat("](", url, ")"));
  }

  std::string Resolve(std::string_view reference) const {
    reference = TrimSpace(reference);
    if (!options_.resolve || reference.empty() || reference.size() > kMaxUrl) return {};
    std::string url = options_.resolve(base_, reference);
    if (url.size() > kMaxUrl || CountInvisible(url) > 0) url.clear();
    return url;
  }

  void Break(bool paragraph) {
    if (!links_.empty() && !links_.back().url.empty() &&
        writer_.size() > links_.back().start + kMaxLinkText) {
      CloseLink(links_.back());
    }
    writer_.Break(paragraph);
  }

  void CloseLink(Link& link) {
    if (link.url.empty()) return;
    writer_.AddFlat(-1);
    writer_.Close("[", base::StrCat("](", link.url, ")"));
    link.url.clear();
  }

  void OpenLink(const Token& tag) {
    const std::string* href = tag.Find("href");
    Link link{.url = {}, .start = writer_.size()};
    if (options_.markdown && href != nullptr && !href->starts_with('#') && preformatted_depth_ == 0)
      link.url = Resolve(*href);
    if (!link.url.empty()) {
      writer_.Open("[");
      writer_.AddFlat(1);
    }
    links_.push_back(std::move(link));
  }

  static bool IsCode(Element element) {
    return element == kCode || element == kSamp || element == kKbd || element == kTt;
  }

  void Opened(Element element, const Token& tag) {
    const unsigned flags = FlagsOf(element);
    if ((flags & kHeading) != 0) return writer_.BeginHeading(static_cast<int>(element) - kFirst);
    if ((flags & kPreformatted) != 0) {
      if (preformatted_depth_++ == 0) language_ = LanguageOf(tag);
      return;
    }
    if (IsCode(element)) {
      if (preformatted_depth_ > 0 && language_.empty()) language_ = LanguageOf(tag);
      if (preformatted_depth_ == 0 && options_.markdown) writer_.Open("`");
      return;
    }
    switch (element) {
      case kA:
        return OpenLink(tag);
      case kUl:
      case kOl:
      case kMenu:
        return OpenList(element, tag);
      case kLi:
        return writer_.BeginItem(NextMarker());
      case kBlockquote:
        return writer_.BeginQuote();
      case kTable:
        return writer_.BeginTable();
      case kTr:
        return writer_.BeginRow();
      case kTd:
      case kTh:
        return writer_.BeginCell();
      default:
        if ((flags & kBlock) != 0) Break((flags & kParagraph) != 0);
    }
  }

  void Closed(const OpenElements::Entry& entry) {
    if (entry.hidden || entry.dropped || !Visible()) return;
    const Element element = entry.element;
    const unsigned flags = FlagsOf(element);
    if (element == kTitle && !title_.text().empty()) first_title_ = false;
    if ((flags & kHeading) != 0) return writer_.EndHeading();
    if ((flags & kPreformatted) != 0) return ClosePreformatted();
    if (IsCode(element)) {
      if (preformatted_depth_ == 0 && options_.markdown) writer_.Close("`", "`");
      return;
    }
    switch (element) {
      case kA:
        CloseLink(links_.back());
        return links_.pop_back();
      case kUl:
      case kOl:
      case kMenu:
        lists_.pop_back();
        return Break(lists_.empty());
      case kLi:
        return writer_.EndItem();
      case kBlockquote:
        return writer_.EndQuote();
      case kTable:
        return writer_.EndTable();
      case kTr:
        return writer_.EndRow();
      case kTd:
      case kTh:
        return writer_.EndCell();
      default:
        if ((flags & kBlock) != 0) Break((flags & kParagraph) != 0);
    }
  }

  void ClosePreformatted() {
    if (--preformatted_depth_ > 0) return;
    std::string_view text = preformatted_;
    if (text.starts_with('\n')) text.remove_prefix(1);
    writer_.Preformatted(text, language_);
    preformatted_.clear();
    language_.clear();
  }

  void OpenList(Element element, const Token& tag) {
    Break(lists_.empty());
    int next = 0;  // of bullets
    if (element == kOl) {
      next = 1;
      if (const std::string* start = tag.Find("start"); start != nullptr)
        std::from_chars(start->data(), start->data() + start->size(), next);
      next = std::clamp(next, 1, 1'000'000);
    }
    lists_.push_back(next);
  }

  std::string NextMarker() {
    if (lists_.empty() || lists_.back() == 0) return "- ";
    return base::StrCat(lists_.back()++, ". ");
  }

  static constexpr int kFirst = static_cast<int>(kH1) - 1;

  const ExtractOptions& options_;
  Tokenizer tokenizer_;
  TextWriter writer_;
  TextWriter title_;
  OpenElements open_;
  std::string base_;
  std::vector<Link> links_;
  std::vector<int> lists_;
  std::string preformatted_;
  std::string language_;
  int preformatted_depth_ = 0;
  bool first_title_ = true;
  bool unrecorded_ = false;  // text up to the next end tag belongs to an element beyond the depth
  std::size_t hidden_chars_ = 0;
};

}  // namespace

Extract ExtractText(std::string_view page, const ExtractOptions& options) {
  return Extractor(page, options).Run();
}

}  // namespace toolpost::html
