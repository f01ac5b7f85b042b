// Lines of a transcript to steps.
#include "transcript.h"

#include <sstream>

namespace toolpost::transcripts {
namespace {

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> Words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Error BadLine(int number, std::string_view line) {
  return Error::InvalidParams("line " + std::to_string(number) + ": what is '" + std::string(line) +
                              "'?");
}

Result<void> ParseDirective(std::string_view line, int number, Transcript& transcript) {
  const auto space = line.find(' ');
  const std::string_view name = line.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? "" : Trim(line.substr(space));
  const auto add = [&](Step::Kind kind) {
    transcript.steps.push_back({kind, std::string(rest), number});
  };
  if (name == "@on") {
    transcript.transports = Words(rest);
  } else if (name == "@page_size") {
    transcript.page_size = std::stoul(std::string(rest));
  } else if (name == "@header") {
    add(Step::Kind::kHeader);
  } else if (name == "@path") {
    add(Step::Kind::kPath);
  } else if (name == "@get") {
    add(Step::Kind::kGet);
  } else if (name == "@delete") {
    add(Step::Kind::kDelete);
  } else {
    return BadLine(number, line);
  }
  return {};
}

}  // namespace

Result<Transcript> ParseTranscript(std::string_view text) {
  Transcript transcript;
  int number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = Trim(text.substr(0, end));
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::string rest(Trim(line.substr(1)));
    switch (line.front()) {
      case '@':
        RETURN_IF_ERROR(ParseDirective(line, number, transcript));
        break;
      case '>':
        transcript.steps.push_back({Step::Kind::kSend, rest, number});
        break;
      case '<':
        transcript.steps.push_back({Step::Kind::kExpect, rest, number});
        break;
      case '~':
        transcript.steps.push_back({Step::Kind::kExpectSoon, rest, number});
        break;
      case '%':
        transcript.steps.push_back({Step::Kind::kStatus, rest, number});
        break;
      case '=':
        transcript.steps.push_back({Step::Kind::kClose, rest, number});
        break;
      default:
        return BadLine(number, line);
    }
  }
  return transcript;
}

}  // namespace toolpost::transcripts
