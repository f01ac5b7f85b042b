// The table of elements.
#include "html/elements.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace toolpost::html {
namespace {

struct Row {
  std::string_view name;
  unsigned flags;
};

constexpr Row kRows[] = {
    {"a", 0},
    {"abbr", 0},
    {"address", kBlock},
    {"applet", kDropped | kScope},
    {"area", kVoid},
    {"article", kBlock},
    {"aside", kBlock},
    {"audio", kDropped},
    {"b", 0},
    {"base", kVoid},
    {"bdi", 0},
    {"bdo", 0},
    {"big", 0},
    {"blockquote", kBlock | kParagraph},
    {"body", kBlock},
    {"br", kVoid},
    {"button", kDropped | kScope},
    {"canvas", kDropped},
    {"caption", kBlock | kParagraph | kScope},
    {"center", kBlock},
    {"cite", 0},
    {"code", 0},
    {"col", kVoid},
    {"colgroup", 0},
    {"data", 0},
    {"datalist", kDropped},
    {"dd", kBlock},
    {"del", 0},
    {"details", kBlock},
    {"dfn", 0},
    {"dialog", kBlock},
    {"div", kBlock},
    {"dl", kBlock | kParagraph},
    {"dt", kBlock},
    {"em", 0},
    {"embed", kVoid},
    {"fieldset", kBlock},
    {"figcaption", kBlock},
    {"figure", kBlock | kParagraph},
    {"font", 0},
    {"footer", kBlock},
    {"foreignobject", kScope},
    {"form", kBlock},
    {"frame", kVoid},
    {"frameset", kDropped},
    {"h1", kBlock | kParagraph | kHeading},
    {"h2", kBlock | kParagraph | kHeading},
    {"h3", kBlock | kParagraph | kHeading},
    {"h4", kBlock | kParagraph | kHeading},
    {"h5", kBlock | kParagraph | kHeading},
    {"h6", kBlock | kParagraph | kHeading},
    {"head", kBlock},
    {"header", kBlock},
    {"hgroup", kBlock},
    {"hr", kBlock | kParagraph | kVoid},
    {"html", kBlock},
    {"i", 0},
    {"iframe", kDropped},
    {"img", kVoid},
    {"input", kVoid},
    {"ins", 0},
    {"kbd", 0},
    {"label", 0},
    {"legend", kBlock},
    {"li", kBlock},
    {"link", kVoid},
    {"listing", kBlock | kParagraph | kPreformatted},
    {"main", kBlock},
    {"map", kDropped},
    {"mark", 0},
    {"math", 0},
    {"menu", kBlock | kParagraph},
    {"meta", kVoid},
    {"meter", kDropped},
    {"nav", kBlock | kDropped},
    {"nobr", 0},
    {"noembed", kDropped},
    {"noframes", kDropped},
    {"noscript", kDropped},
    {"object", kDropped | kScope},
    {"ol", kBlock | kParagraph},
    {"optgroup", 0},
    {"option", 0},
    {"output", 0},
    {"p", kBlock | kParagraph},
    {"param", kVoid},
    {"picture", 0},
    {"plaintext", kBlock | kParagraph | kPreformatted},
    {"pre", kBlock | kParagraph | kPreformatted},
    {"progress", kDropped},
    {"q", 0},
    {"rp", kDropped},
    {"rt", 0},
    {"ruby", 0},
    {"s", 0},
    {"samp", 0},
    {"script", kDropped},
    {"search", kBlock},
    {"section", kBlock},
    {"select", kDropped},
    {"small", 0},
    {"source", kVoid},
    {"span", 0},
    {"strike", 0},
    {"strong", 0},
    {"style", kDropped},
    {"sub", 0},
    {"summary", kBlock},
    {"sup", 0},
    {"svg", kDropped},
    {"table", kBlock | kParagraph | kScope},
    {"tbody", kBlock},
    {"td", kBlock | kScope},
    {"template", kDropped | kScope},
    {"textarea", kDropped},
    {"tfoot", kBlock},
    {"th", kBlock | kScope},
    {"thead", kBlock},
    {"time", 0},
    {"title", 0},
    {"tr", kBlock},
    {"track", kVoid},
    {"tt", 0},
    {"u", 0},
    {"ul", kBlock | kParagraph},
    {"var", 0},
    {"video", kDropped},
    {"wbr", kVoid},
    {"xmp", kBlock | kParagraph | kPreformatted},
};
static_assert(std::size(kRows) + 1 == kElementCount);

}  // namespace

Element ElementOf(std::string_view name) {
  const auto* found =
      std::lower_bound(std::begin(kRows), std::end(kRows), name,
                       [](const Row& row, std::string_view wanted) { return row.name < wanted; });
  if (found == std::end(kRows) || found->name != name) return Element::kOther;
  return static_cast<Element>(found - std::begin(kRows));
}

unsigned FlagsOf(Element element) {
  return element == Element::kOther ? 0 : kRows[static_cast<std::size_t>(element)].flags;
}

}  // namespace toolpost::html
