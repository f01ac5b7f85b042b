// The lines of an audit log: JSON objects that end in a message authentication code over the object
// and a context.
//
// The context of a record is the code of the line before it, which makes the chain; that of a head,
// a state or an index header is a constant. Codes are the first 128 bits of HMAC-SHA-256, in hex.
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "telemetry/audit_log.h"
#include "toolpost/json.h"

namespace toolpost::telemetry {

// Lines that are rewritten in place: padded, so that one sector holds them.
inline constexpr std::size_t kFixedLineBytes = 384;

// The body of a record, without braces, sequence and code: what Append() queues. No line feed
// inside.
void AppendRecordBody(std::string& out, const AuditRecord& record, base::WallTime time);

// `{…,"mac":"…"}` without a line feed, appended to `out`; returns the code. `content` starts with a
// brace and has none at the end.
std::string AppendSealed(std::string& out, std::string_view key, std::string_view context,
                         std::string_view content);
// A sealed line padded to kFixedLineBytes, line feed included.
std::string FixedLine(std::string_view key, std::string_view context, std::string_view content);

// A line taken apart; views into it.
struct SealedLine {
  std::string_view content;
  std::string_view mac;

  // Nothing if it does not have the form.
  static std::optional<SealedLine> Split(std::string_view line);
  // Of the bytes that FixedLine() made.
  static std::optional<SealedLine> SplitFixed(std::string_view line);
  bool Authentic(std::string_view key, std::string_view context) const;
  // The object without the code; nothing if it is no JSON object.
  std::optional<JsonObject> Parse() const;
  // The sequence number at the start of a record.
  std::optional<std::uint64_t> Sequence() const;
};

// Members of our own lines; 0 or empty when missing or of another type.
std::uint64_t NumberIn(const JsonObject& object, std::string_view name);
std::string TextIn(const JsonObject& object, std::string_view name);

}  // namespace toolpost::telemetry
