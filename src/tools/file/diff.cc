// Myers' greedy algorithm on lines.
#include "tools/file/diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/strings.h"

namespace toolpost::tools::file {
namespace {

constexpr std::int64_t kMaxDifference = 800;  // inserted and deleted lines; memory is its square
constexpr std::size_t kContext = 3;

using Lines = std::vector<std::string_view>;

struct Edit {
  char kind;  // ' ', '-' or '+'
  std::size_t before;
  std::size_t after;
};

Lines SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// The edits of the middle part, in which first and last lines differ.
class Middle {
 public:
  Middle(const Lines& before, const Lines& after, std::size_t skip, std::size_t rows,
         std::size_t columns)
      : before_(before),
        after_(after),
        skip_(skip),
        rows_(static_cast<std::int64_t>(rows)),
        columns_(static_cast<std::int64_t>(columns)) {}

  std::vector<Edit> Run() {
    const std::int64_t most = std::min(rows_ + columns_, kMaxDifference);
    for (std::int64_t d = 0; d <= most; ++d) {
      Furthest row(static_cast<std::size_t>(2 * d + 1));
      const bool reached = Extend(d, row);
      trace_.push_back(std::move(row));
      if (reached) return Backtrack(d);
    }
    return Replace();
  }

 private:
  // Furthest x on each diagonal k of -d..d, in steps of two.
  using Furthest = std::vector<std::int32_t>;

  std::int64_t At(std::int64_t d, std::int64_t k) const {
    if (k < -d || k > d) return -1;
    return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)];
  }

  // Where d edits on diagonal k start: one step after the best of d-1 edits.
  std::int64_t Start(std::int64_t d, std::int64_t k) const {
    if (d == 0) return 0;
    const std::int64_t down = At(d - 1, k + 1);
    const std::int64_t right = At(d - 1, k - 1);
    return k == -d || (k != d && right < down) ? down : right + 1;
  }

  bool Extend(std::int64_t d, Furthest& row) const {
    for (std::int64_t k = -d; k <= d; k += 2) {
      std::int64_t x = Start(d, k);
      std::int64_t y = x - k;
      while (x < rows_ && y < columns_ && x >= 0 && y >= 0 &&
             before_[skip_ + static_cast<std::size_t>(x)] ==
                 after_[skip_ + static_cast<std::size_t>(y)])
        ++x, ++y;
      row[static_cast<std::size_t>(k + d)] = static_cast<std::int32_t>(x);
      if (x >= rows_ && y >= columns_) return true;
    }
    return false;
  }

  Edit Make(char kind, std::int64_t x, std::int64_t y) const {
    return {kind, skip_ + static_cast<std::size_t>(x), skip_ + static_cast<std::size_t>(y)};
  }

  std::vector<Edit> Backtrack(std::int64_t d) const {
    std::vector<Edit> edits;
    std::int64_t x = rows_;
    std::int64_t y = columns_;
    for (; d >= 0; --d) {
      const std::int64_t k = x - y;
      const std::int64_t start = Start(d, k);
      while (x > start) edits.push_back(Make(' ', --x, --y));
      if (d == 0) break;
      const bool down = k == -d || (k != d && At(d - 1, k - 1) < At(d - 1, k + 1));
      if (down) {
        edits.push_back(Make('+', x, --y));
      } else {
        edits.push_back(Make('-', --x, y));
      }
    }
    std::ranges::reverse(edits);
    return edits;
  }

  std::vector<Edit> Replace() const {
    std::vector<Edit> edits;
    for (std::int64_t x = 0; x < rows_; ++x) edits.push_back(Make('-', x, 0));
    for (std::int64_t y = 0; y < columns_; ++y) edits.push_back(Make('+', rows_, y));
    return edits;
  }

  const Lines& before_;
  const Lines& after_;
  const std::size_t skip_;
  const std::int64_t rows_;
  const std::int64_t columns_;
  std::vector<Furthest> trace_;
};

std::vector<Edit> EditsOf(const Lines& before, const Lines& after) {
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < before.size() - head && tail < after.size() - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  std::vector<Edit> edits;
  for (std::size_t i = head - std::min(head, kContext); i < head; ++i) edits.push_back({' ', i, i});
  Middle middle(before, after, head, before.size() - head - tail, after.size() - head - tail);
  for (const Edit& edit : middle.Run()) edits.push_back(edit);
  for (std::size_t i = 0; i < std::min(tail, kContext); ++i)
    edits.push_back({' ', before.size() - tail + i, after.size() - tail + i});
  return edits;
}

void AppendHunk(std::string& out, const Lines& before, const Lines& after,
                const std::vector<Edit>& edits, std::size_t begin, std::size_t end) {
  std::size_t old_lines = 0;
  std::size_t new_lines = 0;
  for (std::size_t i = begin; i < end; ++i) {
    old_lines += edits[i].kind != '+' ? 1 : 0;
    new_lines += edits[i].kind != '-' ? 1 : 0;
  }
  // An empty side is numbered by the line before it.
  out.append(base::StrCat("@@ -", edits[begin].before + (old_lines > 0 ? 1 : 0), ",", old_lines,
                          " +", edits[begin].after + (new_lines > 0 ? 1 : 0), ",", new_lines,
                          " @@\n"));
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view line =
        edits[i].kind == '+' ? after[edits[i].after] : before[edits[i].before];
    out.push_back(edits[i].kind);
    out.append(line);
    if (!line.ends_with('\n')) out.append("\n\\ No newline at end of file\n");
  }
}

}  // namespace

std::string UnifiedDiff(std::string_view before, std::string_view after) {
  std::string out;
  if (before == after) return out;
  const Lines old_lines = SplitLines(before);
  const Lines new_lines = SplitLines(after);
  const std::vector<Edit> edits = EditsOf(old_lines, new_lines);
  for (std::size_t at = 0; at < edits.size();) {
    if (edits[at].kind == ' ') {
      ++at;
      continue;
    }
    // A hunk goes on while changes are at most twice the context apart.
    std::size_t end = at + 1;
    for (std::size_t i = end; i < edits.size() && i - end < 2 * kContext + 1; ++i)
      if (edits[i].kind != ' ') end = i + 1;
    AppendHunk(out, old_lines, new_lines, edits, at - std::min(at, kContext),
               std::min(end + kContext, edits.size()));
    at = end;
  }
  return out;
}

}  // namespace toolpost::tools::file
