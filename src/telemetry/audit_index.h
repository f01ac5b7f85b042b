// The index of an audit log: which segments exist, and how far each is vouched for. What is in it
// cannot vanish unnoticed.
//
// `audit.index` is a signed header of fixed size, rewritten in place, and a chain of sealed events:
// a segment was opened, closed, left behind by a writer that died, or removed by retention; the
// index was started anew because the old one was missing or damaged. An event is on disk before the
// header counts it, so an index that is shorter than its header was cut; events beyond the header
// are those of a process that died in between. Adding costs the same however long the index is. The
// caller holds the directory's lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/audit_file.h"
#include "telemetry/audit_key.h"
#include "toolpost/result.h"

namespace toolpost::telemetry {

// `audit-20260728T123456789Z-1a2b3c4d-000001.jsonl`: the process that wrote it, and the number in
// its chain.
struct SegmentName {
  std::string writer;  // `20260728T123456789Z-1a2b3c4d`
  std::uint64_t number = 0;

  std::string File() const;
  static std::optional<SegmentName> Parse(std::string_view file);
  auto operator<=>(const SegmentName&) const = default;
};

enum class IndexEventKind { kOpened, kClosed, kEnded, kRemoved, kRestarted };

struct IndexEvent {
  IndexEventKind kind = IndexEventKind::kOpened;
  SegmentName segment;
  std::uint64_t first = 0;    // sequence of its first record
  std::uint64_t records = 0;  // that it holds at least (kEnded), exactly (kClosed)
  std::uint64_t bytes = 0;
  std::string last;       // code of the last of these records
  std::int64_t time = 0;  // seconds since 1970
};

struct IndexedSegment {
  enum class Form { kOpen, kClosed, kEnded, kRemoved };
  Form form = Form::kOpen;
  std::uint64_t first = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::string last;
  std::int64_t opened = 0;
  std::int64_t ended = 0;
};

// Everything an index says.
struct IndexContents {
  std::map<SegmentName, IndexedSegment> segments;
  std::vector<std::int64_t> restarts;
  std::vector<std::string> problems;
  std::uint64_t size = 0;  // bytes of header and whole events
  std::uint64_t events = 0;
  std::string id;
  std::string last;  // code of the last event
  bool half_event = false;

  // `text` is the whole file.
  static IndexContents Read(std::string_view text, const AuditKeys& keys);
  std::uint64_t ClosedBytes() const;
  std::uint64_t Removed() const;
  std::int64_t Oldest() const;  // end of the oldest ended segment, 0 if none
};

class AuditIndex {
 public:
  // Creates the file when there is none and adopts what a dead process left unfinished. An
  // obviously damaged file is replaced by a new index that says so.
  static Result<AuditIndex> Open(const std::string& directory, const AuditKeys& keys,
                                 std::int64_t now);

  Result<void> Add(const std::vector<IndexEvent>& events);
  // Reads all of it. What turns out to be damaged is replaced as by Open(), keeping what comes
  // before the damage.
  Result<IndexContents> Contents(std::int64_t now);
  // Writes the index anew, without what was removed and without restarts before `restarts_since`.
  Result<void> Compact(const IndexContents& contents, std::int64_t restarts_since);

  std::uint64_t closed_bytes() const { return closed_bytes_; }
  std::int64_t oldest() const { return oldest_; }

 private:
  AuditIndex(std::string path, const AuditKeys& keys) : path_(std::move(path)), keys_(keys) {}
  bool ReadHeader();
  Result<IndexContents> Read() const;
  Result<void> Adopt(std::int64_t now);
  Result<void> Start(const std::vector<IndexEvent>& events);
  void AppendEvent(std::string& out, const IndexEvent& event);
  std::string Header() const;

  std::string path_;
  AuditKeys keys_;
  AuditFile file_;
  std::string id_;
  std::string last_;
  std::uint64_t events_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t closed_bytes_ = 0;
  std::int64_t oldest_ = 0;
};

}  // namespace toolpost::telemetry
