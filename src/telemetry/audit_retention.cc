// What the owner of the directory's lock does for all: dead writers and old segments.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/strings.h"
#include "telemetry/audit_writer.h"

namespace toolpost::telemetry {
namespace {

using Form = IndexedSegment::Form;

constexpr std::string_view kStateSuffix = ".state";
constexpr std::uint64_t kRemovedBeforeCompaction = 64;

std::optional<IndexEvent> EndOf(const std::string& directory, const IndexContents& contents,
                                const std::string& writer, const std::optional<WriterState>& state,
                                std::int64_t now) {
  for (const auto& [name, segment] : contents.segments) {
    if (name.writer != writer || segment.form != Form::kOpen) continue;
    IndexEvent event{
        .kind = IndexEventKind::kEnded, .segment = name, .first = segment.first, .time = now};
    if (state && state->segment == name) {
      event.records = state->records;
      event.last = state->last;
    }
    const auto file = AuditFile::Open(base::StrCat(directory, "/", name.File()), O_RDONLY);
    if (file) {
      const auto size = file->Size();
      event.bytes = size ? *size : 0;
    }
    return event;
  }
  return {};
}

bool IsEnded(const IndexedSegment& segment) {
  return segment.form == Form::kClosed || segment.form == Form::kEnded;
}

// Ended segments, the first to end first.
std::vector<std::pair<SegmentName, IndexedSegment>> ByAge(const IndexContents& contents) {
  std::vector<std::pair<SegmentName, IndexedSegment>> ended;
  for (const auto& entry : contents.segments) {
    if (IsEnded(entry.second)) ended.emplace_back(entry);
  }
  std::stable_sort(ended.begin(), ended.end(),
                   [](const auto& a, const auto& b) { return a.second.ended < b.second.ended; });
  return ended;
}

}  // namespace

// The figures come from the signed state, never from the segment: a segment cut meanwhile stays
// cut. A state that is no longer authentic stays where it is, for Verify() to find.
Result<void> EndDeadWriters(const std::string& directory, const AuditKeys& keys, AuditIndex& index,
                            std::int64_t now) {
  std::optional<IndexContents> contents;
  for (const std::string& file : NamesIn(directory + "/live")) {
    if (!file.ends_with(kStateSuffix)) continue;
    const std::string writer = file.substr(0, file.size() - kStateSuffix.size());
    const std::string path = WriterState::Path(directory, writer);
    auto opened = AuditFile::Open(path, O_RDWR);
    if (!opened || !TryLock(*opened)) continue;
    ASSIGN_OR_RETURN(const auto text, ReadWholeFile(path));
    const auto state = WriterState::Read(text.value_or(""), keys);
    if (!state || state->segment.writer != writer) continue;
    if (!contents) {
      ASSIGN_OR_RETURN(contents, index.Contents(now));
    }
    const auto event = EndOf(directory, *contents, writer, state, now);
    if (event) RETURN_IF_ERROR(index.Add({*event}));
    unlink(path.c_str());
  }
  return {};
}

// The index says that a segment goes before it goes; a file that a crash left is removed the next
// time. Some slack keeps a log of many small segments from being tidied at every start.
Result<void> Retain(const AuditOptions& options, AuditIndex& index, std::uint64_t reserve,
                    std::int64_t now) {
  const std::int64_t keep = std::chrono::duration_cast<std::chrono::seconds>(options.keep).count();
  const std::int64_t oldest_kept = now - keep;
  const std::int64_t slack = std::min<std::int64_t>(keep / 24, 3600);
  const bool too_large = index.closed_bytes() + reserve > options.total_bytes;
  const bool too_old = index.oldest() != 0 && index.oldest() < oldest_kept - slack;
  if (!too_large && !too_old) return {};
  const std::uint64_t target = options.total_bytes - (too_large ? options.total_bytes / 16 : 0);
  ASSIGN_OR_RETURN(IndexContents contents, index.Contents(now));
  std::uint64_t total = contents.ClosedBytes() + reserve;
  std::vector<IndexEvent> removals;
  for (const auto& [name, segment] : ByAge(contents)) {
    if (total <= target && segment.ended >= oldest_kept) break;
    total -= segment.bytes;
    contents.segments[name].form = Form::kRemoved;
    removals.push_back({.kind = IndexEventKind::kRemoved,
                        .segment = name,
                        .first = segment.first,
                        .records = segment.records,
                        .bytes = segment.bytes,
                        .time = now});
  }
  if (!removals.empty()) RETURN_IF_ERROR(index.Add(removals));
  for (const auto& [name, segment] : contents.segments) {
    if (segment.form != Form::kRemoved) continue;
    unlink(base::StrCat(options.directory, "/", name.File()).c_str());
  }
  if (contents.Removed() < kRemovedBeforeCompaction && !too_old) return {};
  return index.Compact(contents, oldest_kept);
}

}  // namespace toolpost::telemetry
