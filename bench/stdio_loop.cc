// The stdio ceiling: read, parse each line with Boost.JSON into an arena, append a reply, write. No
// protocol, no checks.
#include <unistd.h>

#include <boost/json.hpp>
#include <cstring>
#include <string>
#include <string_view>

namespace json = boost::json;

namespace {

void AppendReply(std::string_view line, std::string& out) {
  unsigned char buffer[8192];
  json::monotonic_resource arena(buffer, sizeof buffer);
  json::error_code error;
  const json::value request = json::parse(line, error, &arena);
  if (error || !request.is_object()) return;
  const json::value* id = request.as_object().if_contains("id");
  if (id == nullptr) return;
  std::string_view text = "hello";
  if (const json::value* message = request.find_pointer("/params/arguments/message", error);
      message != nullptr && message->is_string()) {
    text = message->as_string();
  }
  const json::value reply({{"jsonrpc", "2.0"},
                           {"id", *id},
                           {"result",
                            {{"content", json::array({{{"type", "text"}, {"text", text}}}, &arena)},
                             {"isError", false}}}},
                          &arena);
  json::serializer serializer;
  serializer.reset(&reply);
  while (!serializer.done()) {
    char chunk[4096];
    out += std::string_view(serializer.read(chunk));
  }
  out += '\n';
}

bool WriteAll(std::string_view data) {
  while (!data.empty()) {
    const ssize_t put = write(STDOUT_FILENO, data.data(), data.size());
    if (put <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

int main() {
  std::string input;
  std::string output;
  char chunk[65536];
  for (ssize_t got; (got = read(STDIN_FILENO, chunk, sizeof chunk)) > 0;) {
    input.append(chunk, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = input.find('\n', begin)) != std::string::npos; begin = end + 1) {
      AppendReply(std::string_view(input).substr(begin, end - begin), output);
    }
    input.erase(0, begin);
    if (!WriteAll(output)) return 1;
    output.clear();
  }
}
