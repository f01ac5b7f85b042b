// Lines of a file against a pattern.
#include "tools/file/text_search.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/file/content.h"

namespace toolpost::tools::file {
namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;
constexpr std::size_t kShownBytes = 300;

// What is shown of a line: valid UTF-8, not too long.
std::string Shown(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const char* at = line.data();
  const char* const end = at + std::min(line.size(), kShownBytes);
  std::string text;
  while (at < end) {
    const std::size_t length = base::Utf8SequenceLength(at, line.data() + line.size());
    if (length == 0) {
      text.append("\xEF\xBF\xBD");
      ++at;
    } else {
      text.append(at, length);
      at += length;
    }
  }
  if (line.size() > kShownBytes) text.append(" …");
  return text;
}

std::size_t ReadSome(int fd, char* buffer, std::size_t size) {
  while (true) {
    const ssize_t got = read(fd, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

}  // namespace

Result<LineMatcher> LineMatcher::Make(std::string pattern, bool regex, bool ignore_case) {
  if (!regex && pattern.find('\n') != std::string::npos)
    return Error::InvalidParams("pattern has a line end; lines are searched one by one");
  if (!regex && !ignore_case) return LineMatcher(std::move(pattern));
  const auto case_rule = ignore_case ? base::Case::kIgnored : base::Case::kMatters;
  auto compiled =
      regex ? base::Regex::Compile(pattern, case_rule) : base::Regex::Literal(pattern, case_rule);
  if (!compiled) return std::move(compiled).error();
  LineMatcher matcher{std::string()};
  matcher.regex_ = *std::move(compiled);
  return matcher;
}

bool LineMatcher::Matches(std::string_view line) const {
  return regex_ ? regex_->Search(line) : line.find(literal_) != std::string_view::npos;
}

bool LineMatcher::MayMatch(std::string_view lines) const {
  return regex_ || memmem(lines.data(), lines.size(), literal_.data(), literal_.size()) != nullptr;
}

bool SearchLines(int fd, const LineMatcher& matcher, const std::stop_token& stop,
                 const std::function<bool(std::int64_t line, std::string text)>& found) {
  std::vector<char> buffer(kBlock);
  std::size_t kept = 0;  // bytes of a line that goes on in the next block
  std::int64_t line = 1;
  bool first = true;
  while (!stop.stop_requested()) {
    const std::size_t got = ReadSome(fd, buffer.data() + kept, buffer.size() - kept);
    std::string_view text(buffer.data(), kept + got);
    if (text.empty()) return true;
    if (std::exchange(first, false) && !LooksLikeText(text)) return false;
    const std::size_t newline = text.rfind('\n');
    const bool last = got == 0;
    const bool whole = last || (newline == std::string_view::npos && text.size() == buffer.size());
    // The part of the block that can be decided now.
    std::string_view ready = text.substr(0, whole ? text.size() : newline + 1);
    const std::size_t used = ready.size();
    if (matcher.MayMatch(ready)) {
      while (!ready.empty()) {
        const std::size_t end = std::min(ready.find('\n'), ready.size());
        if (matcher.Matches(ready.substr(0, end)) && !found(line, Shown(ready.substr(0, end))))
          return true;
        if (end < ready.size()) ++line;
        ready.remove_prefix(std::min(end + 1, ready.size()));
      }
    } else {
      line += std::ranges::count(ready, '\n');
    }
    if (last) return true;
    kept = text.size() - used;
    std::memmove(buffer.data(), buffer.data() + used, kept);
  }
  return true;
}

}  // namespace toolpost::tools::file
