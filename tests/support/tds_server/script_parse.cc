// The JSON of a script. Unknown members are refused: a misspelt one would silently do nothing.
#include <initializer_list>

#include "base/json_parse.h"
#include "base/strings.h"
#include "tds_server/script.h"

namespace toolpost::tds_server {
namespace {

// The members of an object, each asked for once by its name and kind.
class Members {
 public:
  Members(const Json& json, std::string where) : where_(std::move(where)) {
    object_ = json.if_object();
    if (object_ == nullptr) problem_ = base::StrCat(where_, " is no object");
  }

  const Json* Get(std::string_view name) {
    if (object_ == nullptr) return nullptr;
    const Json* value = object_->if_contains(name);
    if (value != nullptr) ++used_;
    return value;
  }
  std::string Text(std::string_view name, std::string fallback = {}) {
    const Json* value = Get(name);
    if (value == nullptr) return fallback;
    if (!value->is_string()) return Wrong(name, "text"), fallback;
    return std::string(std::string_view(value->get_string()));
  }
  std::int64_t Integer(std::string_view name, std::int64_t fallback) {
    const Json* value = Get(name);
    if (value == nullptr) return fallback;
    if (!value->is_int64()) return Wrong(name, "an integer"), fallback;
    return value->get_int64();
  }
  bool Flag(std::string_view name, bool fallback = false) {
    const Json* value = Get(name);
    if (value == nullptr) return fallback;
    if (!value->is_bool()) return Wrong(name, "true or false"), fallback;
    return value->get_bool();
  }
  JsonArray Array(std::string_view name) {
    const Json* value = Get(name);
    if (value == nullptr) return {};
    if (!value->is_array()) return Wrong(name, "an array"), JsonArray();
    return value->get_array();
  }
  void Wrong(std::string_view name, std::string_view wanted) {
    if (problem_.empty()) problem_ = base::StrCat(where_, ": `", name, "` must be ", wanted);
  }
  Result<void> Done() const {
    if (!problem_.empty()) return Error::InvalidParams(problem_);
    if (used_ < object_->size()) {
      return Error::InvalidParams(base::StrCat(where_, " has a member that is not known"));
    }
    return {};
  }
  const std::string& where() const { return where_; }

