// Fixture resources, prompts and completions.
#include "fixtures.h"

namespace toolpost::conformance {
namespace {

using namespace std::string_view_literals;
using Arguments = std::map<std::string, std::string, std::less<>>;

// A valid picture of one red pixel.
constexpr std::string_view kPngBytes =
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xda"
    "\x63\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03\x41\x43\0\0\0\0IEND\xae\x42\x60\x82"sv;
constexpr std::string_view kPngBase64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

ResourceInfo Describe(std::string_view uri, std::string_view name, std::string_view description,
                      std::string_view mime_type) {
  ResourceInfo info;
  info.uri = std::string(uri);
  info.name = std::string(name);
  info.description = std::string(description);
  info.mime_type = std::string(mime_type);
  return info;
}

ResourceReader Constant(std::string_view data, bool binary = false) {
  return [data, binary](std::string_view, const UriVariables&,
                        CallContext&) -> Result<ResourceContents> {
    return ResourceContents{.mime_type = {}, .data = std::string(data), .binary = binary};
  };
}

Result<ResourceContents> ReadTemplate(std::string_view, const UriVariables& variables,
                                      CallContext&) {
  const std::string& id = variables.at("id");
  return ResourceContents{
      .mime_type = {},
      .data = R"({"id":")" + id + R"(","templateTest":true,"data":"Data for ID: )" + id + R"("})"};
}

Result<Completion> CompletePlaces(std::string_view, std::string_view value, const Arguments&) {
  Completion completion;
  for (const std::string_view place : {"paris"sv, "park"sv, "party"sv}) {
    if (place.starts_with(value)) completion.values.emplace_back(place);
  }
  completion.total = static_cast<std::int64_t>(completion.values.size());
  return completion;
}

JsonObject Message(JsonObject content) {
  return {{"role", "user"}, {"content", std::move(content)}};
}
JsonObject TextMessage(std::string_view text) {
  return Message({{"type", "text"}, {"text", text}});
}

std::string Argument(const Arguments& arguments, std::string_view name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::string() : found->second;
}

Result<JsonArray> SimplePrompt(const Arguments&, CallContext&) {
  return JsonArray{TextMessage("This is a simple prompt for testing.")};
}

Result<JsonArray> PromptWithArguments(const Arguments& arguments, CallContext&) {
  return JsonArray{TextMessage("Prompt with arguments: arg1='" + Argument(arguments, "arg1") +
                               "', arg2='" + Argument(arguments, "arg2") + "'")};
}

Result<JsonArray> PromptWithResource(const Arguments& arguments, CallContext&) {
  return JsonArray{Message({{"type", "resource"},
                            {"resource",
                             {{"uri", Argument(arguments, "resourceUri")},
                              {"mimeType", "text/plain"},
                              {"text", "Embedded resource content for testing."}}}}),
                   TextMessage("Please process the embedded resource above.")};
}

Result<JsonArray> PromptWithImage(const Arguments&, CallContext&) {
  return JsonArray{Message({{"type", "image"}, {"data", kPngBase64}, {"mimeType", "image/png"}}),
                   TextMessage("Please analyze the image above.")};
}

Result<JsonArray> PromptThatAsks(const Arguments&, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(InputRequest::Elicit("user_context", "What context should the prompt use?",
                                           {{"type", "object"},
                                            {"properties", {{"context", {{"type", "string"}}}}},
                                            {"required", JsonArray{"context"}}}));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  const Json* content = answers.at("user_context").if_contains("content");
  return JsonArray{
      TextMessage("Use this context: " + (content != nullptr && content->is_object()
                                              ? StringArgument(content->get_object(), "context")
                                              : std::string("none")))};
}

PromptInfo Prompt(std::string_view name, std::string_view description,
                  std::vector<PromptArgument> arguments = {}) {
  PromptInfo info;
  info.name = std::string(name);
  info.description = std::string(description);
  info.arguments = std::move(arguments);
  return info;
}

}  // namespace

Result<void> AddResources(Server& server) {
  RETURN_IF_ERROR(server.AddResource(
      Describe("test://static-text", "Static text", "A text that never changes", "text/plain"),
      Constant("This is the content of the static text resource.")));
  RETURN_IF_ERROR(server.AddResource(Describe("test://static-binary", "Static picture",
                                              "A picture that never changes", "image/png"),
                                     Constant(kPngBytes, true)));
  RETURN_IF_ERROR(server.AddResource(
      Describe("test://watched-resource", "Watched text", "A text to subscribe to", "text/plain"),
      Constant("Watched resource content")));
  return server.AddResourceTemplate(
      Describe("test://template/{id}/data", "Template", "Data of one id", "application/json"),
      ReadTemplate, CompletePlaces);
}

Result<void> AddPrompts(Server& server) {
  RETURN_IF_ERROR(server.AddPrompt(Prompt("test_simple_prompt", "No arguments"), SimplePrompt));
  RETURN_IF_ERROR(server.AddPrompt(
      Prompt("test_prompt_with_arguments", "Two required arguments",
             {{"arg1", "First argument", true}, {"arg2", "Second argument", true}}),
      PromptWithArguments, CompletePlaces));
  RETURN_IF_ERROR(server.AddPrompt(Prompt("test_prompt_with_embedded_resource", "Embeds a resource",
                                          {{"resourceUri", "URI of the resource to embed", true}}),
                                   PromptWithResource));
  RETURN_IF_ERROR(
      server.AddPrompt(Prompt("test_prompt_with_image", "Contains a picture"), PromptWithImage));
  return server.AddPrompt(Prompt("test_input_required_result_prompt", "Asks for context first"),
                          PromptThatAsks);
}

}  // namespace toolpost::conformance
