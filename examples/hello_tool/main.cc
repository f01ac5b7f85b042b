// A server with one tool of its own, on standard input and output.
#include <cstdio>
#include <string>
#include <tuple>

#include "toolpost/server.h"

namespace {

struct Args {
  std::string name;
  bool loud = false;
  static constexpr auto Fields() {
    return std::tuple{
        toolpost::Req("name", &Args::name, "Whom to greet.").MinLength(1).MaxLength(80),
        toolpost::Opt("loud", &Args::loud, "Greet with an exclamation mark.")};
  }
};

struct Greeting {
  std::string text;
  static constexpr auto Fields() {
    return std::tuple{toolpost::Req("text", &Greeting::text, "The greeting.")};
  }
};

toolpost::Result<Greeting> Hello(const Args& args, toolpost::CallContext&) {
  return Greeting{"Hello, " + args.name + (args.loud ? "!" : ".")};
}

}  // namespace

int main() {
  toolpost::Server server({.name = "hello"});
  auto added = server.AddTool(toolpost::MakeTool({.name = "greeting/hello",
                                                  .title = "Say hello",
                                                  .description = "Greets somebody by name.",
                                                  .hints = {.read_only = true}},
                                                 Hello));
  if (added) added = server.ServeStdio();
  if (!added) std::fprintf(stderr, "hello_tool: %s\n", added.error().message.c_str());
  return added ? 0 : 1;
}
