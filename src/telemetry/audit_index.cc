// Appends to the index of an audit log.
#include "telemetry/audit_index.h"

#include <fcntl.h>

#include <algorithm>

#include "base/crypto.h"
#include "base/log.h"
#include "base/strings.h"
#include "telemetry/audit_line.h"

namespace toolpost::telemetry {
namespace {

constexpr std::string_view kEventNames[] = {"opened", "closed", "ended", "removed", "restarted"};

bool HasSegments(const std::string& directory) {
  const std::vector<std::string> names = NamesIn(directory);
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return SegmentName::Parse(name).has_value(); });
}

// The shortest chain of events that says the same, without what was removed.
std::vector<IndexEvent> EventsOf(const IndexContents& contents, std::int64_t restarts_since) {
  std::vector<IndexEvent> events;
  for (const std::int64_t restart : contents.restarts) {
    if (restart < restarts_since) continue;
    events.push_back({.kind = IndexEventKind::kRestarted, .time = restart});
  }
  using Form = IndexedSegment::Form;
  for (const auto& [name, segment] : contents.segments) {
    if (segment.form == Form::kRemoved) continue;
    events.push_back({.kind = IndexEventKind::kOpened,
                      .segment = name,
                      .first = segment.first,
                      .time = segment.opened});
    if (segment.form == Form::kOpen) continue;
    events.push_back(
        {.kind = segment.form == Form::kClosed ? IndexEventKind::kClosed : IndexEventKind::kEnded,
         .segment = name,
         .first = segment.first,
         .records = segment.records,
         .bytes = segment.bytes,
         .last = segment.last,
         .time = segment.ended});
  }
  return events;
}

}  // namespace

Result<AuditIndex> AuditIndex::Open(const std::string& directory, const AuditKeys& keys,
                                    std::int64_t now) {
  AuditIndex index(directory + "/audit.index", keys);
  auto file = AuditFile::Open(index.path_, O_RDWR);
  if (!file) {
    ASSIGN_OR_RETURN(const auto text, ReadWholeFile(index.path_));
    if (text) return std::move(file).error();
    // Segments without an index: somebody took it away.
    std::vector<IndexEvent> events;
    if (HasSegments(directory)) events = {{.kind = IndexEventKind::kRestarted, .time = now}};
    RETURN_IF_ERROR(index.Start(events));
    return index;
  }
  index.file_ = *std::move(file);
  ASSIGN_OR_RETURN(const std::uint64_t size, index.file_.Size());
  if (!index.ReadHeader() || size != index.size_) RETURN_IF_ERROR(index.Adopt(now));
  return index;
}

bool AuditIndex::ReadHeader() {
  const auto line = file_.ReadAt(0, kFixedLineBytes);
  if (!line) return false;
  const auto sealed = SealedLine::SplitFixed(*line);
  if (!sealed || !sealed->Authentic(keys_.sign, "index")) return false;
  const auto header = sealed->Parse();
  if (!header) return false;
  id_ = TextIn(*header, "id");
  last_ = TextIn(*header, "last");
  events_ = NumberIn(*header, "events");
  size_ = NumberIn(*header, "size");
  closed_bytes_ = NumberIn(*header, "closed_bytes");
  oldest_ = static_cast<std::int64_t>(NumberIn(*header, "oldest"));
  return true;
}

Result<void> AuditIndex::Adopt(std::int64_t now) {
  ASSIGN_OR_RETURN(const IndexContents contents, Contents(now));
  RETURN_IF_ERROR(file_.Truncate(contents.size));
  id_ = contents.id;
  last_ = contents.last;
  events_ = contents.events;
  size_ = contents.size;
  closed_bytes_ = contents.ClosedBytes();
  oldest_ = contents.Oldest();
  return file_.WriteAt(0, Header());
}

// A new file with these events, put in place as a whole.
Result<void> AuditIndex::Start(const std::vector<IndexEvent>& events) {
  id_ = base::RandomHex(16);
  last_ = id_;
  events_ = 0;
  closed_bytes_ = 0;
  oldest_ = 0;
  std::string text(kFixedLineBytes, ' ');
  for (const IndexEvent& event : events) AppendEvent(text, event);
  size_ = text.size();
  text.replace(0, kFixedLineBytes, Header());
  RETURN_IF_ERROR(ReplaceFile(path_, text));
  ASSIGN_OR_RETURN(file_, AuditFile::Open(path_, O_RDWR));
  return {};
}

void AuditIndex::AppendEvent(std::string& out, const IndexEvent& event) {
  const bool names_segment = event.kind != IndexEventKind::kRestarted;
  const std::string content = base::StrCat(
      "{\"event\":\"", kEventNames[static_cast<std::size_t>(event.kind)], "\",\"segment\":\"",
      names_segment ? event.segment.File() : std::string(), "\",\"first\":", event.first,
      ",\"records\":", event.records, ",\"bytes\":", event.bytes, ",\"last\":\"", event.last,
      "\",\"time\":", event.time);
  last_ = AppendSealed(out, keys_.index, last_, content);
  out.push_back('\n');
  ++events_;
  if (event.kind == IndexEventKind::kClosed || event.kind == IndexEventKind::kEnded) {
    closed_bytes_ += event.bytes;
    if (oldest_ == 0 || event.time < oldest_) oldest_ = event.time;
  } else if (event.kind == IndexEventKind::kRemoved) {
    closed_bytes_ -= std::min(closed_bytes_, event.bytes);
  }
}

std::string AuditIndex::Header() const {
  return FixedLine(keys_.sign, "index",
                   base::StrCat("{\"index\":1,\"id\":\"", id_, "\",\"events\":", events_,
                                ",\"size\":", size_, ",\"last\":\"", last_,
                                "\",\"closed_bytes\":", closed_bytes_, ",\"oldest\":", oldest_));
}

Result<void> AuditIndex::Add(const std::vector<IndexEvent>& events) {
  std::string text;
  for (const IndexEvent& event : events) AppendEvent(text, event);
  auto added = file_.WriteAt(size_, text);
  if (added) added = file_.Sync();
  if (!added) {
    (void)file_.Truncate(size_);
    return added;
  }
  size_ += text.size();
  (void)file_.WriteAt(0, Header());  // an old header is what the next Open() adopts from
  return {};
}

Result<IndexContents> AuditIndex::Contents(std::int64_t now) {
  ASSIGN_OR_RETURN(IndexContents contents, Read());
  if (contents.problems.empty()) return contents;
  base::Log(base::Severity::kError, "the index of the audit log is damaged; a new one is started",
            {{"problem", contents.problems.front()}});
  std::vector<IndexEvent> events = EventsOf(contents, 0);
  events.push_back({.kind = IndexEventKind::kRestarted, .time = now});
  RETURN_IF_ERROR(Start(events));
  return Read();
}

Result<IndexContents> AuditIndex::Read() const {
  ASSIGN_OR_RETURN(const std::uint64_t size, file_.Size());
  ASSIGN_OR_RETURN(const std::string text, file_.ReadAt(0, size));
  return IndexContents::Read(text, keys_);
}

Result<void> AuditIndex::Compact(const IndexContents& contents, std::int64_t restarts_since) {
  return Start(EventsOf(contents, restarts_since));
}

}  // namespace toolpost::telemetry
