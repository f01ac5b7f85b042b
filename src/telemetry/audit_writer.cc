// Writes the segments of one process.
#include "telemetry/audit_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/strings.h"
#include "telemetry/audit_line.h"

namespace toolpost::telemetry {
namespace {

constexpr std::chrono::hours kSegmentAge{
    24};  // so that retention by age has whole segments to remove

std::int64_t SecondsNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(base::Now().time_since_epoch()).count();
}

// 20260728T123456789Z-1a2b3c4d
std::string NewWriterName() {
  std::string time = base::ToIso8601(base::Now());
  std::erase_if(time, [](char c) { return c == '-' || c == ':' || c == '.'; });
  return base::StrCat(time, "-", base::RandomHex(4));
}

}  // namespace

std::string WriterState::Sealed(const AuditKeys& keys) const {
  return FixedLine(keys.sign, "state",
                   base::StrCat("{\"segment\":\"", segment.File(), "\",\"records\":", records,
                                ",\"last\":\"", last, "\""));
}

std::optional<WriterState> WriterState::Read(std::string_view text, const AuditKeys& keys) {
  const auto sealed = SealedLine::SplitFixed(text);
  if (!sealed || !sealed->Authentic(keys.sign, "state")) return {};
  const auto object = sealed->Parse();
  if (!object) return {};
  const auto name = SegmentName::Parse(TextIn(*object, "segment"));
  if (!name) return {};
  return WriterState{*name, NumberIn(*object, "records"), TextIn(*object, "last")};
}

std::string WriterState::Path(const std::string& directory, std::string_view writer) {
  return base::StrCat(directory, "/live/", writer, ".state");
}

std::string AuditWriter::SegmentPath(const SegmentName& name) const {
  return base::StrCat(options_.directory, "/", name.File());
}

Result<void> AuditWriter::Write(std::string_view bodies, std::uint64_t& written) {
  if (!segment_.is_open()) RETURN_IF_ERROR(OpenFirst());
  if (SegmentIsOld()) RETURN_IF_ERROR(ChangeSegment());
  Position position = at_;
  std::string text;
  text.reserve(bodies.size() + bodies.size() / 2);  // sequence numbers and links of the chain
  std::string content;
  while (!bodies.empty()) {
    const std::size_t end = bodies.find('\n');
    content.assign("{\"seq\":");
    base::AppendPiece(content, position.next_sequence);
    content.append(",").append(bodies.substr(0, end));
    position.last = AppendSealed(text, keys_.chain, position.last, content);
    text.push_back('\n');
    ++position.next_sequence;
    ++position.records;
    bodies.remove_prefix(end + 1);
    position.size = at_.size + text.size();
    if (position.size < options_.segment_bytes && !bodies.empty()) continue;
    const std::uint64_t count = position.records - at_.records;
    RETURN_IF_ERROR(Put(text, position));
    written += count;
    if (position.size >= options_.segment_bytes) RETURN_IF_ERROR(ChangeSegment());
    position = at_;
    text.clear();
  }
  return {};
}

// Cuts off first what an earlier failure may have left behind the end of the chain.
Result<void> AuditWriter::Put(std::string_view text, Position position) {
  ASSIGN_OR_RETURN(const std::uint64_t size, segment_.Size());
  if (size > at_.size) RETURN_IF_ERROR(segment_.Truncate(at_.size));
  RETURN_IF_ERROR(segment_.WriteAt(at_.size, text));
  RETURN_IF_ERROR(segment_.Sync());
  const WriterState state{name_, position.records, position.last};
  at_ = std::move(position);
  return state_.WriteAt(0, state.Sealed(keys_));
}

bool AuditWriter::SegmentIsOld() const {
  const std::chrono::seconds limit = std::min<std::chrono::seconds>(kSegmentAge, options_.keep);
  return at_.records > 0 && SecondsNow() - opened_ > limit.count();
}

Result<void> AuditWriter::OpenFirst() {
  ASSIGN_OR_RETURN(keys_, LoadOrMakeAuditKeys(options_.directory));
  ASSIGN_OR_RETURN(const AuditFile lock, LockDirectory(options_.directory, Sharing::kExclusive));
  ASSIGN_OR_RETURN(AuditIndex index, AuditIndex::Open(options_.directory, keys_, SecondsNow()));
  RETURN_IF_ERROR(EndDeadWriters(options_.directory, keys_, index, SecondsNow()));
  if (name_.number == 0) {
    name_ = {NewWriterName(), 0};
    const std::string path = WriterState::Path(options_.directory, name_.writer);
    ASSIGN_OR_RETURN(state_, AuditFile::Open(path, O_RDWR | O_CREAT | O_EXCL));
    if (!TryLock(state_)) return Error::Unavailable("cannot lock the state of the audit log");
    RETURN_IF_ERROR(state_.WriteAt(0, WriterState{name_, 0, {}}.Sealed(keys_)));
    RETURN_IF_ERROR(state_.Sync());
    RETURN_IF_ERROR(SyncDirectory(options_.directory + "/live"));
  }
  return OpenSegment(index, {});
}

