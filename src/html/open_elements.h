// The elements that are open at a point of the document, in place of a tree.
//
// Knows which start tags end an open element by themselves (a <li> the one before it) and which end
// tags are to be ignored, and does every operation in constant time per element opened: the last
// open element of each kind is at hand, nothing is searched.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "html/elements.h"

namespace toolpost::html {

// Used by one thread.
class OpenElements {
 public:
  // More are not recorded: a start tag beyond it opens nothing.
  static constexpr std::size_t kMaxDepth = 10'000;

  struct Entry {
    Element element = Element::kOther;
    bool hidden = false;   // its content is not shown
    bool dropped = false;  // its content is no text
    std::int32_t previous_same = -1, previous_block = -1, previous_scope = -1;
  };

  // `closed` is called for every element that ends, innermost first, after it was removed.
  explicit OpenElements(std::function<void(const Entry&)> closed) : closed_(std::move(closed)) {
    last_.fill(-1);
  }

  // Ends what a start tag of `element` ends.
  void CloseImplied(Element element);
  // False when the element is not recorded.
  bool Open(Element element, bool hidden, bool dropped);
  // An end tag.
  void Close(Element element);
  void CloseAll() { PopTo(0); }

  bool Has(Element element) const { return LastOf(element) >= 0; }
  // Whether `inner` was opened after the last open `outer`.
  bool IsInside(Element inner, Element outer) const { return LastOf(inner) > LastOf(outer); }
  bool hidden() const { return hidden_ > 0; }
  bool dropped() const { return dropped_ > 0; }
  std::uint64_t steps() const { return steps_; }

 private:
  std::int32_t LastOf(Element element) const { return last_[static_cast<std::size_t>(element)]; }
  void CloseIfAbove(Element element, std::int32_t boundary) {
    if (LastOf(element) > boundary) PopTo(LastOf(element));
  }
  void PopTo(std::int32_t size);

  std::function<void(const Entry&)> closed_;
  std::vector<Entry> stack_;
  std::array<std::int32_t, kElementCount> last_{};
  std::int32_t last_block_ = -1;
  std::int32_t last_scope_ = -1;
  int hidden_ = 0;
  int dropped_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace toolpost::html
