// The audit log: one line per call and per denial, append-only, hash-chained, in segments with
// signed heads.
//
// A directory holds the segments of all processes that share a state directory; each process writes
// a chain of segments of its own, named after it. A line is a JSON object with a sequence number
// (from 1, per process) and a code: HMAC-SHA-256, cut to 128 bits, over the line and the code of
// the line before it, under the log's own key (`audit.key`, 0600, made with the first segment). The
// first line of a segment (its head) is signed by itself and names the segment before and its last
// code; a segment that was closed ends with a line that counts its records. `audit.index`
// (audit_index.h) lists the segments, `live/` (audit_writer.h) says how far the open ones are
// signed. Retention removes whole ended segments, oldest first, and enters that in the index.
//
// What Verify() guarantees against somebody who can write the directory but does not know
// audit.key:
//   - A record that was changed, inserted, moved, repeated, or removed between two others is found,
//   in every segment, at any time.
//   - A segment or an index entry that was removed, put there, swapped or renamed is found, the
//   last one included.
//   - A segment of a process that ended in order, and every segment that another follows, is found
//   if it was cut anywhere.
//   - The last segment of a process that died or still runs is found if it was cut below what was
//   last signed: everything that Flush() returned
//     for, and otherwise everything up to the last batch (100 ms and the time of a sync before the
//     death). What was written after that may be missing: a cut there cannot be told from the death
//     itself, and is no problem. A line that is only half there is a note.
// What it cannot find, because nothing outside the directory is trusted: a log that was replaced by
// an earlier copy of the whole directory (or of a dead writer's last segment together with its
// earlier state, before another process started), or deleted with its key. Note what Verify()
// reported (segments, last sequence per writer) elsewhere to be able to compare. Whoever can read
// audit.key can forge everything.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/context.h"
#include "toolpost/result.h"

namespace toolpost::telemetry {

struct AuditOptions {
  std::string directory;
  std::uint64_t segment_bytes = std::uint64_t{16} * 1024 * 1024;
  std::uint64_t total_bytes = std::uint64_t{1024} * 1024 * 1024;  // oldest closed segments go first
  std::chrono::hours keep{24 * 90};
};

// Views must live until Append returns. Values are escaped; nothing here is an argument's value.
struct AuditRecord {
  std::string_view kind;  // "call", "denied", or the name of an event
  std::string_view principal;
  std::string_view user;
  std::string_view key_id;
  std::string_view tool;        // canonical id, or the path of a refused request
  std::string_view connection;  // resolved; empty when none
  std::string_view arguments;   // ArgumentDigest()
  std::string_view outcome;     // "OK" or the name of the error code
  std::chrono::nanoseconds duration{};
  std::uint64_t bytes = 0;  // of the result
  std::string_view address;
  std::string_view request_id;
  std::string_view session{};           // start of its id, for events of sessions
  std::span<const Contact> contacts{};  // the first 32 are listed, all are counted
};

// Thread-safe. Append() formats and queues; one thread chains and writes in batches (at most 100 ms
// later), so a caller never waits for the disk unless the queue (8 MiB) is full. A disk that cannot
// be written is logged once a minute, what could not be written is counted, and the log itself says
// so (kind "lost") as soon as it can.
class AuditLog {
 public:
  explicit AuditLog(AuditOptions options);
  ~AuditLog();  // writes everything, closes the segment

  // Creates directory, key and segment with the first record.
  void Append(const AuditRecord& record);
  // Returns when everything appended before is on disk (fsync) or could not be.
  void Flush();
  // Keyed digest of serialised arguments: equal arguments are recognisable, guessing them needs the
  // log's key.
  std::string ArgumentDigest(std::string_view arguments);
  std::uint64_t lost() const;
  // Why the last batch could not be written; empty: it could, or there was none.
  std::string problem() const;

  struct Report {
    std::uint64_t records = 0;
    std::uint64_t segments = 0;
    std::uint64_t first_sequence = 0;
    std::uint64_t last_sequence = 0;
    std::vector<std::string> problems;  // empty: the log is whole
    std::vector<std::string> notes;     // traces of processes that died, no tampering

    // One process. `first_sequence` and `last_sequence` above are the lowest and the highest of
    // all.
    struct Writer {
      std::string name;  // start time and a random part
      std::uint64_t records = 0;
      std::uint64_t first_sequence = 0;  // 0: no records
      std::uint64_t last_sequence = 0;
      bool alive = false;
    };
    std::vector<Writer> writers;
  };
  // Reads all segments below `directory`. A segment another process is still writing is checked as
  // far as it goes. Code::kNotFound without a directory, Code::kUnavailable if something cannot be
  // read.
  static Result<Report> Verify(const std::string& directory);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::telemetry
