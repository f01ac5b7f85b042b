// What all fixture tools share, and all groups together.
#include <boost/json/parse.hpp>
#include <condition_variable>
#include <mutex>

#include "fixtures.h"

namespace toolpost::conformance {

Json Parse(std::string_view text) { return boost::json::parse({text.data(), text.size()}); }

Tool MakeFixture(std::string_view name, std::string_view description, Json input_schema,
                 ToolHandler handler) {
  Tool tool;
  tool.info.name = "test/" + std::string(name);
  tool.info.wire = std::string(name);
  tool.info.title = std::string(name);
  tool.info.description = std::string(description);
  tool.input_schema = std::move(input_schema);
  tool.handler = std::move(handler);
  return tool;
}

Tool MakeFixture(std::string_view name, std::string_view description, ToolHandler handler) {
  return MakeFixture(name, description, JsonObject{{"type", "object"}}, std::move(handler));
}

std::string StringArgument(const JsonObject& arguments, std::string_view name) {
  const Json* value = arguments.if_contains({name.data(), name.size()});
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool Pause(CallContext& context, std::chrono::milliseconds duration) {
  std::mutex mutex;
  std::condition_variable_any wakeup;
  std::unique_lock lock(mutex);
  wakeup.wait_for(lock, context.stop_token(), duration, [] { return false; });
  return !context.Cancelled();
}

Result<void> AddFixtures(Server& server) {
  RETURN_IF_ERROR(AddContentTools(server));
  RETURN_IF_ERROR(AddQuestionTools(server));
  RETURN_IF_ERROR(AddRoundTripTools(server));
  RETURN_IF_ERROR(AddTaskTools(server));
  RETURN_IF_ERROR(AddChangeTools(server));
  RETURN_IF_ERROR(AddResources(server));
  return AddPrompts(server);
}

}  // namespace toolpost::conformance
