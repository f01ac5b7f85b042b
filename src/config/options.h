// The one table of settings. File keys, variables, flags, checks, `config show` and
// docs/configuration.md all come from it: a setting is added by one member of Config and one row
// in options.cc or access_options.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace toolpost::config {

struct Config;

enum class Type { kString, kStrings, kInteger, kBoolean, kDuration, kSize, kChoice };

// Reaches the member of a Config that holds the option.
using Member = std::variant<std::string& (*)(Config&), std::vector<std::string>& (*)(Config&),
                            std::uint64_t& (*)(Config&), bool& (*)(Config&),
                            std::chrono::milliseconds& (*)(Config&)>;

struct Option {
  std::string_view key;  // "http.port"
  Type type = Type::kString;
  std::string_view default_value;  // as text, lists separated by commas
  Member member;
  std::string_view help;      // one line, no full stop
  std::uint64_t minimum = 0;  // integers as they are, durations in milliseconds, sizes in bytes
  std::uint64_t maximum = 0;
  std::vector<std::string_view> choices = {};
  bool live = false;    // a changed value takes effect without a restart
  bool secret = false;  // never shown, in no message, log or listing; always a string
  std::string_view environment_alias = {};  // a well-known name beside the generated one
  std::string_view flag_alias = {};         // a short name beside the generated one, without dashes
  std::string_view default_note =
      {};  // what the documentation says when default_value does not tell
  // Generated from the key.
  std::string environment = {};  // "TOOLPOST_HTTP_PORT"
  std::string flag = {};         // "http-port"

  std::string_view section() const { return key.substr(0, key.find('.')); }
};

// In the order of the documentation, the options of a section together. Lives as long as the
// process.
std::span<const Option> Options();
// Null when there is none.
const Option* FindByKey(std::string_view key);
const Option* FindByFlag(std::string_view flag);  // either name, without dashes

// What a value of the option looks like, for messages and documentation: "a whole number from 0 to
// 65535".
std::string Expected(const Option& option);

}  // namespace toolpost::config
