// Checks one segment of an audit log, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/audit_index.h"
#include "telemetry/audit_key.h"
#include "toolpost/result.h"

namespace toolpost::telemetry {

// What must be true of a segment.
struct SegmentClaim {
  SegmentName name;
  std::uint64_t first = 1;
  std::uint64_t records = 0;  // at least, or exactly if it is closed
  std::string last;           // code of the line that completes them; empty: not known
  bool closed = false;
  bool alive = false;         // its process runs: the last line may be half there
  std::string previous_last;  // code of the last line of the segment before; empty: not known
};

struct SegmentFindings {
  bool missing = false;
  std::uint64_t records = 0;
  std::uint64_t last_sequence = 0;  // 0: no record
  std::string last;                 // code of the last line
  std::vector<std::string> problems;
  std::vector<std::string> notes;
};

// An error only if the file is there and cannot be read.
Result<SegmentFindings> CheckSegment(const std::string& directory, const SegmentClaim& claim,
                                     const AuditKeys& keys);

}  // namespace toolpost::telemetry
