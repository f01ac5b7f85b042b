// Verifies a whole audit log.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/strings.h"
#include "telemetry/audit_index.h"
#include "telemetry/audit_log.h"
#include "telemetry/audit_segment.h"
#include "telemetry/audit_writer.h"

namespace toolpost::telemetry {
namespace {

using Form = IndexedSegment::Form;

constexpr int kStateReads = 20;

struct LiveWriter {
  std::optional<WriterState> state;
  bool alive = false;
};

// Index, states and names at one moment.
struct Snapshot {
  IndexContents index;
  bool has_index = false;
  std::map<std::string, LiveWriter> writers;
  std::set<SegmentName> files;
};

// A state may be read in the middle of being rewritten.
LiveWriter ReadState(const std::string& path, const std::string& writer, const AuditKeys& keys) {
  LiveWriter live;
  const auto file = AuditFile::Open(path, O_RDONLY);
  if (!file) return live;
  live.alive = flock(file->get(), LOCK_SH | LOCK_NB) != 0;
  for (int i = 0; i < kStateReads && !live.state; ++i) {
    const auto size = file->Size();
    const auto text = size ? file->ReadAt(0, *size) : Result<std::string>(std::string());
    if (text) live.state = WriterState::Read(*text, keys);
  }
  if (live.state && live.state->segment.writer != writer) live.state.reset();
  return live;
}

Result<IndexContents> ReadIndex(const std::string& directory, const AuditKeys& keys,
                                bool& present) {
  ASSIGN_OR_RETURN(const auto text, ReadWholeFile(directory + "/audit.index"));
  present = text.has_value();
  if (!present) return IndexContents{};
  return IndexContents::Read(*text, keys);
}

Result<Snapshot> Take(const std::string& directory, const AuditKeys& keys) {
  Snapshot snapshot;
  const auto lock = LockDirectory(directory, Sharing::kShared);  // a copy may lack the file
  ASSIGN_OR_RETURN(snapshot.index, ReadIndex(directory, keys, snapshot.has_index));
  constexpr std::string_view kSuffix = ".state";
  for (const std::string& name : NamesIn(directory + "/live")) {
    if (!name.ends_with(kSuffix)) continue;
    const std::string writer = name.substr(0, name.size() - kSuffix.size());
    snapshot.writers[writer] = ReadState(WriterState::Path(directory, writer), writer, keys);
  }
  for (const std::string& name : NamesIn(directory)) {
    if (const auto segment = SegmentName::Parse(name)) snapshot.files.insert(*segment);
  }
  return snapshot;
}

class Verification {
 public:
  Verification(const std::string& directory, const AuditKeys& keys)
      : directory_(directory), keys_(keys) {}

  Result<AuditLog::Report> Run();

 private:
  Result<void> Segment(const SegmentName& name, const IndexedSegment& indexed);
  Result<void> Missing(const SegmentName& name, const IndexedSegment& indexed);
  Result<void> Unknown(const SegmentName& name);
  SegmentClaim ClaimFor(const SegmentName& name, const IndexedSegment& indexed);
  void Count(const SegmentClaim& claim, SegmentFindings found);
  void Problem(std::string text) { report_.problems.push_back(std::move(text)); }

