#include "store/sealed_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crypto.h"

namespace toolpost::store {
namespace {

using ::testing::HasSubstr;

MasterKey NewKey() {
  return DeriveMasterKey({base::ToBase64(base::RandomBytes(32)), "MSSQL_MCP_KEY"}, "");
}

TEST(SealedRecord, SecretsComeBack) {
  const MasterKey key = NewKey();
  for (const std::string& secret :
       {std::string(), std::string("Server=db;Password=x"), std::string(70'000, '\0')}) {
    const std::string record = SealSecret(key, "connection", "main", secret);
    EXPECT_EQ(*OpenSecret(key, "connection", "main", record), secret);
    EXPECT_EQ(record.find("Password"), std::string::npos);
  }
}

TEST(SealedRecord, HasTheDocumentedForm) {
  const MasterKey key = NewKey();
  const std::string record = SealSecret(key, "connection", "main", "12345");
  EXPECT_EQ(record.size(), 2U + 8 + 12 + 5 + 16);
  EXPECT_EQ(record.substr(0, 2), "v1");
  EXPECT_EQ(base::ToHex(record.substr(2, 8)), key.id);
  const auto decoded = SealedRecord::Decode(record);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->Encode(), record);
}

TEST(SealedRecord, TheSameSecretIsNeverSealedTheSameWay) {
  const MasterKey key = NewKey();
  EXPECT_NE(SealSecret(key, "k", "n", "secret"), SealSecret(key, "k", "n", "secret"));
}

TEST(SealedRecord, DB_1_4_7_EveryFlippedBitIsRefused) {
  const MasterKey key = NewKey();
  const std::string record = SealSecret(key, "connection", "main", "secret");
  for (std::size_t bit = 0; bit < record.size() * 8; ++bit) {
    std::string changed = record;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(OpenSecret(key, "connection", "main", changed)) << bit;
  }
}

TEST(SealedRecord, EveryOtherLengthIsRefused) {
  const MasterKey key = NewKey();
  const std::string record = SealSecret(key, "connection", "main", "secret");
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_FALSE(OpenSecret(key, "connection", "main", record.substr(0, size))) << size;
  }
  EXPECT_FALSE(OpenSecret(key, "connection", "main", record + "x"));
}

TEST(SealedRecord, ARecordOpensOnlyInItsPlace) {
  const MasterKey key = NewKey();
  const std::string record = SealSecret(key, "connection", "main", "secret");
  EXPECT_FALSE(OpenSecret(key, "connection", "other", record));
  EXPECT_FALSE(OpenSecret(key, "token", "main", record));
  EXPECT_FALSE(OpenSecret(key, "connectionm", "ain", record));
  EXPECT_FALSE(OpenSecret(key, "connection", "", record));
}

TEST(SealedRecord, AnotherKeyIsNamed) {
  const MasterKey key = NewKey();
  const MasterKey other = NewKey();
  const auto opened = OpenSecret(other, "k", "n", SealSecret(key, "k", "n", "secret"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kConflict);
  EXPECT_THAT(opened.error().message, HasSubstr(key.id));
  EXPECT_THAT(opened.error().message, HasSubstr(other.id));
}

}  // namespace
}  // namespace toolpost::store
