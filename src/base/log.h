// Structured log lines to standard error: asynchronous, batched, never blocking a call.
//
// A line is formatted by the caller into a shared buffer under a short lock; a background thread
// (started with the first line) writes the buffer every 50 ms, at 64 KiB, or at once for errors.
// When the reader of stderr is stuck the buffer stops at 4 MiB and lines are dropped and counted.
// Secrets are redacted by field name (key, token, password, secret, authorization,
// connectionString) and in URL user info.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace toolpost::base {

enum class Severity { kDebug, kInfo, kWarning, kError, kOff };
enum class LogFormat { kAuto, kText, kJson };  // kAuto: text on a terminal, else JSON lines

struct LogField {
  std::string_view name;
  // A duration is written in milliseconds.
  std::variant<std::string_view, std::int64_t, double, bool, std::chrono::nanoseconds> value;
};

void ConfigureLog(Severity minimum, LogFormat format);
bool LogEnabled(Severity severity);
// `Log(Severity::kInfo, "listening", {{"port", std::int64_t{3001}}})`
void Log(Severity severity, std::string_view message, std::initializer_list<LogField> fields = {});
// Writes what is buffered now; gives up after a second without progress when nobody reads standard
// error. Called at exit.
void FlushLog();
// Tests only: writes to `fd` instead of standard error. Does not take ownership.
void SetLogDescriptorForTest(int fd);

}  // namespace toolpost::base
