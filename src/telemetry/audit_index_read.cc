// Reads the index of an audit log.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/strings.h"
#include "telemetry/audit_index.h"
#include "telemetry/audit_line.h"

namespace toolpost::telemetry {
namespace {

constexpr std::string_view kPrefix = "audit-";
constexpr std::string_view kSuffix = ".jsonl";
constexpr std::size_t kWriterSize = 28;  // 20260728T123456789Z-1a2b3c4d
constexpr std::size_t kMinimumDigits = 6;

using Form = IndexedSegment::Form;

bool Apply(IndexContents& contents, const JsonObject& event) {
  const std::string kind = TextIn(event, "event");
  const auto time = static_cast<std::int64_t>(NumberIn(event, "time"));
  if (kind == "restarted") {
    contents.restarts.push_back(time);
    return true;
  }
  const auto name = SegmentName::Parse(TextIn(event, "segment"));
  if (!name) return false;
  IndexedSegment figures{.first = NumberIn(event, "first"),
                         .records = NumberIn(event, "records"),
                         .bytes = NumberIn(event, "bytes"),
                         .last = TextIn(event, "last")};
  if (kind == "opened") {
    figures.opened = time;
    return contents.segments.emplace(*name, std::move(figures)).second;
  }
  // A segment whose opening was lost with a damaged index is known from here on.
  const auto found = contents.segments.try_emplace(*name, IndexedSegment{.opened = time}).first;
  if (kind == "removed") {
    found->second.form = Form::kRemoved;
    return true;
  }
  if (found->second.form != Form::kOpen) return false;
  figures.form = kind == "closed" ? Form::kClosed : Form::kEnded;
  figures.opened = found->second.opened;
  figures.ended = time;
  found->second = std::move(figures);
  return kind == "closed" || kind == "ended";
}

}  // namespace

std::string SegmentName::File() const {
  std::string digits = base::StrCat(number);
  digits.insert(0, kMinimumDigits - std::min(digits.size(), kMinimumDigits), '0');
  return base::StrCat(kPrefix, writer, "-", digits, kSuffix);
}

std::optional<SegmentName> SegmentName::Parse(std::string_view file) {
  if (!file.starts_with(kPrefix) || !file.ends_with(kSuffix)) return {};
  file = file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size());
  if (file.size() < kWriterSize + 1 + kMinimumDigits || file[kWriterSize] != '-') return {};
  SegmentName name{.writer = std::string(file.substr(0, kWriterSize))};
  const char* const end = file.data() + file.size();
  const auto [stop, failure] = std::from_chars(file.data() + kWriterSize + 1, end, name.number);
  if (failure != std::errc() || stop != end) return {};
  return name;
}

IndexContents IndexContents::Read(std::string_view text, const AuditKeys& keys) {
  IndexContents contents;
  const auto sealed = SealedLine::SplitFixed(text.substr(0, kFixedLineBytes));
  const auto header =
      sealed && sealed->Authentic(keys.sign, "index") ? sealed->Parse() : std::nullopt;
  if (!header) {
    contents.problems.emplace_back("audit.index: its header was changed or is damaged");
    return contents;
  }
  contents.id = contents.last = TextIn(*header, "id");
  contents.size = kFixedLineBytes;
  while (contents.size < text.size()) {
    const std::size_t end = text.find('\n', contents.size);
    if (end == std::string_view::npos) {
      contents.half_event = true;
      break;
    }
    const auto line = SealedLine::Split(text.substr(contents.size, end - contents.size));
    const bool authentic = line && line->Authentic(keys.index, contents.last);
    const auto event = authentic ? line->Parse() : std::nullopt;
    if (!event || !Apply(contents, *event)) {
      contents.problems.push_back(base::StrCat("audit.index: entry ", contents.events + 1,
                                               " was changed, moved or follows a removed one"));
      return contents;
    }
    contents.last = line->mac;
    contents.size = end + 1;
    ++contents.events;
  }
  const std::uint64_t counted = NumberIn(*header, "events");
  if (contents.events < counted) {
    contents.problems.push_back(base::StrCat("audit.index: the last ", counted - contents.events,
                                             " of ", counted, " entries were removed"));
  }
  return contents;
}

std::uint64_t IndexContents::ClosedBytes() const {
  std::uint64_t sum = 0;
  for (const auto& [name, segment] : segments) {
    if (segment.form == Form::kClosed || segment.form == Form::kEnded) sum += segment.bytes;
  }
  return sum;
}

std::uint64_t IndexContents::Removed() const {
  return static_cast<std::uint64_t>(
      std::count_if(segments.begin(), segments.end(),
                    [](const auto& entry) { return entry.second.form == Form::kRemoved; }));
}

std::int64_t IndexContents::Oldest() const {
  std::int64_t oldest = 0;
  for (const auto& [name, segment] : segments) {
    if (segment.form != Form::kClosed && segment.form != Form::kEnded) continue;
    if (oldest == 0 || segment.ended < oldest) oldest = segment.ended;
  }
  return oldest;
}

}  // namespace toolpost::telemetry
