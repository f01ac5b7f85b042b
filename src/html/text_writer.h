// Text with lines, paragraphs, lists and tables, from pieces that arrive in document order.
//
// White space is collapsed, breaks are merged, marks that would stand around nothing are left out.
// Control and invisible characters, the carriers of hidden instructions, are removed and counted.
// The size of the text is at most a constant multiple of what is put in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::html {

// Used by one thread.
class TextWriter {
 public:
  // Beyond `max_bytes` preformatted lines, which prefixes make longer, are dropped.
  TextWriter(bool markdown, std::size_t max_bytes) : markdown_(markdown), max_bytes_(max_bytes) {}

  void Text(std::string_view text);
  // Kept as it is, line by line. `language` may be empty.
  void Preformatted(std::string_view text, std::string_view language);
  // An empty line when `paragraph`.
  void Break(bool paragraph);
  void Rule();  // a line across

  // In headings, cells and what AddFlat() marks, breaks are spaces.
  void BeginHeading(int level);
  void EndHeading();
  void BeginItem(std::string_view marker);  // "- ", "3. "
  void EndItem();
  void BeginQuote();
  void EndQuote();

  void BeginTable();
  void EndTable();
  void BeginRow();
  void EndRow();
  void BeginCell();
  void EndCell();

  // Marks around text in a line. Close() takes back an opening mark that got no text.
  void Open(std::string_view mark);
  void Close(std::string_view opened, std::string_view mark);
  void AddFlat(int change) { flat_ += change; }

  std::string& text() { return out_; }
  std::size_t size() const { return out_.size(); }
  std::size_t invisible() const { return invisible_; }

 private:
  // Deeper levels are not indented any further, else prefixes could grow without bound.
  static constexpr std::size_t kMaxLevels = 8;

  struct Table {
    bool layout = false;  // holds other tables: its cells are blocks
    bool in_cell = false;
    bool row_begun = false;
    bool head_written = false;
    int cells = 0;    // of this row
    int pending = 0;  // cells whose separator is not written yet
  };

  void Flush();
  void StartLine();
  void WriteCells();
  Table* DataTable();
  void Character(std::string_view bytes);

  const bool markdown_;
  const std::size_t max_bytes_;
  std::string out_;
  int breaks_ = 0;  // 1: new line, 2: an empty line
  bool space_ = false;
  int flat_ = 0;
  std::string marker_;  // of the item or heading that begins
  std::string opened_;  // marks that wait for their text
  std::vector<std::string> prefixes_;
  std::vector<Table> tables_;
  std::size_t invisible_ = 0;
};

}  // namespace toolpost::html
