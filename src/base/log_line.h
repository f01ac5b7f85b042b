// One log event as one line of text, free of secrets and of characters that could forge another
// line. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/log.h"

namespace toolpost::base {

// {"time":"…","level":"info","msg":"…","port":3001} and a newline. `time` is ISO 8601.
void AppendJsonLine(std::string& out, std::string_view time, Severity severity,
                    std::string_view message, std::span<const LogField> fields);
// `12:34:56.789 INFO  message port=3001` and a newline; control characters are escaped.
void AppendTextLine(std::string& out, std::string_view time, Severity severity,
                    std::string_view message, std::span<const LogField> fields);
// True for names that end in key, token, password, secret, authorization or connectionString in any
// spelling (`api_key`, `X-Api-Key`, `accessToken`).
bool IsSecretName(std::string_view name);

}  // namespace toolpost::base