Result<void> AuditWriter::ChangeSegment() {
  ASSIGN_OR_RETURN(const AuditFile lock, LockDirectory(options_.directory, Sharing::kExclusive));
  ASSIGN_OR_RETURN(AuditIndex index, AuditIndex::Open(options_.directory, keys_, SecondsNow()));
  RETURN_IF_ERROR(EndDeadWriters(options_.directory, keys_, index, SecondsNow()));
  const Position before = at_;
  ASSIGN_OR_RETURN(IndexEvent closed, WriteEnd());
  auto opened = OpenSegment(index, {std::move(closed)});
  if (!opened) at_ = before;  // the next attempt cuts the end off and writes it again
  return opened;
}

// The segment is on disk with its head before the index names it: what the index names and is
// missing was removed.
Result<void> AuditWriter::OpenSegment(AuditIndex& index, std::vector<IndexEvent> events) {
  const SegmentName name{name_.writer, name_.number + 1};
  unlink(SegmentPath(name).c_str());  // of an attempt that failed half-way
  ASSIGN_OR_RETURN(AuditFile segment,
                   AuditFile::Open(SegmentPath(name), O_RDWR | O_CREAT | O_EXCL));
  const std::int64_t now = SecondsNow();
  std::string head;
  const std::string content = base::StrCat(
      "{\"audit\":1,\"segment\":\"", name.File(), "\",\"first\":", at_.next_sequence,
      ",\"previous\":\"", name_.number == 0 ? std::string() : name_.File(),
      "\",\"previous_mac\":\"", at_.last, "\",\"time\":\"", base::ToIso8601(base::Now()), "\"");
  Position position{.next_sequence = at_.next_sequence,
                    .last = AppendSealed(head, keys_.sign, "head", content)};
  head.push_back('\n');
  position.size = head.size();
  RETURN_IF_ERROR(segment.WriteAt(0, head));
  RETURN_IF_ERROR(segment.Sync());
  RETURN_IF_ERROR(SyncDirectory(options_.directory));
  events.push_back({.kind = IndexEventKind::kOpened,
                    .segment = name,
                    .first = position.next_sequence,
                    .time = now});
  RETURN_IF_ERROR(index.Add(events));
  name_ = name;
  segment_ = std::move(segment);
  at_ = std::move(position);
  opened_ = now;
  // From here on the segment is part of the log: what fails below is no reason to lose records.
  auto rest = state_.WriteAt(0, WriterState{name_, 0, at_.last}.Sealed(keys_));
  if (rest) rest = Retain(options_, index, options_.segment_bytes, now);
  if (!rest) {
    base::Log(base::Severity::kWarning, "the audit log could not be tidied",
              {{"cause", rest.error().message}});
  }
  return {};
}

Result<IndexEvent> AuditWriter::WriteEnd() {
  Position position = at_;
  std::string line;
  const std::string content = base::StrCat(
      "{\"end\":\"", name_.File(), "\",\"records\":", at_.records,
      ",\"last\":", at_.next_sequence - 1, ",\"time\":\"", base::ToIso8601(base::Now()), "\"");
  position.last = AppendSealed(line, keys_.chain, at_.last, content);
  line.push_back('\n');
  position.size += line.size();
  const std::uint64_t first = at_.next_sequence - at_.records;
  IndexEvent event{.kind = IndexEventKind::kClosed,
                   .segment = name_,
                   .first = first,
                   .records = at_.records,
                   .bytes = position.size,
                   .last = position.last,
                   .time = SecondsNow()};
  ASSIGN_OR_RETURN(const std::uint64_t size, segment_.Size());
  if (size > at_.size) RETURN_IF_ERROR(segment_.Truncate(at_.size));
  RETURN_IF_ERROR(segment_.WriteAt(at_.size, line));
  RETURN_IF_ERROR(segment_.Sync());
  at_ = std::move(position);
  return event;
}

Result<void> AuditWriter::Close() {
  if (!segment_.is_open()) return {};
  ASSIGN_OR_RETURN(const AuditFile lock, LockDirectory(options_.directory, Sharing::kExclusive));
  ASSIGN_OR_RETURN(AuditIndex index, AuditIndex::Open(options_.directory, keys_, SecondsNow()));
  ASSIGN_OR_RETURN(const IndexEvent closed, WriteEnd());
  RETURN_IF_ERROR(index.Add({closed}));
  unlink(WriterState::Path(options_.directory, name_.writer).c_str());
  segment_.Close();
  state_.Close();
  return {};
}

}  // namespace toolpost::telemetry
