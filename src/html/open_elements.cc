// Which tag ends which element.
#include "html/open_elements.h"

#include <algorithm>

namespace toolpost::html {

using enum Element;

void OpenElements::CloseImplied(Element element) {
  const std::int32_t table = LastOf(kTable);
  switch (element) {
    case kLi:
      CloseIfAbove(kLi, std::max({LastOf(kUl), LastOf(kOl), LastOf(kMenu), last_scope_}));
      break;
    case kDt:
    case kDd:
      CloseIfAbove(kDt, std::max(LastOf(kDl), last_scope_));
      CloseIfAbove(kDd, std::max(LastOf(kDl), last_scope_));
      break;
    case kTd:
    case kTh:
      CloseIfAbove(kTd, std::max(table, LastOf(kTr)));
      CloseIfAbove(kTh, std::max(table, LastOf(kTr)));
      break;
    case kTr:
    case kTbody:
    case kThead:
    case kTfoot:
      CloseIfAbove(kCaption, table);
      CloseIfAbove(kTr, table);
      if (element == kTr) break;
      for (const Element group : {kTbody, kThead, kTfoot}) CloseIfAbove(group, table);
      break;
    case kA:
      CloseIfAbove(kA, std::max(last_block_, last_scope_));
      break;
    case kOption:
    case kOptgroup:
      CloseIfAbove(kOption, LastOf(kSelect));
      break;
    default:
      break;
  }
  if ((FlagsOf(element) & kBlock) != 0) CloseIfAbove(kP, last_scope_);
}

bool OpenElements::Open(Element element, bool hidden, bool dropped) {
  ++steps_;
  if (stack_.size() >= kMaxDepth) return false;
  const auto at = static_cast<std::int32_t>(stack_.size());
  auto& last = last_[static_cast<std::size_t>(element)];
  stack_.push_back({element, hidden, dropped, last, last_block_, last_scope_});
  last = at;
  const unsigned flags = FlagsOf(element);
  if ((flags & kBlock) != 0) last_block_ = at;
  if ((flags & kScope) != 0) last_scope_ = at;
  hidden_ += hidden ? 1 : 0;
  dropped_ += dropped ? 1 : 0;
  return true;
}

void OpenElements::Close(Element element) {
  ++steps_;
  const std::int32_t at = LastOf(element);
  if (at < 0) return;
  const unsigned flags = FlagsOf(element);
  const bool of_table = element == kTable || element == kTr || element == kTbody ||
                        element == kThead || element == kTfoot;
  // A cell keeps what it holds; only the end of its table ends it from outside.
  const std::int32_t limit = of_table ? (element == kTable ? -1 : LastOf(kTable)) : last_scope_;
  if (at < limit) return;
  // "</b>" does not end a block that was opened inside.
  if ((flags & (kBlock | kScope | kDropped)) == 0 && at < last_block_) return;
  PopTo(at);
}

void OpenElements::PopTo(std::int32_t size) {
  while (static_cast<std::int32_t>(stack_.size()) > size) {
    const Entry entry = stack_.back();
    stack_.pop_back();
    last_[static_cast<std::size_t>(entry.element)] = entry.previous_same;
    last_block_ = entry.previous_block;
    last_scope_ = entry.previous_scope;
    hidden_ -= entry.hidden ? 1 : 0;
    dropped_ -= entry.dropped ? 1 : 0;
    ++steps_;
    closed_(entry);
  }
}

}  // namespace toolpost::html
