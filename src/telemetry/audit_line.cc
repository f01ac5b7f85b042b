// Formats, seals and reads lines of the audit log.
#include "telemetry/audit_line.h"

#include <algorithm>
#include <charconv>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::telemetry {
namespace {

constexpr std::size_t kMaxField = 1024;
constexpr std::size_t kMaxContacts = 32;
constexpr std::size_t kMacBytes = 16;
constexpr std::string_view kMacStart = ",\"mac\":\"";
constexpr std::string_view kMacEnd = "\"}";
constexpr std::string_view kSequenceStart = "{\"seq\":";

std::string MacOf(std::string_view key, std::string_view context, std::string_view content) {
  thread_local std::string input;
  input.assign(context).push_back('\n');
  input.append(content);
  const base::Sha256Digest digest = base::HmacSha256(key, input);
  return base::ToHex({reinterpret_cast<const char*>(digest.data()), kMacBytes});
}

// DEL and C1 controls (C2 80 … C2 9F) pass a JSON writer, but not a careful terminal.
bool IsControlAt(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == 0x7F) return true;
  return byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

void AppendEscaped(std::string& out, std::string_view text) {
  const auto suspicious = [](char c) { return static_cast<unsigned char>(c) >= 0x7F; };
  const std::size_t start = out.size();
  base::AppendJsonString(out, text);
  if (std::none_of(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), suspicious)) return;
  const std::string written = out.substr(start);
  out.resize(start);
  constexpr char kHex[] = "0123456789abcdef";
  for (std::size_t at = 0; at < written.size(); ++at) {
    if (!IsControlAt(written, at)) {
      out.push_back(written[at]);
      continue;
    }
    if (written[at] != 0x7F) ++at;
    const auto code = static_cast<unsigned char>(written[at]);
    out.append({'\\', 'u', '0', '0', kHex[code >> 4], kHex[code & 15]});
  }
}

void AppendText(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out.append(",\"").append(name).append("\":");
  AppendEscaped(out, value.substr(0, kMaxField));
}

void AppendNumber(std::string& out, std::string_view name, std::uint64_t value) {
  out.append(",\"").append(name).append("\":");
  base::AppendJsonUint(out, value);
}

void AppendContacts(std::string& out, std::span<const Contact> contacts) {
  if (contacts.empty()) return;
  out.append(",\"contacts\":[");
  for (const Contact& contact : contacts.first(std::min(kMaxContacts, contacts.size()))) {
    out.append(out.ends_with('[') ? "{\"host\":" : ",{\"host\":");
    AppendEscaped(out, std::string_view(contact.host).substr(0, kMaxField));
    AppendNumber(out, "port", contact.port);
    AppendText(out, "address", contact.address);
    AppendText(out, "outcome", contact.outcome);
    AppendNumber(out, "sent", contact.sent);
    AppendNumber(out, "received", contact.received);
    out.push_back('}');
  }
  out.push_back(']');
  if (contacts.size() > kMaxContacts) AppendNumber(out, "contacts_total", contacts.size());
}

}  // namespace

void AppendRecordBody(std::string& out, const AuditRecord& record, base::WallTime time) {
  out.append("\"time\":\"").append(base::ToIso8601(time)).push_back('"');
  AppendText(out, "kind", record.kind);
  AppendText(out, "principal", record.principal);
  AppendText(out, "user", record.user);
  AppendText(out, "key_id", record.key_id);
  AppendText(out, "tool", record.tool);
  AppendText(out, "connection", record.connection);
  AppendText(out, "arguments", record.arguments);
  AppendText(out, "outcome", record.outcome);
  out.append(",\"ms\":");
  base::AppendJsonMilliseconds(out, record.duration);
  out.append(",\"bytes\":");
  base::AppendJsonUint(out, record.bytes);
  AppendText(out, "address", record.address);
  AppendText(out, "request", record.request_id);
  AppendText(out, "session", record.session);
  AppendContacts(out, record.contacts);
}

std::string AppendSealed(std::string& out, std::string_view key, std::string_view context,
                         std::string_view content) {
  std::string mac = MacOf(key, context, content);
  out.append(content).append(kMacStart).append(mac).append(kMacEnd);
  return mac;
}

std::string FixedLine(std::string_view key, std::string_view context, std::string_view content) {
  std::string line;
  AppendSealed(line, key, context, content);
  line.resize(kFixedLineBytes - 1, ' ');
  line.push_back('\n');
  return line;
}

std::optional<SealedLine> SealedLine::Split(std::string_view line) {
  constexpr std::size_t kTail = kMacStart.size() + 2 * kMacBytes + kMacEnd.size();
  if (line.size() <= kTail || !line.ends_with(kMacEnd)) return {};
  const std::string_view tail = line.substr(line.size() - kTail);
  if (!tail.starts_with(kMacStart)) return {};
  return SealedLine{line.substr(0, line.size() - kTail),
                    tail.substr(kMacStart.size(), 2 * kMacBytes)};
}

std::optional<SealedLine> SealedLine::SplitFixed(std::string_view line) {
  if (line.size() != kFixedLineBytes || !line.ends_with('\n')) return {};
  return Split(base::Trim(line.substr(0, line.size() - 1)));
}

bool SealedLine::Authentic(std::string_view key, std::string_view context) const {
  return base::EqualConstantTime(MacOf(key, context, content), mac);
}

std::optional<JsonObject> SealedLine::Parse() const {
  auto value = base::ParseJson(std::string(content) + '}');
  if (!value || !value->is_object()) return {};
  return std::move(value->as_object());
}

std::optional<std::uint64_t> SealedLine::Sequence() const {
  if (!content.starts_with(kSequenceStart)) return {};
  const char* const begin = content.data() + kSequenceStart.size();
  const char* const end = content.data() + content.size();
  std::uint64_t sequence = 0;
  const auto [stop, failure] = std::from_chars(begin, end, sequence);
  if (failure != std::errc() || stop == end || *stop != ',') return {};
  return sequence;
}

std::uint64_t NumberIn(const JsonObject& object, std::string_view name) {
  const Json* const value = object.if_contains(name);
  if (value == nullptr) return 0;
  if (const std::uint64_t* large = value->if_uint64()) return *large;
  const std::int64_t* const number = value->if_int64();
  return number != nullptr && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

std::string TextIn(const JsonObject& object, std::string_view name) {
  const Json* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace toolpost::telemetry
