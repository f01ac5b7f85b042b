#include "telemetry/audit_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::telemetry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Body(const AuditRecord& record) {
  std::string body;
  AppendRecordBody(body, record, base::WallTime(std::chrono::seconds(1'785'242'096)));
  return body;
}

TEST(AuditLine, RecordsSayEverythingAndSkipWhatIsEmpty) {
  EXPECT_EQ(
      Body({.kind = "denied",
            .principal = "key:k1",
            .user = "ann",
            .key_id = "k1",
            .tool = "file/read",
            .connection = "main",
            .arguments = "0123",
            .outcome = "X",
            .duration = std::chrono::nanoseconds(1'234'560),
            .bytes = 7,
            .address = "::1",
            .request_id = "r",
            .session = "s"}),
      R"("time":"2026-07-28T12:34:56.000Z","kind":"denied","principal":"key:k1","user":"ann",)"
      R"("key_id":"k1","tool":"file/read","connection":"main","arguments":"0123",)"
      R"("outcome":"X","ms":1.234,"bytes":7,"address":"::1","request":"r","session":"s")");
  EXPECT_EQ(Body({.kind = "call"}),
            R"("time":"2026-07-28T12:34:56.000Z","kind":"call","ms":0.000,"bytes":0)");
}

TEST(AuditLine, MachinesThatWereReachedAreListed) {
  const std::vector<Contact> contacts = {
      {.host = "a.example", .port = 443, .address = "1.2.3.4", .outcome = "301", .received = 7},
      {.host = "evil\n\x7f.example", .port = 80, .outcome = "refused"}};
  EXPECT_THAT(Body({.kind = "call", .contacts = contacts}),
              HasSubstr(R"(,"contacts":[{"host":"a.example","port":443,"address":"1.2.3.4",)"
                        R"("outcome":"301","sent":0,"received":7},{"host":"evil\n\u007f.example",)"
                        R"("port":80,"outcome":"refused","sent":0,"received":0}])"));
  const std::vector<Contact> many(100, contacts[0]);
  const std::string body = Body({.kind = "call", .contacts = many});
  EXPECT_THAT(body, HasSubstr(R"(,"contacts_total":100)"));
  EXPECT_LT(body.size(), 10'000u);
  EXPECT_TRUE(base::ParseJson("{" + body + "}").has_value());
}

TEST(AuditLine, NoValueCanForgeALineOrSpeakToATerminal) {
  const std::string body =
      Body({.kind = "call", .tool = "a\n{\"seq\":1}\r\x1b[31m\x7f\xc2\x9b\xff\"\\\xc3\xa4"});
  for (const char c : body) {
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) << body;
  }
  EXPECT_THAT(body, HasSubstr(R"(a\n{\"seq\":1}\r\u001b[31m\u007f\u009b)"));
  EXPECT_THAT(body, HasSubstr("\xc3\xa4"));
  EXPECT_THAT(body, Not(HasSubstr("\xc2\x9b")));
  EXPECT_TRUE(base::ParseJson("{" + body + "}"));
}

TEST(AuditLine, LongValuesAreCut) {
  EXPECT_LT(Body({.tool = std::string(100'000, 'x')}).size(), 2'000U);
}

TEST(AuditLine, SealedLinesComeBack) {
  std::string line;
  const std::string mac = AppendSealed(line, "key", "context", R"({"seq":42,"a":"b")");
  const auto sealed = SealedLine::Split(line);
  ASSERT_TRUE(sealed);
  EXPECT_EQ(sealed->mac, mac);
  EXPECT_EQ(sealed->Sequence(), 42U);
  EXPECT_TRUE(sealed->Authentic("key", "context"));
  EXPECT_FALSE(sealed->Authentic("key", "other"));
  EXPECT_FALSE(sealed->Authentic("other", "context"));
  EXPECT_EQ(TextIn(*sealed->Parse(), "a"), "b");
  EXPECT_EQ(NumberIn(*sealed->Parse(), "seq"), 42U);
  EXPECT_EQ(NumberIn(*sealed->Parse(), "a"), 0U);
}

TEST(AuditLine, OtherFormsAreNoLines) {
  std::string line;
  AppendSealed(line, "key", "context", R"({"seq":42,"a":"b")");
  EXPECT_FALSE(SealedLine::Split(""));
  EXPECT_FALSE(SealedLine::Split("{}"));
  EXPECT_FALSE(SealedLine::Split(line + " "));
  EXPECT_FALSE(SealedLine::Split(line.substr(0, line.size() - 1)));
  EXPECT_FALSE(SealedLine::Split(line.substr(line.find(",\"mac\""))));
  const std::string indented = " " + line;
  const auto spaced = SealedLine::Split(indented);
  ASSERT_TRUE(spaced);
  EXPECT_FALSE(spaced->Authentic("key", "context"));
}

TEST(AuditLine, FixedLinesHaveTheirSize) {
  const std::string line = FixedLine("key", "state", R"({"records":3)");
  EXPECT_EQ(line.size(), kFixedLineBytes);
  const auto sealed = SealedLine::SplitFixed(line);
  ASSERT_TRUE(sealed);
  EXPECT_TRUE(sealed->Authentic("key", "state"));
  EXPECT_FALSE(SealedLine::SplitFixed(line.substr(1)));
  EXPECT_FALSE(SealedLine::SplitFixed(""));
}

}  // namespace
}  // namespace toolpost::telemetry
