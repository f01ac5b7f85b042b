// How rows of the option table are written down. Only for the files that hold rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/options.h"

namespace toolpost::config {
namespace rows {

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kGiB = kKiB * kKiB * kKiB;
inline constexpr std::uint64_t kSecond = 1000;
inline constexpr std::uint64_t kHour = 3600 * kSecond;
inline constexpr std::uint64_t kDay = 24 * kHour;

using Strings = std::vector<std::string>;
using Duration = std::chrono::milliseconds;

inline Option String(std::string_view key, std::string_view value, std::string& (*member)(Config&),
                     std::string_view help) {
  return {
      .key = key, .type = Type::kString, .default_value = value, .member = member, .help = help};
}
inline Option List(std::string_view key, std::string_view value, Strings& (*member)(Config&),
                   std::string_view help) {
  return {
      .key = key, .type = Type::kStrings, .default_value = value, .member = member, .help = help};
}
inline Option Choice(std::string_view key, std::string_view value,
                     std::vector<std::string_view> choices, std::string& (*member)(Config&),
                     std::string_view help) {
  return {.key = key,
          .type = Type::kChoice,
          .default_value = value,
          .member = member,
          .help = help,
          .choices = std::move(choices)};
}
inline Option Switch(std::string_view key, std::string_view value, bool& (*member)(Config&),
                     std::string_view help) {
  return {
      .key = key, .type = Type::kBoolean, .default_value = value, .member = member, .help = help};
}
inline Option Integer(std::string_view key, std::string_view value, std::uint64_t minimum,
                      std::uint64_t maximum, std::uint64_t& (*member)(Config&),
                      std::string_view help) {
  return {.key = key,
          .type = Type::kInteger,
          .default_value = value,
          .member = member,
          .help = help,
          .minimum = minimum,
          .maximum = maximum};
}
inline Option Size(std::string_view key, std::string_view value, std::uint64_t minimum,
                   std::uint64_t maximum, std::uint64_t& (*member)(Config&),
                   std::string_view help) {
  return {.key = key,
          .type = Type::kSize,
          .default_value = value,
          .member = member,
          .help = help,
          .minimum = minimum,
          .maximum = maximum};
}
inline Option Time(std::string_view key, std::string_view value, std::uint64_t minimum,
                   std::uint64_t maximum, Duration& (*member)(Config&), std::string_view help) {
  return {.key = key,
          .type = Type::kDuration,
          .default_value = value,
          .member = member,
          .help = help,
          .minimum = minimum,
          .maximum = maximum};
}

// Never shown; empty means not set.
inline Option Secret(std::string_view key, std::string& (*member)(Config&), std::string_view help) {
  return {.key = key,
          .type = Type::kString,
          .default_value = "",
          .member = member,
          .help = help,
          .secret = true,
          .default_note = "not set"};
}

inline Option Live(Option option) {
  option.live = true;
  return option;
}
inline Option Alias(Option option, std::string_view environment, std::string_view flag) {
  option.environment_alias = environment;
  option.flag_alias = flag;
  return option;
}
inline Option DefaultNote(Option option, std::string_view note) {
  option.default_note = note;
  return option;
}

}  // namespace rows

// Who may call, and what is kept of it: auth, appsettings, store, vault, audit (access_options.cc).
std::vector<Option> AccessTable();
// Where the file tools may work (files_options.cc).
std::vector<Option> FilesTable();
// What commands may run, and how much of them (shell_options.cc).
std::vector<Option> ShellTable();
// What is read of databases (database_options.cc).
std::vector<Option> DatabaseTable();
// SQL Server (mssql_options.cc).
std::vector<Option> MssqlTable();
// Metrics and traces (telemetry_options.cc).
std::vector<Option> TelemetryTable();
// The web tools (web_options.cc).
std::vector<Option> WebTable();

}  // namespace toolpost::config
