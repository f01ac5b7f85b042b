// Checks one segment of an audit log.
#include "telemetry/audit_segment.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/strings.h"
#include "telemetry/audit_file.h"
#include "telemetry/audit_line.h"

namespace toolpost::telemetry {
namespace {

constexpr std::size_t kChunk = 1 << 20;
constexpr std::size_t kMaxProblems = 20;  // per segment

class SegmentCheck {
 public:
  SegmentCheck(const SegmentClaim& claim, const AuditKeys& keys)
      : claim_(claim), keys_(keys), file_(claim.name.File()), expected_(claim.first) {}

  void Line(std::string_view line);
  void End(std::string_view half_line);
  SegmentFindings Take() { return std::move(findings_); }

 private:
  void Head(const SealedLine& line);
  void Record(const SealedLine& line);
  void Ending(const SealedLine& line);
  template <typename... Pieces>
  void Problem(const Pieces&... pieces) {
    if (findings_.problems.size() < kMaxProblems) {
      findings_.problems.push_back(base::StrCat(file_, ": ", pieces...));
    }
  }

  const SegmentClaim& claim_;
  const AuditKeys& keys_;
  const std::string file_;
  std::uint64_t lines_ = 0;
  std::uint64_t expected_;
  std::uint64_t highest_ = 0;
  bool ended_ = false;
  bool reached_claim_ = false;
  SegmentFindings findings_;
};

void SegmentCheck::Line(std::string_view text) {
  ++lines_;
  if (ended_) {
    Problem("line ", lines_, " was added after its end");
    return;
  }
  const auto line = SealedLine::Split(text);
  if (!line) {
    Problem("line ", lines_, " is no line of the log: it was changed or put there");
    return;
  }
  if (lines_ == 1) {
    Head(*line);
  } else if (line->content.starts_with("{\"end\":")) {
    Ending(*line);
  } else {
    Record(*line);
  }
  // Go on from what the line claims, so that one change is reported once.
  findings_.last = line->mac;
  if (findings_.records == claim_.records && !claim_.last.empty() &&
      findings_.last == claim_.last) {
    reached_claim_ = true;
  }
}

void SegmentCheck::Head(const SealedLine& line) {
  const auto head = line.Authentic(keys_.sign, "head") ? line.Parse() : std::nullopt;
  if (!head || TextIn(*head, "segment") != file_) {
    Problem("its head was changed, or belongs to another segment");
    return;
  }
  if (NumberIn(*head, "first") != claim_.first) {
    Problem("it starts at sequence ", NumberIn(*head, "first"), " instead of ", claim_.first);
  }
  if (!claim_.previous_last.empty() && TextIn(*head, "previous_mac") != claim_.previous_last) {
    Problem("it does not follow the segment before it");
  }
}

void SegmentCheck::Record(const SealedLine& line) {
  const auto sequence = line.Sequence();
  if (!sequence) {
    Problem("line ", lines_, " has no sequence number: it was changed");
    return;
  }
  if (!line.Authentic(keys_.chain, findings_.last) || *sequence != expected_) {
    if (*sequence == expected_) {
      Problem("the record with sequence ", *sequence, " was changed");
    } else if (*sequence <= highest_) {
      Problem("the record with sequence ", *sequence, " is there twice or out of order");
    } else if (*sequence > expected_) {
      Problem("records are missing: sequences ", expected_, " to ", *sequence - 1);
    } else {
      Problem("a record with sequence ", *sequence, " is not part of this segment");
    }
  }
  ++findings_.records;
  expected_ = *sequence + 1;
  highest_ = std::max(highest_, *sequence);
  findings_.last_sequence = highest_;
}

void SegmentCheck::Ending(const SealedLine& line) {
  ended_ = true;
  const auto end = line.Authentic(keys_.chain, findings_.last) ? line.Parse() : std::nullopt;
  if (!end) {
    Problem("records before its end were removed, or its end was changed");
  } else if (NumberIn(*end, "records") != findings_.records) {
    Problem("its end counts ", NumberIn(*end, "records"), " records, there are ",
            findings_.records);
  }
}

void SegmentCheck::End(std::string_view half_line) {
  if (lines_ == 0 && claim_.first > 0) Problem("it is empty: its head was removed");
  if (findings_.records < claim_.records) {
    Problem("it was cut: ", claim_.records, " records were signed, ", findings_.records,
            " are there");
  } else if (claim_.closed && (!ended_ || findings_.records > claim_.records)) {
    Problem(ended_ ? "it has more records than were signed" : "its end was removed");
  } else if (!claim_.last.empty() && !reached_claim_ && findings_.problems.empty()) {
    Problem("it is not the segment that was signed");
  }
  if (half_line.empty() || claim_.alive) return;
  if (ended_ || claim_.closed) {
    Problem("bytes were added after its end");
  } else {
    findings_.notes.push_back(
        base::StrCat(file_, ": the last record, after sequence ", expected_ - 1,
                     ", is only half written: its process was stopped in the middle of it"));
  }
}

bool Exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 || errno != ENOENT;
}

}  // namespace

Result<SegmentFindings> CheckSegment(const std::string& directory, const SegmentClaim& claim,
                                     const AuditKeys& keys) {
  const std::string path = base::StrCat(directory, "/", claim.name.File());
  auto file = AuditFile::Open(path, O_RDONLY);
  if (!file && !Exists(path)) return SegmentFindings{.missing = true};
  if (!file) return std::move(file).error();
  SegmentCheck check(claim, keys);
  std::string pending;
  for (std::uint64_t offset = 0;;) {
    ASSIGN_OR_RETURN(const std::string chunk, file->ReadAt(offset, kChunk));
    offset += chunk.size();
    pending += chunk;
    std::size_t begin = 0;
    for (std::size_t end; (end = pending.find('\n', begin)) != std::string::npos; begin = end + 1) {
      check.Line(std::string_view(pending).substr(begin, end - begin));
    }
    pending.erase(0, begin);
    if (chunk.size() < kChunk) break;
  }
  check.End(pending);
  return check.Take();
}

}  // namespace toolpost::telemetry
