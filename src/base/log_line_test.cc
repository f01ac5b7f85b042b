#include "base/log_line.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/json_parse.h"

namespace toolpost::base {
namespace {

constexpr std::string_view kTime = "2026-07-28T12:34:56.789Z";

std::string JsonLine(std::string_view message, std::vector<LogField> fields = {}) {
  std::string out;
  AppendJsonLine(out, kTime, Severity::kInfo, message, fields);
  return out;
}

std::string TextLine(std::string_view message, std::vector<LogField> fields = {}) {
  std::string out;
  AppendTextLine(out, kTime, Severity::kWarning, message, fields);
  return out;
}

TEST(LogLine, JsonHasTimeLevelMessageAndFields) {
  EXPECT_EQ(
      JsonLine("listening",
               {{"port", std::int64_t{3001}}, {"host", "::1"}, {"tls", false}, {"load", 0.5}}),
      R"({"time":"2026-07-28T12:34:56.789Z","level":"info","msg":"listening","port":3001,)"
      "\"host\":\"::1\",\"tls\":false,\"load\":0.5}\n");
}

TEST(LogLine, TextIsForPeople) {
  EXPECT_EQ(
      TextLine(
          "slow \"call\"",
          {{"tool", "file/read"}, {"ms", std::int64_t{12}}, {"why", "disk is busy"}, {"x", ""}}),
      "12:34:56.789 WARN  slow \"call\" tool=file/read ms=12 why=\"disk is busy\" x=\"\"\n");
  EXPECT_EQ(TextLine("m", {{"q", "a\"b\\c"}}), "12:34:56.789 WARN  m q=\"a\\\"b\\\\c\"\n");
}

TEST(LogLine, NothingCanForgeALineOrDriveTheTerminal) {
  const std::string evil =
      "a\nb\r\x1b[31m\x7f\xC2\x9B"
      "1m\t\xFF";
  const std::string text = TextLine(evil, {{evil, evil}});
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_EQ(text.find_first_of("\r\x1b\x7f\t"), std::string::npos);
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos);
  EXPECT_NE(text.find("a\\nb\\r\\x1b[31m\\x7f\\x9b1m\\t\xEF\xBF\xBD"), std::string::npos);
  const std::string json = JsonLine(evil, {{evil, evil}});
  EXPECT_EQ(json.find('\n'), json.size() - 1);
  EXPECT_TRUE(ParseJson(json));
}

TEST(LogLine, KnowsSecretNames) {
  for (const std::string_view name :
       {"key", "Token", "PASSWORD", "secret", "Authorization", "connectionString",
        "connection_string", "api_key", "X-Api-Key", "accessToken", "client.secret"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const std::string_view name :
       {"request_id", "tool", "", "tokens", "key_count", "path", "y", "ey"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

TEST(LogLine, RedactsSecretFields) {
  EXPECT_EQ(
      TextLine("m", {{"api_key", "hunter2"}, {"token", std::int64_t{42}}, {"has_token", true}}),
      "12:34:56.789 WARN  m api_key=[redacted] token=[redacted] has_token=true\n");
  EXPECT_NE(JsonLine("m", {{"password", "hunter2"}}).find(R"("password":"[redacted]")"),
            std::string::npos);
}

TEST(LogLine, RedactsUserInfoOfUrls) {
  EXPECT_EQ(
      TextLine("to postgres://bob:pw@db:5432/x and http://u@h", {{"url", "redis://:p@ss@host"}}),
      "12:34:56.789 WARN  to postgres://[redacted]@db:5432/x and http://[redacted]@h "
      "url=redis://[redacted]@host\n");
  EXPECT_EQ(TextLine("see https://host/a@b?c=d@e :// ://"),
            "12:34:56.789 WARN  see https://host/a@b?c=d@e :// ://\n");
}

}  // namespace
}  // namespace toolpost::base
