// One process's part of an audit log: its chain of segments and the state that vouches for the last
// of them.
//
// `live/<writer>.state` holds, signed, how many records of the open segment are on disk and the
// code of the last one. It is rewritten in place after each sync, and locked while its process
// lives; whoever opens a segment next enters the dead ones in the index and removes their state.
// One thread uses a writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/audit_file.h"
#include "telemetry/audit_index.h"
#include "telemetry/audit_key.h"
#include "telemetry/audit_log.h"
#include "toolpost/result.h"

namespace toolpost::telemetry {

// What a state file says.
struct WriterState {
  SegmentName segment;
  std::uint64_t records = 0;
  std::string last;

  std::string Sealed(const AuditKeys& keys) const;
  static std::optional<WriterState> Read(std::string_view text, const AuditKeys& keys);
  static std::string Path(const std::string& directory, std::string_view writer);
};

class AuditWriter {
 public:
  explicit AuditWriter(const AuditOptions& options) : options_(options) {}

  // Chains the bodies (separated by line feeds), writes them, syncs, and signs the new state. Opens
  // and changes segments as needed. On failure nothing of the batch is in the log, except whole
  // segments' worth that were finished before: `written` counts the records that are.
  Result<void> Write(std::string_view bodies, std::uint64_t& written);
  // Ends the open segment in order.
  Result<void> Close();

 private:
  // The end of the chain.
  struct Position {
    std::uint64_t next_sequence = 1;
    std::uint64_t records = 0;  // in this segment
    std::uint64_t size = 0;     // of this segment
    std::string last;           // code of the last line
  };

  Result<void> OpenFirst();
  Result<void> OpenSegment(AuditIndex& index, std::vector<IndexEvent> events);
  Result<void> ChangeSegment();
  Result<void> Put(std::string_view text, Position position);
  Result<IndexEvent> WriteEnd();
  bool SegmentIsOld() const;
  std::string SegmentPath(const SegmentName& name) const;

  const AuditOptions options_;
  AuditKeys keys_;
  SegmentName name_;
  AuditFile state_;
  AuditFile segment_;
  Position at_;  // what is on disk for good
  std::int64_t opened_ = 0;
};

// Enters the open segments of dead processes in the index.
Result<void> EndDeadWriters(const std::string& directory, const AuditKeys& keys, AuditIndex& index,
                            std::int64_t now);
// Removes the oldest ended segments until the log fits `options`, `reserve` bytes included.
Result<void> Retain(const AuditOptions& options, AuditIndex& index, std::uint64_t reserve,
                    std::int64_t now);

}  // namespace toolpost::telemetry
