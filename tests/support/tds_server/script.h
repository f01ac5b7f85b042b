// What the server answers: a JSON file of rules, each with the steps of its reply. It understands
// no SQL; README.md describes the format.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tds_server/received.h"
#include "tds_server/token.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

struct SetStep {  // begins a result set
  std::vector<Column> columns;
  bool bitmap = false;
};
struct RowsStep {
  JsonArray rows;
  std::int64_t repeat = 1;
};
struct MessageStep {
  ServerMessage message;
  bool goes_on = false;  // an error that does not end the statement
};
struct CountStep {  // a statement without a result set
  std::int64_t rows = 0;
};
struct DelayStep {  // an attention ends it
  std::chrono::milliseconds time{0};
};
struct CutStep {  // the connection ends, perhaps in the middle of this row
  std::optional<JsonArray> row;
};
struct StatusStep {  // what a procedure returns
  std::int32_t status = 0;
};
struct OutputStep {  // an output parameter
  std::string name;
  Type type;
  Json value;
};
using Step = std::variant<SetStep, RowsStep, MessageStep, CountStep, DelayStep, CutStep, StatusStep,
                          OutputStep>;

struct Rule {
  // All that are given must fit.
  std::string tag;
  std::optional<std::string> text;
  std::string prefix;
  std::string procedure;
  std::vector<std::pair<std::string, Json>> parameters;  // by name, or by number from "1"
  std::int64_t times = -1;                               // how often it can be used; -1: always
  std::vector<Step> steps;
};

enum class Fault { kNone, kSilent, kCut };

struct Script {
  // Without a user, everybody may log in.
  std::string user;
  std::string password;
  std::vector<std::string> databases;    // empty: all; the first is the default
  std::optional<ServerMessage> refusal;  // of every login
  std::string server_name = "TESTSQL";
  Fault prelogin = Fault::kNone;
  Fault login = Fault::kNone;
  std::chrono::milliseconds login_delay{0};
  bool ignore_attention = false;
  // PEM files. Without them the server offers no encryption.
  std::string certificate;
  std::string key;
  bool encryption_required = false;

  std::vector<Rule> rules;
  // Steps after those of every rule for a tag, unless an error ended them.
  std::vector<std::pair<std::string, std::vector<Step>>> after;
  std::optional<std::vector<Step>> otherwise;
};

// Code::kInvalidArgument says what is wrong and where.
Result<Script> ParseScript(std::string_view json);

bool Fits(const Rule& rule, const Received& request);

}  // namespace toolpost::tds_server
