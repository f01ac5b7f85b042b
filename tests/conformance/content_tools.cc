// Fixture tools that only give something back.
#include <chrono>

#include "fixtures.h"

namespace toolpost::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
constexpr std::string_view kWav =
    "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

JsonObject ImageBlock() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }

JsonObject ResourceBlock(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return {{"type", "resource"},
          {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

Output Content(JsonArray blocks) {
  Output output;
  output.content = std::move(blocks);
  return output;
}

Result<Output> SimpleText(const JsonObject&, CallContext&) {
  return Output::Text("This is a simple text response for testing.");
}

Result<Output> Image(const JsonObject&, CallContext&) { return Content({ImageBlock()}); }

Result<Output> Audio(const JsonObject&, CallContext&) {
  return Content({JsonObject{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
}

Result<Output> EmbeddedResource(const JsonObject&, CallContext&) {
  return Content({ResourceBlock("test://embedded-resource", "text/plain",
                                "This is an embedded resource content.")});
}

Result<Output> MultipleContentTypes(const JsonObject&, CallContext&) {
  return Content({JsonObject{{"type", "text"}, {"text", "Multiple content types test:"}},
                  ImageBlock(),
                  ResourceBlock("test://mixed-content-resource", "application/json",
                                R"({"test":"data","value":123})")});
}

Result<Output> ErrorHandling(const JsonObject&, CallContext&) {
  Output output = Output::Text("This tool intentionally returns an error for testing");
  output.is_error = true;
  return output;
}

Result<Output> WithProgress(const JsonObject&, CallContext& context) {
  for (const int done : {0, 50, 100}) {
    context.Progress(done, 100, "Completed step " + std::to_string(done) + " of 100");
    if (!Pause(context, 50ms)) return Error::Cancelled();
  }
  return Output::Text("Progress reported");
}

Result<Output> WithLogging(const JsonObject&, CallContext& context) {
  for (const char* line :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    context.Log(LogLevel::kInfo, line, "conformance");
    if (!Pause(context, 50ms)) return Error::Cancelled();
  }
  return Output::Text("Tool with logging executed successfully");
}

Result<Output> Logging(const JsonObject&, CallContext& context) {
  context.Log(LogLevel::kDebug, "debug line", "conformance");
  context.Log(LogLevel::kError, "error line", "conformance");
  return Output::Text("Logged at debug and at error level");
}

Result<Output> Reconnection(const JsonObject&, CallContext& context) {
  context.ReleaseStream();
  if (!Pause(context, 100ms)) return Error::Cancelled();
  return Output::Text("Reconnection test completed");
}

Result<Output> WaitForCancel(const JsonObject&, CallContext& context) {
  context.Progress(1, {}, "waiting");
  Pause(context, 60s);
  return context.Cancelled() ? Result<Output>(Error::Cancelled())
                             : Output::Text("Nobody cancelled this call");
}

Result<Output> EchoArguments(const JsonObject& arguments, CallContext&) {
  return Output::Structured(JsonObject{{"arguments", arguments}});
}

constexpr std::string_view kSchema2020 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"}, "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr std::string_view kHeaderSchema = R"({
  "type": "object",
  "properties": {
    "region": {"type": "string", "description": "Where to run", "x-mcp-header": "Region"},
    "priority": {"type": "integer", "description": "How urgent it is", "x-mcp-header": "Priority"}},
  "additionalProperties": false
})";

}  // namespace

Result<void> AddContentTools(Server& server) {
  // Lists are sorted by id, and this one has to come first.
  Tool first = MakeFixture("test_simple_text", "Returns one text block", SimpleText);
  first.info.name = "test/a_simple_text";
  RETURN_IF_ERROR(server.AddTool(std::move(first)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture("test_image_content", "Returns one image", Image)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture("test_audio_content", "Returns one sound", Audio)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_embedded_resource", "Returns an embedded resource", EmbeddedResource)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture(
      "test_multiple_content_types", "Returns text, image and resource", MultipleContentTypes)));
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_error_handling", "Always fails as a tool", ErrorHandling)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_tool_with_progress", "Reports progress three times", WithProgress)));
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_tool_with_logging", "Logs three times", WithLogging)));
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_logging_tool", "Logs if the request asks for it", Logging)));
  RETURN_IF_ERROR(server.AddTool(
      MakeFixture("test_reconnection", "Closes its stream before it is done", Reconnection)));
  RETURN_IF_ERROR(
      server.AddTool(MakeFixture("test_wait", "Runs until it is cancelled", WaitForCancel)));
  RETURN_IF_ERROR(server.AddTool(MakeFixture("json_schema_2020_12_tool",
                                             "Tool with JSON Schema 2020-12 features",
                                             Parse(kSchema2020), EchoArguments)));
  return server.AddTool(MakeFixture("test_header_argument", "Mirrors its arguments into headers",
                                    Parse(kHeaderSchema), EchoArguments));
}

}  // namespace toolpost::conformance
