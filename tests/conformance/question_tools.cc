// Fixture tools that ask the client, named after what the handshake revisions ask.
#include <boost/json/serialize.hpp>

#include "fixtures.h"

namespace toolpost::conformance {
namespace {

constexpr std::string_view kContactForm = R"({
  "type": "object",
  "properties": {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"}},
  "required": ["username", "email"]
})";

constexpr std::string_view kDefaultsForm = R"({
  "type": "object",
  "properties": {
    "name": {"type": "string", "description": "User name", "default": "John Doe"},
    "age": {"type": "integer", "description": "User age", "default": 30},
    "score": {"type": "number", "description": "User score", "default": 95.5},
    "status": {"type": "string", "description": "User status",
      "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "description": "Verification status", "default": true}},
  "required": []
})";

constexpr std::string_view kEnumsForm = R"({
  "type": "object",
  "properties": {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [
      {"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"},
      {"const": "value3", "title": "Third Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
      "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3,
      "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [
      {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
      {"const": "value3", "title": "Third Choice"}]}}},
  "required": []
})";

Result<Output> AskForm(CallContext& context, std::string_view message, std::string_view form) {
  std::vector<InputRequest> questions;
  questions.push_back(InputRequest::Elicit("form", message, Parse(form).get_object()));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  return Output::Text("User response: " + boost::json::serialize(answers.at("form")));
}

Result<Output> Elicitation(const JsonObject& arguments, CallContext& context) {
  return AskForm(context, StringArgument(arguments, "message"), kContactForm);
}

Result<Output> Defaults(const JsonObject&, CallContext& context) {
  return AskForm(context, "Please review the fields with their defaults", kDefaultsForm);
}

Result<Output> Enums(const JsonObject&, CallContext& context) {
  return AskForm(context, "Please select options from the enum fields", kEnumsForm);
}

JsonObject SamplingParams(std::string_view prompt) {
  return {{"messages", JsonArray{JsonObject{{"role", "user"},
                                            {"content", {{"type", "text"}, {"text", prompt}}}}}},
          {"maxTokens", 100}};
}

Result<Output> Sampling(const JsonObject& arguments, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(
      InputRequest::Sample("completion", SamplingParams(StringArgument(arguments, "prompt"))));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  return Output::Text("LLM response: " + boost::json::serialize(answers.at("completion")));
}

Result<Output> MissingCapability(const JsonObject&, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(InputRequest::Sample("completion", SamplingParams("Say something")));
  RETURN_IF_ERROR(context.Ask(std::move(questions)));
  return Output::Text("The client can sample");
}

Result<Output> Roots(const JsonObject&, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(InputRequest::Roots("roots"));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  return Output::Text("Roots: " + boost::json::serialize(answers.at("roots")));
}

constexpr std::string_view kConsentPage = "https://consent.example.com/connect?account=7";

Result<Output> Visit(const JsonObject&, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(
      InputRequest::ElicitUrl("visit", "Please connect your account", kConsentPage, "connect-8"));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  return Output::Text("Visit: " + boost::json::serialize(answers.at("visit")));
}

Result<Output> VisitFirst(const JsonObject&, CallContext&) {
  JsonObject visit{{"mode", "url"},
                   {"elicitationId", "connect-7"},
                   {"message", "Please connect your account"},
                   {"url", kConsentPage}};
  return Error{Code::kUrlElicitation, "Connect your account first, then call again",
               JsonObject{{"elicitations", JsonArray{std::move(visit)}}}};
}

Result<Output> StreamingElicitation(const JsonObject&, CallContext& context) {
  context.Progress(1, 1);
  return Output::Text("Answered without asking on the stream");
}

Json OneString(std::string_view name, std::string_view description) {
  return JsonObject{{"type", "object"},
                    {"properties", {{name, {{"type", "string"}, {"description", description}}}}},
                    {"required", JsonArray{name}}};
}

}  // namespace

Result<void> AddQuestionTools(Server& server) {
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_sampling", "Asks the client's model",
                                 OneString("prompt", "What to ask the model"), Sampling)));
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_elicitation", "Asks the person for contact data",
                                 OneString("message", "What to show the person"), Elicitation)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture(
      "test_elicitation_sep1034_defaults", "Asks with defaults of all primitive types", Defaults)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_elicitation_sep1330_enums", "Asks with all five enum forms", Enums)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_elicitation_url", "Asks the person to visit a page", Visit)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture("test_url_elicitation_required",
                                             "Refuses until a page was visited", VisitFirst)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture("test_roots", "Asks for the workspace roots", Roots)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_missing_capability", "Cannot work without sampling", MissingCapability)));
  return server.AddTool(MakeFixture("test_streaming_elicitation",
                                    "Answers on a stream without server requests",
                                    StreamingElicitation));
}

}  // namespace toolpost::conformance
