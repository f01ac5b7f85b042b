// shell/execute: one command or pipeline, in a sandbox.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/path_text.h"
#include "sandbox/run_box.h"
#include "tools/shell/built_in.h"
#include "tools/shell/command_network.h"
#include "tools/shell/environment.h"
#include "tools/shell/expand_globs.h"
#include "tools/shell/output_text.h"
#include "tools/shell/parse_command.h"
#include "tools/shell/shell.h"

namespace toolpost::tools::shell {
namespace {

using base::StrCat;

struct Args {
  std::string command;
  std::optional<std::string> cwd;
  std::int64_t timeout = 0;
  std::optional<Variables> env;
  static constexpr auto Fields() {
    return std::tuple{
        Req("command", &Args::command, "Programs, joined by |."),
        Opt("cwd", &Args::cwd, "Folder to run in."),
        Opt("timeout", &Args::timeout, "Milliseconds.").Range(1, 600'000).Default(30'000),
        Opt("env", &Args::env, "Such as LANG, CI.")};
  }
};

struct ShellResult {
  std::string output;
  std::string error;
  std::int64_t exit_code = 0;
  std::optional<std::string> signal;
  bool timed_out = false;
  std::optional<bool> truncated;
  std::optional<std::int64_t> output_bytes;
  std::optional<std::int64_t> error_bytes;
  std::optional<std::vector<std::string>> refused_connections;
  double execution_ms = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("stdout", &ShellResult::output),
        Req("stderr", &ShellResult::error),
        Req("exitCode", &ShellResult::exit_code, "Of the last program; 128 + number for a signal."),
        Opt("signal", &ShellResult::signal, "That ended the last program."),
        Req("timedOut", &ShellResult::timed_out),
        Opt("truncated", &ShellResult::truncated, "The output limit ended the command."),
        Opt("stdoutBytes", &ShellResult::output_bytes, "Written until then."),
        Opt("stderrBytes", &ShellResult::error_bytes),
        Opt("refusedConnections", &ShellResult::refused_connections, "Hosts, and why."),
        Req("executionTime", &ShellResult::execution_ms, "Milliseconds.")};
  }
};

// Where the command runs; keeps the roots alive.
struct Workplace {
  std::shared_ptr<const sandbox::Roots> roots;
  sandbox::Location location;
  sandbox::Descriptor directory;
  std::string path;
};

Result<Workplace> FindWorkplace(const ShellServices& services, const Args& args,
                                CallContext& context) {
  Workplace place;
  ASSIGN_OR_RETURN(place.roots, services.roots(context));
  if (place.roots->all().empty()) return Error::Unavailable(place.roots->problem());
  ASSIGN_OR_RETURN(place.location,
                   place.roots->Locate(args.cwd.value_or("."), sandbox::Access::kRead));
  ASSIGN_OR_RETURN(sandbox::OpenFile opened,
                   sandbox::OpenDirectory(*place.roots, place.location, O_PATH));
  place.directory = std::move(opened.descriptor);
  place.path = sandbox::JoinPath(place.location.root->path, place.location.relative);
  return place;
}

using Stages = std::vector<std::vector<std::string>>;

// What a credential without `write` cannot do with the web tools, it cannot do here.
bool MayUseNetwork(const Principal& caller) {
  if (caller.credential == nullptr) return true;
  const Grants& grants = caller.credential->grants;
  return !grants.read_only && std::ranges::find(grants.scopes, "write") != grants.scopes.end();
}

bool GrantsNetwork(const ShellServices& services, const CallContext& context) {
  return services.network && services.spawner != nullptr && MayUseNetwork(context.principal()) &&
         services.confinement->Get().layers.namespaces;
}

Result<Stages> CheckedStages(const ShellServices& services, const Args& args,
                             const Workplace& place, const CallContext& context) {
  ASSIGN_OR_RETURN(const std::vector<ParsedStage> parsed, ParseCommand(args.command));
  const GlobFolder folder{place.directory.get(), place.location.root, place.location.relative};
  std::size_t scanned = 0;
  Policy policy = services.policy;
  policy.network = GrantsNetwork(services, context);
  Stages stages;
  for (const ParsedStage& stage : parsed) {
    ASSIGN_OR_RETURN(std::vector<std::string> arguments, ExpandGlobs(stage, folder, scanned));
    RETURN_IF_ERROR(CheckCommand(policy, arguments, stage.words.front().position));
    stages.push_back(std::move(arguments));
  }
  return stages;
}

Result<void> CheckConfinement(const ShellServices& services, const Stages& stages) {
  const sandbox::Confinement& have = services.confinement->Get();
  for (const auto& arguments : stages) {
    const CommandClass kind = ClassOf(arguments.front());
    if (kind == CommandClass::kBuiltIn) continue;
    const int needed = kind == CommandClass::kInterpreter ? services.min_confinement
                                                          : std::min(2, services.min_confinement);
    if (have.level >= needed) continue;
    return Error::Unavailable(StrCat(arguments.front(), " needs confinement level ", needed,
                                     "; this machine offers ", have.level, " (", have.description,
                                     "). The operator decides with shell.min_confinement."));
  }
  return {};
}

