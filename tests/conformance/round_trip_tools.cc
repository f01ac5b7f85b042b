// Fixture tools for multi round-trip requests (2026-07-28).
#include "fixtures.h"

namespace toolpost::conformance {
namespace {

InputRequest AskFor(std::string_view key, std::string_view message, std::string_view field) {
  JsonObject form{{"type", "object"},
                  {"properties", {{field, {{"type", "string"}}}}},
                  {"required", JsonArray{field}}};
  return InputRequest::Elicit(std::string(key), message, std::move(form));
}

InputRequest AskModel(std::string_view key, std::string_view prompt) {
  return InputRequest::Sample(
      std::string(key),
      {{"messages",
        JsonArray{JsonObject{{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}}}},
       {"maxTokens", 100}});
}

template <typename... Requests>
Result<InputResponses> Ask(CallContext& context, Requests... requests) {
  std::vector<InputRequest> questions;
  (questions.push_back(std::move(requests)), ...);
  return context.Ask(std::move(questions));
}

// The string a person typed into `field`; empty when the form was declined.
std::string Typed(const InputResponses& answers, std::string_view key, std::string_view field) {
  const auto found = answers.find(key);
  if (found == answers.end()) return {};
  const Json* content = found->second.if_contains("content");
  return content != nullptr && content->is_object() ? StringArgument(content->get_object(), field)
                                                    : std::string();
}

Result<Output> Elicitation(const JsonObject&, CallContext& context) {
  ASSIGN_OR_RETURN(InputResponses answers,
                   Ask(context, AskFor("user_name", "What is your name?", "name")));
  return Output::Text("Hello, " + Typed(answers, "user_name", "name") + "!");
}

Result<Output> Sampling(const JsonObject&, CallContext& context) {
  RETURN_IF_ERROR(Ask(context, AskModel("capital_question", "What is the capital of France?")));
  return Output::Text("The model answered");
}

Result<Output> ListRoots(const JsonObject&, CallContext& context) {
  RETURN_IF_ERROR(Ask(context, InputRequest::Roots("client_roots")));
  return Output::Text("The client named its roots");
}

Result<Output> RequestState(const JsonObject&, CallContext& context) {
  if (context.state().is_null()) context.SetState(JsonObject{{"asked", "confirm"}});
  RETURN_IF_ERROR(Ask(context, AskFor("confirm", "Please confirm", "ok")));
  const bool intact = context.state().is_object() && context.state().get_object().contains("asked");
  return Output::Text(intact ? "state-ok" : "state-lost");
}

Result<Output> MultipleInputs(const JsonObject&, CallContext& context) {
  context.SetState(JsonObject{{"round", 1}});
  RETURN_IF_ERROR(Ask(context, AskFor("user_name", "What is your name?", "name"),
                      AskModel("greeting", "Generate a greeting"),
                      InputRequest::Roots("client_roots")));
  return Output::Text("All three inputs arrived");
}

// The second retry brings only the second answer, so the first one travels in the state.
Result<Output> MultiRound(const JsonObject&, CallContext& context) {
  std::string name;
  if (const JsonObject* state = context.state().if_object()) name = StringArgument(*state, "name");
  if (name.empty()) {
    ASSIGN_OR_RETURN(InputResponses first,
                     Ask(context, AskFor("step1", "Step 1: What is your name?", "name")));
    name = Typed(first, "step1", "name");
    context.SetState(JsonObject{{"name", name}});
  }
  ASSIGN_OR_RETURN(InputResponses second,
                   Ask(context, AskFor("step2", "Step 2: What is your favorite color?", "color")));
  return Output::Text(name + " likes " + Typed(second, "step2", "color"));
}

Result<Output> Capabilities(const JsonObject&, CallContext& context) {
  std::vector<InputRequest> questions;
  if (context.ClientHas("elicitation")) {
    questions.push_back(AskFor("user_name", "What is your name?", "name"));
  }
  if (context.ClientHas("sampling"))
    questions.push_back(AskModel("greeting", "Generate a greeting"));
  if (context.ClientHas("roots")) questions.push_back(InputRequest::Roots("client_roots"));
  RETURN_IF_ERROR(context.Ask(std::move(questions)));
  return Output::Text("Asked only what the client can answer");
}

}  // namespace

Result<void> AddRoundTripTools(Server& server) {
  const auto add = [&server](std::string_view kind, std::string_view description,
                             ToolHandler handler) {
    return server.AddTool(MakeFixture("test_input_required_result_" + std::string(kind),
                                      description, std::move(handler)));
  };
  RETURN_IF_ERROR(add("elicitation", "Asks for a name first", Elicitation));
  RETURN_IF_ERROR(add("sampling", "Asks the model first", Sampling));
  RETURN_IF_ERROR(add("list_roots", "Asks for roots first", ListRoots));
  RETURN_IF_ERROR(add("request_state", "Keeps state with the question", RequestState));
  RETURN_IF_ERROR(add("multiple_inputs", "Asks three things at once", MultipleInputs));
  RETURN_IF_ERROR(add("multi_round", "Asks twice", MultiRound));
  RETURN_IF_ERROR(add("tampered_state", "Refuses altered state", RequestState));
  return add("capabilities", "Asks only what the client declared", Capabilities);
}

}  // namespace toolpost::conformance
