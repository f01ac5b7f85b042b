#include "auth/credentials.h"

#include <gtest/gtest.h>

#include <vector>

namespace toolpost::auth {
namespace {

using Values = std::vector<std::string_view>;

TEST(Credentials, BearerTokens) {
  EXPECT_EQ(ReadCredentials({}, {}).kind, Presented::Kind::kNone);
  for (const char* value : {"Bearer abc", "bearer abc", "BEARER abc", "bEaReR   abc",
                            " Bearer abc ", "\tBearer abc\t"}) {
    const Presented presented = ReadCredentials(Values{value}, {});
    EXPECT_EQ(presented.kind, Presented::Kind::kToken) << value;
    EXPECT_EQ(presented.token, "abc") << value;
  }
  for (const char* token : {"a.b.c", "a-b_c~d+e/f", "YWJj==", "mcp_0123456789AB_x"}) {
    EXPECT_EQ(ReadCredentials(Values{std::string("Bearer ").append(token)}, {}).kind,
              Presented::Kind::kToken)
        << token;
  }
}

TEST(Credentials, MalformedAuthorization) {
  for (const std::string& value : {std::string(),
                                   std::string(" "),
                                   std::string("Bearer"),
                                   std::string("Bearer "),
                                   std::string("Bearer\tabc"),
                                   std::string("Bearerabc"),
                                   std::string("Bearer abc def"),
                                   std::string("Bearer abc,def"),
                                   std::string("Bearer abc, Bearer def"),
                                   std::string("Bearer \"abc\""),
                                   std::string("Bearer token=abc"),
                                   std::string("Bearer ab=c"),
                                   std::string("Bearer ="),
                                   std::string("Bearer \xC3\xA4"),
                                   std::string("Bearer a\x01"),
                                   std::string("Bearer a\0b", 10),
                                   std::string("Basic dXNlcjpwYXNz"),
                                   std::string("Digest x"),
                                   std::string("abc"),
                                   std::string("DPoP abc"),
                                   "Bearer " + std::string(30'000, 'a')}) {
    const Presented presented = ReadCredentials(Values{value}, {});
    EXPECT_EQ(presented.kind, Presented::Kind::kMalformed) << value.substr(0, 40);
    EXPECT_FALSE(presented.reason.empty());
    EXPECT_TRUE(presented.token.empty());
    EXPECT_EQ(presented.reason.find("abc"), std::string::npos) << "the value is not repeated";
  }
}

TEST(Credentials, TheLargestJwtFits) {
  const std::string value = "Bearer " + std::string(3 * 8 * 1024 + 2, 'a');
  EXPECT_EQ(ReadCredentials(Values{value}, {}).kind, Presented::Kind::kToken);
}

TEST(Credentials, ApiKeyHeader) {
  for (const char* value : {"abc", " abc ", "p@ss!word\"'", "mcp_0123456789AB_x", "a=b"}) {
    EXPECT_EQ(ReadCredentials({}, Values{value}).kind, Presented::Kind::kToken) << value;
  }
  EXPECT_EQ(ReadCredentials({}, Values{" abc "}).token, "abc");
  for (const std::string& value :
       {std::string(), std::string(" "), std::string("a b"), std::string("a\tb"),
        std::string("a\nb"), std::string("\xC3\xA4"), std::string("\x7F"),
        std::string(30'000, 'a')}) {
    EXPECT_EQ(ReadCredentials({}, Values{value}).kind, Presented::Kind::kMalformed)
        << value.substr(0, 40);
  }
}

TEST(Credentials, BothHeadersMustAgreeAndComeOnce) {
  EXPECT_EQ(ReadCredentials(Values{"Bearer abc"}, Values{"abc"}).token, "abc");
  EXPECT_EQ(ReadCredentials(Values{"Bearer abc"}, Values{"abd"}).kind, Presented::Kind::kMalformed);
  EXPECT_EQ(ReadCredentials(Values{"Bearer abc"}, Values{"abcd"}).kind,
            Presented::Kind::kMalformed);
  EXPECT_EQ(ReadCredentials(Values{"Basic abc"}, Values{"abc"}).kind, Presented::Kind::kMalformed);
  EXPECT_EQ(ReadCredentials(Values{"Bearer abc"}, Values{""}).kind, Presented::Kind::kMalformed);
  EXPECT_EQ(ReadCredentials(Values{"Bearer abc", "Bearer abc"}, {}).kind,
            Presented::Kind::kMalformed);
  EXPECT_EQ(ReadCredentials({}, Values{"abc", "abc"}).kind, Presented::Kind::kMalformed);
}

}  // namespace
}  // namespace toolpost::auth
