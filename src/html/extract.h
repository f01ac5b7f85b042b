// The readable text of a page.
//
// Scripts, styles, navigation, embedded objects and what the page hides are left out. Works on
// tokens with a list of open elements in place of a tree, in time and space linear in the size of
// the page, whatever it contains.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace toolpost::html {

struct ExtractOptions {
  bool markdown = false;  // headings, lists, tables, links and code as Markdown; else plain text
  // Makes a link absolute: `base` is the page's <base href> as made absolute by an earlier call, or
  // empty. An empty result drops the link and keeps its text. Empty function: no links.
  std::function<std::string(std::string_view base, std::string_view reference)> resolve;
  std::size_t max_bytes = std::size_t{16} * 1024 * 1024;  // of text; the rest is cut off
};

struct Extract {
  std::string title;
  std::string text;
  // Characters (without white space) the page carries but hides: by attribute, by style, or because
  // they are invisible. A page that hides a lot may be talking to models behind people's backs.
  std::size_t hidden_chars = 0;
  bool complete = true;     // false: max_bytes was reached
  std::uint64_t steps = 0;  // a measure of the work done
};

// `page` is UTF-8.
Extract ExtractText(std::string_view page, const ExtractOptions& options);

}  // namespace toolpost::html
