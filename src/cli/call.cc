// toolpost call: one tool call through the same gate as every client's.
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "cli/built_in_tools.h"
#include "cli/call_arguments.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/settings.h"
#include "cli/tool_tables.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

Error UnknownTool(Server& server, std::string_view name) {
  const std::vector<ListedTool> tools = ListedTools(server);
  const std::vector<std::string_view> ids = [&] {
    std::vector<std::string_view> all;
    for (const ListedTool& tool : tools) all.push_back(tool.id);
    return all;
  }();
  const std::string_view near = base::Nearest(name, ids);
  return Error::NotFound(base::StrCat("Unknown tool ", name, near.empty() ? "" : ", did you mean ",
                                      near, near.empty() ? "" : "?",
                                      "\nRun `toolpost tools` for all of them."));
}

Result<JsonObject> ArgumentsOf(const Json& input_schema, const Arguments& arguments) {
  const std::span<const std::string> pairs = std::span(arguments.words).subspan(1);
  if (!arguments.Has("json")) return ArgumentsFromWords(input_schema, pairs);
  if (!pairs.empty())
    return Error::InvalidParams("Give arguments either as key=value or with --json, not both");
  Result<Json> parsed = base::ParseJson(arguments.Get("json"));
  if (!parsed) return Error::InvalidParams("--json is not valid JSON: " + parsed.error().message);
  if (!parsed->is_object())
    return Error::InvalidParams("--json must be an object, such as '{\"name\": \"value\"}'");
  return std::move(parsed->as_object());
}

// The text blocks as text, everything else as the JSON a client would get.
void PrintContent(const Output& output) {
  bool said = false;
  for (const Json& block : output.content) {
    const JsonObject* object = block.if_object();
    const Json* text = object == nullptr ? nullptr : object->if_contains("text");
    const Json* type = object == nullptr ? nullptr : object->if_contains("type");
    const bool is_text = type != nullptr && type->is_string() && type->as_string() == "text" &&
                         text != nullptr && text->is_string();
    said = said || is_text;
    std::cout << (is_text ? std::string(text->as_string()) : base::ToJson(block)) << "\n";
  }
  // A link alone is not the result.
  std::string structured;
  output.AppendStructured(structured);
  if (!said) std::cout << structured << "\n";
}

void PrintWhole(const Output& output) {
  std::string result = R"({"content":)";
  base::AppendJson(result, output.content);
  if (output.has_structured()) {
    result.append(R"(,"structuredContent":)");
    output.AppendStructured(result);
  }
  if (output.is_error) result.append(R"(,"isError":true)");
  if (!output.meta.empty()) {
    result.append(R"(,"_meta":)");
    base::AppendJson(result, output.meta);
  }
  std::cout << result << "}\n";
}

}  // namespace

int RunCall(const Arguments& arguments) {
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  ApplyLog(*config, /*quiet=*/true);
  Result<std::unique_ptr<Identity>> identity = Identity::Make(*config);
  if (!identity) return Complain(identity.error(), kConfiguration);
  Server server(config::ToServerOptions(*config));
  if (Result<void> added = AddBuiltInTools(server, *config, **identity); !added)
    return ComplainOfStart(added.error());
  (*identity)->Observe(server);
  const std::string& name = arguments.words[0];
  const auto tool = server.impl().core.registry.Find(name);
  if (tool == nullptr) return Complain(UnknownTool(server, name), kUsage);
  Result<JsonObject> values = ArgumentsOf(*tool->tool.input_schema, arguments);
  if (!values) return Complain(values.error(), kUsage);

  Result<Output> called = server.Call(name, *std::move(values));
  Output output = called ? *called : Output::Text(called.error().message);
  if (!called) output.is_error = true;
  if (arguments.Has("json-output")) {
    PrintWhole(output);
  } else {
    PrintContent(output);
  }
  if (!called && called.error().code == Code::kUnavailable) return kNotReachable;
  return output.is_error ? kToolError : kOk;
}

}  // namespace toolpost::cli