  const std::string& directory_;
  const AuditKeys& keys_;
  Snapshot snapshot_;
  SegmentName before_;  // the segment checked last, and the code it ended with
  std::string before_last_;
  AuditLog::Report report_;
};

Result<AuditLog::Report> Verification::Run() {
  ASSIGN_OR_RETURN(snapshot_, Take(directory_, keys_));
  if (!snapshot_.has_index && !snapshot_.files.empty()) Problem("audit.index was removed");
  report_.problems.insert(report_.problems.end(), snapshot_.index.problems.begin(),
                          snapshot_.index.problems.end());
  for (const std::int64_t time : snapshot_.index.restarts) {
    Problem(base::StrCat("audit.index was found damaged or removed at ",
                         base::ToIso8601(base::WallTime(std::chrono::seconds(time))),
                         " and was started anew: segments of before may be missing"));
  }
  for (const auto& [name, indexed] : snapshot_.index.segments) {
    if (indexed.form != Form::kRemoved) RETURN_IF_ERROR(Segment(name, indexed));
  }
  for (const SegmentName& name : snapshot_.files) {
    if (!snapshot_.index.segments.contains(name)) RETURN_IF_ERROR(Unknown(name));
  }
  return std::move(report_);
}

SegmentClaim Verification::ClaimFor(const SegmentName& name, const IndexedSegment& indexed) {
  SegmentClaim claim{.name = name,
                     .first = indexed.first,
                     .records = indexed.records,
                     .last = indexed.last,
                     .closed = indexed.form == Form::kClosed};
  if (before_.writer == name.writer) {
    if (before_.number + 1 == name.number) {
      claim.previous_last = before_last_;
    } else {
      Problem(base::StrCat(name.File(), ": the segment before it is missing"));
    }
  }
  if (indexed.form != Form::kOpen) return claim;
  const auto writer = snapshot_.writers.find(name.writer);
  if (writer == snapshot_.writers.end()) {
    Problem(base::StrCat(name.File(), ": the signed state of its writer was removed"));
  } else if (!writer->second.state) {
    Problem(base::StrCat(name.File(), ": the signed state of its writer was changed"));
  } else {
    claim.alive = writer->second.alive;
    if (writer->second.state->segment == name) {
      claim.records = writer->second.state->records;
      claim.last = writer->second.state->last;
    }
  }
  return claim;
}

Result<void> Verification::Segment(const SegmentName& name, const IndexedSegment& indexed) {
  const SegmentClaim claim = ClaimFor(name, indexed);
  ASSIGN_OR_RETURN(SegmentFindings found, CheckSegment(directory_, claim, keys_));
  before_ = name;
  before_last_ = found.last;
  if (found.missing) return Missing(name, indexed);
  Count(claim, std::move(found));
  return {};
}

void Verification::Count(const SegmentClaim& claim, SegmentFindings found) {
  ++report_.segments;
  report_.records += found.records;
  for (auto& problem : found.problems) Problem(std::move(problem));
  for (auto& note : found.notes) report_.notes.push_back(std::move(note));
  if (report_.writers.empty() || report_.writers.back().name != claim.name.writer) {
    report_.writers.push_back({.name = claim.name.writer});
  }
  AuditLog::Report::Writer& writer = report_.writers.back();
  writer.alive = writer.alive || claim.alive;
  if (found.records == 0) return;
  writer.records += found.records;
  if (writer.first_sequence == 0) writer.first_sequence = claim.first;
  writer.last_sequence = std::max(writer.last_sequence, found.last_sequence);
  if (report_.first_sequence == 0) report_.first_sequence = claim.first;
  report_.first_sequence = std::min(report_.first_sequence, claim.first);
  report_.last_sequence = std::max(report_.last_sequence, found.last_sequence);
}

// Retention may have removed it since the snapshot.
Result<void> Verification::Missing(const SegmentName& name, const IndexedSegment& indexed) {
  const auto lock = LockDirectory(directory_, Sharing::kShared);
  bool present = false;
  ASSIGN_OR_RETURN(const IndexContents now, ReadIndex(directory_, keys_, present));
  const auto found = now.segments.find(name);
  const bool removed = found == now.segments.end() || found->second.form == Form::kRemoved;
  if (present && now.problems.empty() && removed) return {};
  Problem(base::StrCat(name.File(), ": the whole segment was removed (from sequence ",
                       indexed.first, ", ", indexed.records, " signed records)"));
  return {};
}

// A process that dies while it makes a segment leaves one that the index does not know, with
// nothing but a head.
Result<void> Verification::Unknown(const SegmentName& name) {
  ASSIGN_OR_RETURN(const SegmentFindings found,
                   CheckSegment(directory_, {.name = name, .first = 0}, keys_));
  if (found.missing) return {};
  if (found.records == 0 && found.last_sequence == 0) {
    report_.notes.push_back(base::StrCat(name.File(),
                                         ": has no records; its process was stopped "
                                         "while it made it"));
    return {};
  }
  Problem(
      base::StrCat(name.File(), ": is not in the index: it was put there, or its entry is lost"));
  return {};
}

}  // namespace

Result<AuditLog::Report> AuditLog::Verify(const std::string& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return Error::NotFound("There is no audit log: the directory does not exist");
  }
  ASSIGN_OR_RETURN(const auto keys, LoadAuditKeys(directory));
  if (!keys) {
    Report report;
    for (const std::string& name : NamesIn(directory)) {
      if (!SegmentName::Parse(name) && name != "audit.index") continue;
      report.problems.emplace_back("audit.key was removed: nothing can be verified");
      break;
    }
    return report;
  }
  return Verification(directory, *keys).Run();
}

}  // namespace toolpost::telemetry
