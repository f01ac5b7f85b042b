// Framing of text/event-stream.
#include "net/sse.h"

namespace toolpost::net {
namespace {

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  for (char c : value) {
    if (c != '\r' && c != '\n') out.push_back(c);
  }
  out.push_back('\n');
}

void AppendData(std::string& out, std::string_view data) {
  for (;;) {
    auto end = data.find_first_of("\r\n");
    out.append("data: ").append(data.substr(0, end)).push_back('\n');
    if (end == std::string_view::npos) return;
    bool crlf = data[end] == '\r' && end + 1 < data.size() && data[end + 1] == '\n';
    data.remove_prefix(end + (crlf ? 2 : 1));
  }
}

void AppendId(std::string& out, std::string_view id) {
  if (!id.empty() && id.find('\0') == std::string_view::npos) AppendField(out, "id", id);
}

}  // namespace

std::string SseEvent(std::string_view data, std::string_view id, std::string_view event) {
  std::string out;
  out.reserve(data.size() + id.size() + event.size() + 40);
  AppendId(out, id);
  if (!event.empty()) AppendField(out, "event", event);
  AppendData(out, data);
  out.push_back('\n');
  return out;
}

base::LongMessage LongSseEvent(base::LongMessage data, std::string_view id,
                               std::string_view event) {
  std::string start;
  AppendId(start, id);
  if (!event.empty()) AppendField(start, "event", event);
  data.head.insert(0, start.append("data: "));
  data.tail.append("\n\n");
  return data;
}

std::string SsePriming(std::string_view id, unsigned retry_ms) {
  std::string out;
  AppendId(out, id);
  if (retry_ms != 0) AppendField(out, "retry", std::to_string(retry_ms));
  return out.append("data: \n\n");
}

std::string_view SseComment() { return ":\n\n"; }

}  // namespace toolpost::net
