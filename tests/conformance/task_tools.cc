// Fixture tools for the Tasks extension.
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include "fixtures.h"

namespace toolpost::conformance {
namespace {

using namespace std::chrono_literals;

InputRequest Confirm(std::string_view key, std::string_view message) {
  return InputRequest::Elicit(
      std::string(key), message,
      Parse(R"({"type": "object", "properties": {"confirm": {"type": "boolean"}},
                                        "required": ["confirm"]})")
          .get_object());
}

InputRequest AskName(std::string_view key, std::string_view message) {
  return InputRequest::Elicit(
      std::string(key), message,
      Parse(R"({"type": "object", "properties": {"name": {"type": "string"}},
                                        "required": ["name"]})")
          .get_object());
}

Result<Output> Greet(const JsonObject& arguments, CallContext&) {
  return Output::Text("Hello, " + StringArgument(arguments, "name") + "!");
}

Result<Output> SlowCompute(const JsonObject& arguments, CallContext& context) {
  const Json& seconds = arguments.at("seconds");
  const std::chrono::duration<double> duration(seconds.to_number<double>());
  if (duration.count() > 0) RETURN_IF_ERROR(context.BecomeTask());
  if (!Pause(context, std::chrono::duration_cast<std::chrono::milliseconds>(duration))) {
    return Error::Cancelled();
  }
  return Output::Text("Computed " + StringArgument(arguments, "label"));
}

Result<Output> FailingJob(const JsonObject&, CallContext& context) {
  RETURN_IF_ERROR(context.BecomeTask());
  if (!Pause(context, 300ms)) return Error::Cancelled();
  Output output = Output::Text("The job failed");
  output.is_error = true;
  return output;
}

Result<Output> ProtocolErrorJob(const JsonObject&, CallContext& context) {
  RETURN_IF_ERROR(context.BecomeTask());
  return Error::Internal("The job could not be run");
}

Result<Output> ConfirmDelete(const JsonObject& arguments, CallContext& context) {
  RETURN_IF_ERROR(context.BecomeTask());
  const std::string filename = StringArgument(arguments, "filename");
  std::vector<InputRequest> questions;
  questions.push_back(Confirm("confirm", "Delete " + filename + "?"));
  RETURN_IF_ERROR(context.Ask(std::move(questions)));
  return Output::Text("Answered for " + filename);
}

Result<Output> MultiInput(const JsonObject&, CallContext& context) {
  RETURN_IF_ERROR(context.BecomeTask());
  std::vector<InputRequest> questions;
  questions.push_back(AskName("first", "First name?"));
  questions.push_back(AskName("second", "Second name?"));
  RETURN_IF_ERROR(context.Ask(std::move(questions)));
  return Output::Text("Both names arrived");
}

// The question comes before the task, as a round trip of the call itself.
Result<Output> NamedTask(const JsonObject&, CallContext& context) {
  std::vector<InputRequest> questions;
  questions.push_back(AskName("user_name", "What is your name?"));
  ASSIGN_OR_RETURN(InputResponses answers, context.Ask(std::move(questions)));
  RETURN_IF_ERROR(context.BecomeTask());
  const Json* content = answers.at("user_name").if_contains("content");
  if (content == nullptr || !content->is_object()) return Output::Text("No name was given");
  return Output::Text("Done for " + StringArgument(content->get_object(), "name"));
}

// Gates by name; each is opened once, for good. Tests know that a task waiting at one makes no
// step.
class Gates {
 public:
  void Open(const std::string& name) {
    const std::lock_guard lock(mutex_);
    open_.insert(name);
    changed_.notify_all();
  }
  // False when `stop` came first.
  bool Await(const std::string& name, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, std::move(stop), [&] { return open_.contains(name); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::string> open_;
};

Result<Output> GatedJob(Gates& gates, const JsonObject& arguments, CallContext& context) {
  RETURN_IF_ERROR(context.BecomeTask());
  if (!gates.Await(StringArgument(arguments, "gate"), context.stop_token())) {
    return Error::Cancelled();
  }
  if (arguments.contains("ask")) {
    std::vector<InputRequest> questions;
    questions.push_back(Confirm("pass", StringArgument(arguments, "ask")));
    RETURN_IF_ERROR(context.Ask(std::move(questions)));
  }
  return Output::Text("Passed the gate");
}

Result<void> AddGateTools(Server& server) {
  const auto gates = std::make_shared<Gates>();
  Tool job = MakeFixture("test_gated_job", "Waits at a gate, then asks if told to",
                         Parse(R"({"type": "object", "properties": {"gate": {"type": "string"},
                                   "ask": {"type": "string"}}, "required": ["gate"]})"),
                         [gates](const JsonObject& arguments, CallContext& context) {
                           return GatedJob(*gates, arguments, context);
                         });
  job.info.task = TaskSupport::kRequired;
  RETURN_IF_ERROR(server.AddTool(std::move(job)));
  return server.AddTool(
      MakeFixture("test_open_gate", "Opens a gate",
                  Parse(R"({"type": "object", "properties": {"gate": {"type": "string"}},
                            "required": ["gate"]})"),
                  [gates](const JsonObject& arguments, CallContext&) -> Result<Output> {
                    gates->Open(StringArgument(arguments, "gate"));
                    return Output::Text("Open");
                  }));
}

}  // namespace

Result<void> AddTaskTools(Server& server) {
  const auto add = [&server](Tool tool, TaskSupport support) {
    tool.info.task = support;
    return server.AddTool(std::move(tool));
  };
  RETURN_IF_ERROR(
      add(MakeFixture("greet", "Greets at once",
                      Parse(R"({"type": "object", "properties": {"name": {"type": "string"}},
                                            "required": ["name"]})"),
                      Greet),
          TaskSupport::kForbidden));
  RETURN_IF_ERROR(
      add(MakeFixture("slow_compute", "Takes the given time", Parse(R"({"type": "object",
                                            "properties": {"seconds": {"type": "number", "minimum": 0},
                                                           "label": {"type": "string"}},
                                            "required": ["seconds"]})"),
                      SlowCompute),
          TaskSupport::kOptional));
  RETURN_IF_ERROR(
      add(MakeFixture("failing_job", "Fails as a tool", FailingJob), TaskSupport::kRequired));
  RETURN_IF_ERROR(add(MakeFixture("protocol_error_job", "Fails as a request", ProtocolErrorJob),
                      TaskSupport::kOptional));
  RETURN_IF_ERROR(
      add(MakeFixture("confirm_delete", "Asks before it deletes", Parse(R"({"type": "object",
                                            "properties": {"filename": {"type": "string"}},
                                            "required": ["filename"]})"),
                      ConfirmDelete),
          TaskSupport::kOptional));
  RETURN_IF_ERROR(add(MakeFixture("multi_input", "Asks two things at once", MultiInput),
                      TaskSupport::kOptional));
  RETURN_IF_ERROR(AddGateTools(server));
  Tool named =
      MakeFixture("test_tool_with_task", "Asks for a name, then works as a task", NamedTask);
  return add(std::move(named), TaskSupport::kRequired);
}

}  // namespace toolpost::conformance