Result<std::string> FindProgram(const std::string& name) {
  for (const char* folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
    std::string path = folder + name;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return Error::NotFound(StrCat(name, " is allowed but not installed on this machine"));
}

Result<sandbox::BoxStage> MakeStage(std::vector<std::string> arguments, const Workplace& place) {
  sandbox::BoxStage stage;
  if (ClassOf(arguments.front()) == CommandClass::kBuiltIn) {
    stage.text = BuiltInOutput(arguments, place.path);
    return stage;
  }
  AddForcedOptions(arguments);
  ASSIGN_OR_RETURN(stage.program, FindProgram(arguments.front()));
  stage.arguments = std::move(arguments);
  return stage;
}

Result<sandbox::BoxCommand> MakeCommand(const ShellServices& services, const Args& args,
                                        Stages stages, const Workplace& place,
                                        const CallContext& context) {
  sandbox::BoxCommand command;
  command.network = GrantsNetwork(services, context) && std::ranges::any_of(stages, UsesNetwork);
  command.layers = services.confinement->Get().layers;
  for (std::vector<std::string>& arguments : stages) {
    ASSIGN_OR_RETURN(sandbox::BoxStage stage, MakeStage(std::move(arguments), place));
    command.stages.push_back(std::move(stage));
  }
  command.environment =
      MakeEnvironment(args.env.value_or(Variables()),
                      {.private_home = command.layers.namespaces, .proxy = command.network});
  command.directory = place.path;
  for (const sandbox::Root& root : place.roots->all()) {
    struct stat at {};
    if (fstat(root.directory.get(), &at) != 0) continue;
    command.folders.push_back({root.path, !root.read_only, at.st_dev, at.st_ino});
    for (const std::string& hidden : root.hidden)
      command.hidden.push_back(sandbox::JoinPath(root.path, hidden));
  }
  command.limits = services.limits;
  command.timeout = std::min(std::chrono::milliseconds(args.timeout), services.max_timeout);
  return command;
}

// A pipeline is answered by its last program.
void SetEnd(ShellResult& result, const sandbox::BoxResult& run) {
  // What was killed with the whole box had no time to be reported.
  const int status = run.statuses.back().value_or(SIGKILL);
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else {
    const char* name = sigabbrev_np(WTERMSIG(status));
    result.exit_code = 128 + WTERMSIG(status);
    result.signal = name == nullptr ? StrCat(WTERMSIG(status)) : StrCat("SIG", name);
  }
}

ShellResult ResultOf(sandbox::BoxResult run) {
  ShellResult result;
  SetEnd(result, run);
  result.output = OutputText(std::move(run.output));
  result.error = OutputText(std::move(run.error));
  result.timed_out = run.timed_out;
  if (run.truncated) {
    result.truncated = true;
    result.output_bytes = static_cast<std::int64_t>(run.output_bytes);
    result.error_bytes = static_cast<std::int64_t>(run.error_bytes);
  }
  result.execution_ms =
      std::round(std::chrono::duration<double, std::micro>(run.duration).count()) / 1000;
  return result;
}

Result<ShellResult> Execute(const ShellServices& services, const Args& args, CallContext& context) {
  RETURN_IF_ERROR(CheckVariables(args.env.value_or(Variables()), services.variables));
  ASSIGN_OR_RETURN(const Workplace place, FindWorkplace(services, args, context));
  ASSIGN_OR_RETURN(Stages stages, CheckedStages(services, args, place, context));
  if (stages.size() == 1 && ClassOf(stages[0].front()) == CommandClass::kBuiltIn) {
    ShellResult result;
    result.output = BuiltInOutput(stages[0], place.path);
    return result;
  }
  if (services.spawner == nullptr)
    return Error::Unavailable("This server was started without the process that runs commands");
  RETURN_IF_ERROR(CheckConfinement(services, stages));
  ASSIGN_OR_RETURN(const sandbox::BoxCommand command,
                   MakeCommand(services, args, std::move(stages), place, context));
  ASSIGN_OR_RETURN(const RunSlots::Slot slot,
                   services.slots->Acquire(context.principal().id, context.stop_token()));
  sandbox::RunOptions options;
  options.max_output = services.max_output;
  options.stop = context.stop_token();
  options.on_output = [&](std::string_view text, std::uint64_t bytes) {
    context.Progress(static_cast<double>(bytes), {}, OutputText(std::string(text)));
  };
  std::optional<CommandNetwork> network;
  if (command.network) network.emplace(*services.network);
  options.on_listening = [&](base::Descriptor listener) { network->Serve(std::move(listener)); };
  Result<sandbox::BoxResult> run = sandbox::RunInBox(*services.spawner, command, options);
  std::vector<std::string> refused;
  if (network) refused = network->Finish(context);
  if (!run) return std::move(run).error();
  ShellResult result = ResultOf(*std::move(run));
  if (!refused.empty()) result.refused_connections = std::move(refused);
  return result;
}

}  // namespace

Tool ExecuteTool(ShellServices services) {
  const bool open = services.network.has_value();
  return MakeTool<Args, ShellResult>(
      {.name = "shell/execute",
       .title = "Run a command",
       .description = StrCat("Runs an allowed program, or a pipeline of them, in a sandbox ",
                             open ? "with a proxy to allowed hosts" : "without network",
                             ". Quotes and wildcards work; variables, ; && and > do not."),
       .permissions = {"shell"},
       .hints = {.read_only = false, .destructive = true, .idempotent = false, .open_world = open}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Execute(services, args, context);
      });
}

}  // namespace toolpost::tools::shell
