// A conversation with the server as a text file, replayed over every transport that can carry it.
//
//   # anything                     a comment
//   @on memory stdio websocket     the transports that replay the file (default: these three);
//   `http` is the fourth
//   @page_size 3                   length of list pages
//   @header Name: value            HTTP: sent with every request from here on; without a value: no
//   longer
//   @path /mcp/canonical           HTTP: where requests go from here on (default /mcp)
//   > {"jsonrpc": …}               the client sends this text, which need not be JSON
//   @get   @delete                 HTTP: a GET (its stream stays open) or a DELETE
//   % 202                          HTTP: the status of the last request
//   < {"jsonrpc": …}               the next message of the server
//   ~ {"jsonrpc": …}               one of the next messages, for connections that run side by side
//   =                              the client closes; the server must end its side by itself, with
//   nothing left to say
//
// Expected values: "*" stands for any value, "<string>", "<number>", "<time>" for one of that kind,
// "$name" for any value that is kept; "$name" in a later line, sent or expected, stands for what
// was kept. Objects must have exactly the keys named, or at least those if one of them is "...";
// arrays likewise with a last element "...". HTTP keeps the session id as $session.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::transcripts {

struct Step {
  enum class Kind { kSend, kExpect, kExpectSoon, kHeader, kPath, kGet, kDelete, kStatus, kClose };
  Kind kind;
  std::string text;
  int line = 0;
};

struct Transcript {
  std::vector<std::string> transports{"memory", "stdio", "websocket"};
  std::size_t page_size = 250;
  std::vector<Step> steps;
};

// Reads a transcript; the error names the line.
Result<Transcript> ParseTranscript(std::string_view text);

using Kept = std::map<std::string, Json, std::less<>>;

// Empty if `actual` is what `expected` asks for, else the place and the difference. Adds to `kept`.
std::string Mismatch(const Json& expected, const Json& actual, Kept& kept,
                     const std::string& place = "");

// Replaces every `$name` of the text by what was kept: strings as they are inside quotes, other
// values as JSON in place of the quoted name.
std::string Fill(std::string text, const Kept& kept);

}  // namespace toolpost::transcripts
