// Fixture tools that change the server they run in, so that list_changed and updated notices can be
// observed.
#include <memory>
#include <mutex>

#include "fixtures.h"

namespace toolpost::conformance {
namespace {

Result<Output> Extra(const JsonObject&, CallContext&) { return Output::Text("I come and go"); }

// Turns `add` and `remove` into a handler that does the one that is due.
template <typename Add, typename Remove>
ToolHandler Toggle(Add add, Remove remove) {
  struct State {
    std::mutex mutex;
    bool present = false;
  };
  return [state = std::make_shared<State>(), add, remove](const JsonObject&,
                                                          CallContext&) -> Result<Output> {
    const std::lock_guard lock(state->mutex);
    RETURN_IF_ERROR(state->present ? remove() : add());
    state->present = !state->present;
    return Output::Text(state->present ? "added" : "removed");
  };
}

}  // namespace

Result<void> AddChangeTools(Server& server) {
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_visit_complete", "Says that a page was visited",
                  JsonObject{{"type", "object"}, {"properties", {{"visit", {{"type", "string"}}}}}},
                  [&server](const JsonObject& arguments, CallContext&) -> Result<Output> {
                    server.VisitComplete(StringArgument(arguments, "visit"));
                    return Output::Text("told");
                  })));
  RETURN_IF_ERROR(server.AddTool(MakeFixture(
      "test_trigger_tool_change", "Adds or removes a tool",
      Toggle(
          [&server] { return server.AddTool(MakeFixture("test_extra", "Comes and goes", Extra)); },
          [&server] { return server.RemoveTool("test/test_extra"); }))));
  RETURN_IF_ERROR(server.AddTool(MakeFixture(
      "test_trigger_prompt_change", "Adds or removes a prompt",
      Toggle(
          [&server] {
            PromptInfo info;
            info.name = "test_extra_prompt";
            info.description = "Comes and goes";
            return server.AddPrompt(
                info, [](const auto&, CallContext&) -> Result<JsonArray> { return JsonArray{}; });
          },
          [&server] { return server.RemovePrompt("test_extra_prompt"); }))));
  RETURN_IF_ERROR(server.AddTool(MakeFixture(
      "test_trigger_resource_change", "Adds or removes a resource",
      Toggle(
          [&server] {
            ResourceInfo info;
            info.uri = "test://extra";
            info.name = "Extra";
            info.description = "Comes and goes";
            info.mime_type = "text/plain";
            return server.AddResource(info,
                                      [](std::string_view, const UriVariables&,
                                         CallContext&) -> Result<ResourceContents> {
                                        return ResourceContents{.mime_type = {}, .data = "extra"};
                                      });
          },
          [&server] { return server.RemoveResource("test://extra"); }))));
  return server.AddTool(MakeFixture("test_trigger_resource_update",
                                    "Says the watched resource changed",
                                    [&server](const JsonObject&, CallContext&) -> Result<Output> {
                                      server.ResourceUpdated("test://watched-resource");
                                      return Output::Text("updated");
                                    }));
}

}  // namespace toolpost::conformance
