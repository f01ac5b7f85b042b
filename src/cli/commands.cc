// The table of commands, and those too small for a file of their own.
#include "cli/commands.h"

#include <sys/stat.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/built_in_tools.h"
#include "cli/exit_code.h"
#include "cli/settings.h"
#include "config/config.h"
#include "toolpost/server.h"
#include "toolpost/version.h"

namespace toolpost::cli {
namespace {

// A client that starts us talks through a pipe or a socket pair; a person has a terminal, a service
// manager /dev/null.
bool StandardInputIsPiped() {
  struct stat status {};
  return fstat(0, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

// What serving would refuse of the tools; nothing connects.
Result<void> CheckTools(const config::Config& config) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Identity> identity, Identity::Make(config));
  Server server(config::ToServerOptions(config));
  return AddBuiltInTools(server, config, *identity);
}

}  // namespace

std::span<const Command> Commands() {
  static const std::vector<Command> kCommands = {
      {.name = "serve", .summary = "Serves MCP over HTTP.", .run = RunServe},
      {.name = "stdio",
       .summary =
           "Serves MCP over standard input and output, for clients that start their servers.",
       .run = RunStdio},
      {.name = "call",
       .words = "TOOL [key=value…]",
       .summary = "Calls a tool and prints its result.",
       .flags = {{"json", "OBJECT", "All arguments as one JSON object"},
                 {"json-output", "", "Print the whole result as JSON instead of its text"}},
       .min_words = 1,
       .max_words = 1000,
       .run = RunCall},
      {.name = "tools",
       .summary = "Lists the tools.",
       .flags = {{"toolset", "NAME", "Only the tools of this toolset"},
                 {"tokens", "", "Size of every definition in bytes and estimated tokens"},
                 {"markdown", "", "The text of docs/tools.md"},
                 {"types", "", "TypeScript types of the tRPC API"}},
       .run = RunTools},
      {.name = "keys",
       .words = "create NAME|list|revoke ID",
       .summary = "Makes, lists and revokes API keys.",
       .flags = {{"user", "USER", "The user a key acts for; for list: whose keys"},
                 {"type", "TYPE", "user (default), application, service or admin"},
                 {"scopes", "LIST", "Of read, write, shell; default read"},
                 {"expires", "TIME", "ISO 8601, such as 2030-01-31"},
                 {"allow-tools", "LIST", "Only these tools"},
                 {"allow-toolsets", "LIST", "Only these toolsets"},
                 {"allow-connections", "LIST", "Only these connections"},
                 {"allow-roots", "LIST", "Only these folders"},
                 {"read-only-key", "", "A key that changes nothing, whatever its scopes"}},
       .min_words = 1,
       .max_words = 2,
       .run = RunKeys},
      {.name = "audit",
       .words = "verify",
       .summary = "Checks that the audit log is whole.",
       .min_words = 1,
       .max_words = 1,
       .run = RunAudit},
      {.name = "database",
       .words = "setup-sql",
       .summary = "Prints the SQL that creates a PostgreSQL account which can only read.",
       .flags = {{"account", "NAME", "Default toolpost_reader"},
                 {"schemas", "LIST", "What it may read, default public"}},
       .takes_settings = false,
       .min_words = 1,
       .max_words = 1,
       .run = RunDatabase},
      {.name = "mssql",
       .words = "setup-sql",
       .summary = "Prints the SQL that creates a SQL Server login which can only read.",
       .flags = {{"database", "NAME", "What it may read"},
                 {"login", "NAME", "Default toolpost_reader"},
                 {"agent-jobs", "", "It may also read the jobs of the agent"},
                 {"contained", "", "A user without a login, as for Azure SQL Database"}},
       .takes_settings = false,
       .min_words = 1,
       .max_words = 1,
       .run = RunMssql},
      {.name = "config",
       .words = "show|check|docs",
       .summary = "Shows the effective settings and their origin, checks them, or prints "
                  "docs/configuration.md.",
       .min_words = 1,
       .max_words = 1,
       .run = RunConfig},
      {.name = "version",
       .summary = "Prints the version.",
       .takes_settings = false,
       .run = RunVersion},
  };
  return kCommands;
}

int Complain(const Error& error, int status) {
  std::cerr << "toolpost: " << error.message << std::endl;
  return status;
}

int ComplainOfStart(const Error& error) {
  return Complain(error, error.code == Code::kInvalidArgument ? kConfiguration : kFailure);
}

int RunDefault(const Arguments& arguments) {
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  const bool chosen = OriginOf(*config, "mcp.transport").layer != config::Layer::kDefault;
  const bool stdio = chosen ? config->mcp.transport == "stdio" : StandardInputIsPiped();
  return stdio ? RunStdio(arguments) : RunServe(arguments);
}

int RunConfig(const Arguments& arguments) {
  const std::string& action = arguments.words.front();
  if (action == "docs") {
    std::cout << config::RenderDocs();
    return kOk;
  }
  if (action != "show" && action != "check") {
    return Complain(
        Error::InvalidParams("config " + action +
                             " is unknown: use config show, config check or config docs"),
        kUsage);
  }
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  for (const std::string& warning : config->warnings) std::cerr << "toolpost: " << warning << "\n";
  if (Result<void> bind = config::CheckBind(*config); !bind)
    return Complain(bind.error(), kConfiguration);
  if (action == "show") {
    std::cout << config::RenderEffective(*config);
    return kOk;
  }
  if (Result<void> tools = CheckTools(*config); !tools)
    return Complain(tools.error(), kConfiguration);
  std::cout << "The configuration is valid (" << (config->file.empty() ? "no file" : config->file)
            << ").\n";
  return kOk;
}

int RunVersion(const Arguments&) {
  std::cout << "toolpost " TOOLPOST_VERSION "\n";
  return kOk;
}

}  // namespace toolpost::cli