 private:
  const JsonObject* object_ = nullptr;
  std::size_t used_ = 0;
  std::string where_;
  std::string problem_;
};

std::string At(std::string_view where, std::string_view name, std::size_t index) {
  return base::StrCat(where, ".", name, "[", index, "]");
}

Result<Column> ParseColumn(const Json& json, std::string where) {
  Members in(json, std::move(where));
  Column column{.name = in.Text("name"),
                .nullable = in.Flag("nullable", true),
                .identity = in.Flag("identity"),
                .computed = in.Flag("computed")};
  const std::string type = in.Text("type", "nvarchar(4000)");
  RETURN_IF_ERROR(in.Done());
  ASSIGN_OR_RETURN(column.type, ParseType(type));
  return column;
}

Result<Step> ParseSet(Members& in) {
  SetStep set;
  const JsonArray columns = in.Array("columns");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ASSIGN_OR_RETURN(Column column, ParseColumn(columns[i], At(in.where(), "columns", i)));
    set.columns.push_back(std::move(column));
  }
  set.bitmap = in.Flag("bitmap");
  return Step(std::move(set));
}

Result<JsonArray> ParseRows(const JsonArray& rows, const std::string& where) {
  for (const Json& row : rows) {
    if (!row.is_array()) return Error::InvalidParams(where + ": each of `rows` must be an array");
  }
  return rows;
}

Result<Step> ParseMessage(const Json& json, bool error, std::string where) {
  Members in(json, std::move(where));
  MessageStep step;
  step.message.number = static_cast<std::int32_t>(in.Integer("number", error ? 50'000 : 0));
  step.message.severity = static_cast<std::uint8_t>(in.Integer("class", error ? 16 : 0));
  step.message.state = static_cast<std::uint8_t>(in.Integer("state", 1));
  step.message.text = in.Text("message");
  step.message.procedure = in.Text("procedure");
  step.message.line = static_cast<std::uint32_t>(in.Integer("line", 1));
  step.goes_on = in.Flag("goesOn");
  RETURN_IF_ERROR(in.Done());
  return Step(std::move(step));
}

Result<Step> ParseOutput(const Json& json, std::string where) {
  Members in(json, std::move(where));
  OutputStep step{.name = in.Text("name")};
  const std::string type = in.Text("type", "int");
  if (const Json* value = in.Get("value")) step.value = *value;
  RETURN_IF_ERROR(in.Done());
  ASSIGN_OR_RETURN(step.type, ParseType(type));
  return Step(std::move(step));
}

Result<Step> ParseCut(const Json& json, const std::string& where) {
  if (json.is_array()) return Step(CutStep{.row = json.get_array()});
  if (json.is_bool() && json.get_bool()) return Step(CutStep{});
  return Error::InvalidParams(where + ": `cut` must be true or a row");
}

Result<Step> ParseStep(const Json& json, const std::string& where) {
  Members in(json, where);
  Result<Step> step = Error::InvalidParams(where + " is no known step");
  if (in.Get("columns") != nullptr) {
    Members set(json, where);
    step = ParseSet(set);
    if (step) RETURN_IF_ERROR(set.Done());
    return step;
  }
  if (in.Get("rows") != nullptr) {
    Members rows(json, where);
    RowsStep added{.repeat = rows.Integer("repeat", 1)};
    ASSIGN_OR_RETURN(added.rows, ParseRows(rows.Array("rows"), where));
    RETURN_IF_ERROR(rows.Done());
    return Step(std::move(added));
  }
  if (const Json* info = in.Get("info")) {
    step = ParseMessage(*info, false, where + ".info");
  } else if (const Json* error = in.Get("error")) {
    step = ParseMessage(*error, true, where + ".error");
  } else if (const Json* output = in.Get("output")) {
    step = ParseOutput(*output, where + ".output");
  } else if (const Json* cut = in.Get("cut")) {
    step = ParseCut(*cut, where);
  } else if (const std::int64_t count = in.Integer("count", -1); count >= 0) {
    step = Step(CountStep{count});
  } else if (const std::int64_t delay = in.Integer("delayMs", -1); delay >= 0) {
    step = Step(DelayStep{std::chrono::milliseconds(delay)});
  } else if (const Json* status = in.Get("status"); status != nullptr && status->is_int64()) {
    step = Step(StatusStep{static_cast<std::int32_t>(status->get_int64())});
  }
  if (step) RETURN_IF_ERROR(in.Done());
  return step;
}

// A reply is an array of steps; `columns` and `rows` in one object are two of them.
Result<std::vector<Step>> ParseSteps(const Json& json, const std::string& where) {
  if (!json.is_array()) return Error::InvalidParams(where + " must be an array of steps");
  std::vector<Step> steps;
  const JsonArray& array = json.get_array();
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string at = base::StrCat(where, "[", i, "]");
    const JsonObject* object = array[i].if_object();
    if (object != nullptr && object->contains("columns") && object->contains("rows")) {
      JsonObject set = *object, rows;
      for (const char* name : {"rows", "repeat"}) {
        if (!set.contains(name)) continue;
        rows[name] = set[name];
        set.erase(name);
      }
      ASSIGN_OR_RETURN(Step begun, ParseStep(set, at));
      ASSIGN_OR_RETURN(Step added, ParseStep(rows, at));
      steps.push_back(std::move(begun));
      steps.push_back(std::move(added));
      continue;
    }
    ASSIGN_OR_RETURN(Step step, ParseStep(array[i], at));
    steps.push_back(std::move(step));
  }
  return steps;
}

// Keeps nothing.
class Nowhere final : public ByteWriter {
  void Bytes(std::string_view) override {}
};

// Values that do not fit their column are found before a client waits for them.
Result<std::vector<Step>> ParseCheckedSteps(const Json& json, const std::string& where) {
  ASSIGN_OR_RETURN(std::vector<Step> steps, ParseSteps(json, where));
  const SetStep* set = nullptr;
  for (const Step& step : steps) {
    if (const auto* begun = std::get_if<SetStep>(&step)) set = begun;
    const auto* rows = std::get_if<RowsStep>(&step);
    if (rows == nullptr) continue;
    if (set == nullptr) return Error::InvalidParams(where + " has rows before any columns");
    for (const Json& row : rows->rows) {
      Nowhere nowhere;
      Result<void> written = WriteRow(nowhere, set->columns, row.get_array(), set->bitmap);
      if (!written) return Error::InvalidParams(where + ": " + written.error().message);
    }
  }
  return steps;
}

Result<Rule> ParseRule(const Json& json, const std::string& where) {
  Members in(json, where);
  Rule rule{.tag = in.Text("tag"),
            .prefix = in.Text("prefix"),
            .procedure = in.Text("procedure"),
            .times = in.Integer("times", -1)};
  if (in.Get("text") != nullptr) {
    Members again(json, where);
    rule.text = again.Text("text");
  }
  if (const Json* parameters = in.Get("parameters")) {
    if (!parameters->is_object())
      return Error::InvalidParams(where + ": `parameters` is no object");
    for (const auto& [name, value] : parameters->get_object()) {
      rule.parameters.emplace_back(std::string(name), value);
    }
  }
  if (const Json* steps = in.Get("steps")) {
    ASSIGN_OR_RETURN(rule.steps, ParseCheckedSteps(*steps, where + ".steps"));
  }
  RETURN_IF_ERROR(in.Done());
  return rule;
}

Result<Fault> ParseFault(const std::string& name) {
  if (name.empty()) return Fault::kNone;
  if (name == "silent") return Fault::kSilent;
  if (name == "cut") return Fault::kCut;
  return Error::InvalidParams("`" + name + "` is no fault: silent or cut");
}

Result<void> ParseFaults(const Json& json, Script& script) {
  Members in(json, "faults");
  ASSIGN_OR_RETURN(script.prelogin, ParseFault(in.Text("prelogin")));
  ASSIGN_OR_RETURN(script.login, ParseFault(in.Text("login")));
  script.login_delay = std::chrono::milliseconds(in.Integer("loginDelayMs", 0));
  script.ignore_attention = in.Flag("ignoreAttention");
  return in.Done();
}

Result<void> ParseLogin(const Json& json, Script& script) {
  Members in(json, "login");
  script.user = in.Text("user");
  script.password = in.Text("password");
  for (const Json& name : in.Array("databases")) {
    if (!name.is_string()) return Error::InvalidParams("login.databases must be texts");
    script.databases.emplace_back(std::string_view(name.get_string()));
  }
  if (const Json* error = in.Get("error")) {
    ASSIGN_OR_RETURN(const Step refusal, ParseMessage(*error, true, "login.error"));
    script.refusal = std::get<MessageStep>(refusal).message;
  }
  return in.Done();
}

Result<void> ParseTls(const Json& json, Script& script) {
  Members in(json, "tls");
  script.certificate = in.Text("certificate");
  script.key = in.Text("key");
  script.encryption_required = in.Flag("required");
  return in.Done();
}

Result<void> ParseAfter(const Json& json, Script& script) {
  if (!json.is_object()) return Error::InvalidParams("after is no object");
  for (const auto& [tag, steps] : json.get_object()) {
    ASSIGN_OR_RETURN(std::vector<Step> parsed,
                     ParseCheckedSteps(steps, base::StrCat("after.", std::string_view(tag))));
    script.after.emplace_back(std::string(tag), std::move(parsed));
  }
  return {};
}

}  // namespace

Result<Script> ParseScript(std::string_view json) {
  ASSIGN_OR_RETURN(const Json document, base::ParseJson(json));
  Members in(document, "The script");
  Script script{.server_name = in.Text("server", "TESTSQL")};
  if (const Json* login = in.Get("login")) RETURN_IF_ERROR(ParseLogin(*login, script));
  if (const Json* tls = in.Get("tls")) RETURN_IF_ERROR(ParseTls(*tls, script));
  if (const Json* faults = in.Get("faults")) RETURN_IF_ERROR(ParseFaults(*faults, script));
  if (const Json* after = in.Get("after")) RETURN_IF_ERROR(ParseAfter(*after, script));
  if (const Json* otherwise = in.Get("otherwise")) {
    ASSIGN_OR_RETURN(script.otherwise, ParseCheckedSteps(*otherwise, "otherwise"));
  }
  const JsonArray rules = in.Array("rules");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    ASSIGN_OR_RETURN(Rule rule, ParseRule(rules[i], base::StrCat("rules[", i, "]")));
    script.rules.push_back(std::move(rule));
  }
  RETURN_IF_ERROR(in.Done());
  return script;
}

}  // namespace toolpost::tds_server
