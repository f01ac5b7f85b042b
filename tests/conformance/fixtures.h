// The fixtures that the official conformance suite expects of a server under test, written against
// the public API only.
//
// Every function registers one group and stops at the first registration that is refused. Handlers
// keep a reference to the server where they change its lists, so the server must outlive its calls,
// which Server::Stop() guarantees.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/server.h"

namespace toolpost::conformance {

// Parses a JSON literal of this program; malformed text is a mistake of ours and ends the process.
Json Parse(std::string_view text);

// A tool `test/<name>` whose wire name is exactly `name`, as the suite calls it.
Tool MakeFixture(std::string_view name, std::string_view description, Json input_schema,
                 ToolHandler handler);
// The same without arguments.
Tool MakeFixture(std::string_view name, std::string_view description, ToolHandler handler);

// A string argument that the tool's schema guarantees.
std::string StringArgument(const JsonObject& arguments, std::string_view name);

// Waits, or returns earlier with false when the call is cancelled.
bool Pause(CallContext& context, std::chrono::milliseconds duration);

// Text, images, audio, embedded resources, errors, progress, logging, schemas and headers.
// `test_simple_text` comes first: the header scenarios call the first tool of the list without
// arguments.
Result<void> AddContentTools(Server& server);
// Questions to the client as the handshake revisions ask them: sampling, elicitation, roots.
Result<void> AddQuestionTools(Server& server);
// Questions as multi round-trip requests.
Result<void> AddRoundTripTools(Server& server);
Result<void> AddTaskTools(Server& server);
// Tools that change the lists and resources of the server they run in.
Result<void> AddChangeTools(Server& server);
Result<void> AddResources(Server& server);
Result<void> AddPrompts(Server& server);
// All of the above.
Result<void> AddFixtures(Server& server);

}  // namespace toolpost::conformance
