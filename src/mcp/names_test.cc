#include "mcp/names.h"

#include <gtest/gtest.h>

namespace toolpost::mcp {
namespace {

TEST(Names, PRD_FR_005_2_CanonicalIdIsCategorySlashName) {
  for (const char* good :
       {"file/read", "mssql/ExecuteQuery", "mssql/mssql-query", "a/b", "api-v2/get_1"}) {
    EXPECT_TRUE(CheckCanonicalId(good)) << good;
  }
  for (const char* bad :
       {"", "read", "/", "file/", "/read", "file/read/x", "File/read", "1file/read", "file/1read",
        "file/_x", "file/re ad", "fi_le/read", "file/r\xC3\xA9", "file/read\n", "-f/read"}) {
    const auto checked = CheckCanonicalId(bad);
    ASSERT_FALSE(checked) << bad;
    EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
  }
  EXPECT_FALSE(CheckCanonicalId("a/" + std::string(200, 'b')));
}

TEST(Names, WireNamesWorkWithEveryClient) {
  EXPECT_TRUE(CheckWireName("file_read"));
  EXPECT_TRUE(CheckWireName("A" + std::string(47, 'b')));
  EXPECT_FALSE(CheckWireName("A" + std::string(48, 'b')));
  for (const char* bad : {"", "_x", "9x", "a__b", "a.b", "a/b", "a b"})
    EXPECT_FALSE(CheckWireName(bad)) << bad;
}

TEST(Names, AliasesAreEither) {
  EXPECT_TRUE(CheckAlias("ListApiKeys"));
  EXPECT_TRUE(CheckAlias("keys/list"));
  EXPECT_FALSE(CheckAlias("keys/list/all"));
}

TEST(Names, Derived) {
  EXPECT_EQ(CategoryOf("file/read"), "file");
  EXPECT_EQ(DefaultWireName("file/read"), "file_read");
}

}  // namespace
}  // namespace toolpost::mcp
