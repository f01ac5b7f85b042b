// Tests of the checks that look at meaning.
#include "config/check.h"

#include <gmock/gmock.h>

#include "config/testing.h"

namespace toolpost::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kStrong[] = "a6Xw0rQd93kfLmZt-71bVyNs4uEjHpGc2";

TEST(WeaknessOf, StrongSecretsHaveNone) {
  EXPECT_EQ(WeaknessOf(kStrong, 32), "");
  EXPECT_EQ(WeaknessOf("0f3a9c7be1d24586", 16), "");
  EXPECT_EQ(WeaknessOf("correct horse battery staple", 16), "");
}

TEST(WeaknessOf, ShortSecretsAreToldTheLengthNeeded) {
  EXPECT_EQ(WeaknessOf("x7Kq2", 16), "has 5 bytes; at least 16 are needed");
  EXPECT_EQ(WeaknessOf("a6Xw0rQd93kfLmZ", 16), "has 15 bytes; at least 16 are needed");
  EXPECT_EQ(WeaknessOf("a6Xw0rQd93kfLmZt", 16), "");
}

TEST(WeaknessOf, DEFECT_6_RepeatedCharactersAreNoSecret) {
  EXPECT_EQ(WeaknessOf("******", 16), "is one character repeated");
  EXPECT_EQ(WeaknessOf(std::string(64, 'a'), 16), "is one character repeated");
  EXPECT_EQ(WeaknessOf("abababababababababab", 16), "repeats a few characters");
}

TEST(WeaknessOf, PlaceholdersAreNoSecret) {
  for (const char* text :
       {"changeme", "ChangeMe-ChangeMe-1", "your-api-key-here", "YOUR_API_KEY_HERE_1234",
        "<your secret key here>", "replace-me-with-a-real-key", "placeholder-placeholder",
        "my-super-secret-key-0001", "Password123456789", "enter_your_key_please"}) {
    EXPECT_THAT(WeaknessOf(text, 16), HasSubstr("placeholder")) << text;
  }
  EXPECT_THAT(WeaknessOf("0123456789abcdef0123456789abcdef", 16), HasSubstr("sequence"));
}

class Meaning : public LoadTest {
 protected:
  std::string ErrorWith(std::vector<std::pair<std::string, std::string>> flags) {
    sources_.flags = std::move(flags);
    return LoadError();
  }
  Config With(std::vector<std::pair<std::string, std::string>> flags) {
    sources_.flags = std::move(flags);
    return Loaded();
  }
};

TEST_F(Meaning, WebSettingsMustBeUsable) {
  for (const char* proxy : {"proxy.example:3128", "https://proxy.example", "http://",
                            "http://user:pass@proxy.example", "socks5://proxy.example"}) {
    EXPECT_THAT(ErrorWith({{"web-proxy", proxy}}), HasSubstr("web.proxy must be")) << proxy;
  }
  EXPECT_EQ(With({{"web-proxy", "http://proxy.example:3128"}}).web.proxy,
            "http://proxy.example:3128");
  EXPECT_THAT(ErrorWith({{"web-user-agent", "a\r\nX: y"}}), HasSubstr("web.user_agent"));
  EXPECT_THAT(ErrorWith({{"web-ca-file", "~/ca.pem"}}), HasSubstr("web.ca_file"));
}

TEST_F(Meaning, D21_TheWebToolsHaveTheAgentOfTheRequirements) {
  EXPECT_EQ(With({}).web.user_agent, "GHL-Agency-AI-MCP/1.0");
  EXPECT_FALSE(With({}).web.allow_loopback);
  EXPECT_FALSE(With({}).web.allow_private);
}

TEST_F(Meaning, TlsNeedsBothFiles) {
  EXPECT_EQ(ErrorWith({{"http-tls", ""}}),
            "flag --http-tls: http.tls needs a certificate and its private key: set http.tls_cert "
            "and http.tls_key to PEM files");
  EXPECT_THAT(ErrorWith({{"http-tls", ""}, {"http-tls-cert", "c"}}),
              HasSubstr("set http.tls_key to"));
  EXPECT_THAT(ErrorWith({{"http-tls", ""}, {"http-tls-key", "k"}}),
              HasSubstr("set http.tls_cert to"));
  const HttpOptions http = ToHttpOptions(
      With({{"http-tls", ""}, {"http-tls-cert", "c.pem"}, {"http-tls-key", "k.pem"}}));
  EXPECT_EQ(http.tls_cert, "c.pem");
  EXPECT_EQ(http.tls_key, "k.pem");
}

TEST_F(Meaning, FilesWithoutTlsAreWarnedAbout) {
  const Config config = With({{"http-tls-cert", "c.pem"}, {"http-tls-key", "k.pem"}});
  EXPECT_THAT(config.warnings, ElementsAre(HasSubstr("connections are not encrypted")));
  EXPECT_EQ(ToHttpOptions(config).tls_cert, "");
}

TEST_F(Meaning, NamesNobodyMayUseAreWarnedAbout) {
  EXPECT_THAT(With({{"host", "0.0.0.0"}, {"auth-required", "true"}}).warnings,
              ElementsAre(HasSubstr("http.allowed_hosts is empty")));
  EXPECT_THAT(
      With({{"host", "0.0.0.0"}, {"auth-required", "true"}, {"http-allowed-hosts", "mcp.example"}})
          .warnings,
      IsEmpty());
  EXPECT_THAT(With({{"host", "127.0.0.2,::1"}}).warnings, IsEmpty());
}

TEST_F(Meaning, InstructionsMustReachTheModelWhole) {
  EXPECT_EQ(With({{"mcp-instructions", std::string(1'500, 'x')}}).mcp.instructions.size(), 1'500u);
  EXPECT_THAT(ErrorWith({{"mcp-instructions", std::string(1'501, 'x')}}),
              HasSubstr("mcp.instructions has 1501 bytes; at most 1500"));
}

TEST_F(Meaning, SecretsMustBeStrong) {
  EXPECT_THAT(ErrorWith({{"auth-master-key", "x7Kq2"}}),
              StartsWith("flag --auth-master-key: auth.master_key has 5 bytes; at least 16 are "
                         "needed; make one with"));
  EXPECT_THAT(ErrorWith({{"auth-jwt-secret", "a6Xw0rQd93kfLmZt"}}),
              HasSubstr("auth.jwt_secret has 16 bytes; at least 32 are needed"));
  EXPECT_THAT(ErrorWith({{"vault-key", "********"}}),
              HasSubstr("vault.key is one character repeated"));
}

TEST_F(Meaning, KeysOfAnAuthorizationServerNeedIssuerAndAudience) {
  const std::pair<std::string, std::string> url = {"auth-jwks-url", "https://issuer.example/jwks"};
  EXPECT_THAT(ErrorWith({url}), HasSubstr("auth.jwks_url needs auth.issuer and auth.audience"));
  EXPECT_THAT(ErrorWith({url, {"auth-issuer", "https://issuer.example"}}), HasSubstr("needs"));
  EXPECT_THAT(ErrorWith({url, {"auth-audience", "https://me.example"}}), HasSubstr("needs"));
  EXPECT_TRUE(AuthenticationConfigured(
      With({url, {"auth-issuer", "https://issuer.example"}, {"auth-audience", "a"}})));
}

TEST_F(Meaning, KeysAreNotFetchedInTheClearFromOtherMachines) {
  for (const char* url :
       {"http://issuer.example/jwks", "ftp://x", "issuer.example", "https://", "https://u:p@x/",
        "https://x/#f", "https://a b/", "http://127.0.0.1.evil.example/", "http://[::2]/"}) {
    EXPECT_THAT(ErrorWith({{"auth-jwks-url", url}, {"auth-issuer", "i"}, {"auth-audience", "a"}}),
                HasSubstr("auth.jwks_url must be an https:// URL"))
        << url;
    EXPECT_THAT(ErrorWith({{"auth-authorization-servers", url}}),
                HasSubstr("auth.authorization_servers must be an https:// URL"))
        << url;
  }
  for (const char* url : {"http://127.0.0.1:9000/jwks", "http://[::1]:9000/jwks",
                          "http://localhost:3000", "https://issuer.example:8443/a?b=c"}) {
    With({{"auth-jwks-url", url}, {"auth-issuer", "i"}, {"auth-audience", "a"}});
  }
}

TEST_F(Meaning, TheResourceIsAUrl) {
  for (const char* url : {"mcp.example", "https://mcp.example/#x", "https:///mcp"}) {
    EXPECT_THAT(ErrorWith({{"auth-resource", url}}), HasSubstr("auth.resource must be the URL"));
  }
  EXPECT_EQ(With({{"auth-resource", "https://mcp.example/mcp"}}).auth.resource,
            "https://mcp.example/mcp");
}

TEST_F(Meaning, AMethodNothingCanSatisfyIsRefused) {
  for (const char* method : {"jwt", "oauth"}) {
    EXPECT_THAT(ErrorWith({{"auth-method", method}, {"auth-required", ""}}),
                HasSubstr("set auth.jwt_secret, auth.jwt_key_file or auth.jwks_url"));
    EXPECT_THAT(ErrorWith({{"auth-method", method}, {"auth-master-key", kStrong}}),
                HasSubstr("no key to verify signed tokens"));
    With({{"auth-method", method}});
    With({{"auth-method", method}, {"auth-required", ""}, {"auth-jwt-secret", kStrong}});
  }
}

TEST_F(Meaning, TokenIsAlwaysUsableBecauseKeysMayBeStored) {
  EXPECT_TRUE(AuthenticationConfigured(With({{"auth-method", "token"}, {"auth-required", ""}})));
}

TEST_F(Meaning, CredentialsTheMethodExcludesAreWarnedAbout) {
  sources_.environment["TOOLPOST_AUTH_JWT_SECRET"] = kStrong;
  EXPECT_THAT(With({{"auth-method", "token"}}).warnings,
              ElementsAre(HasSubstr("signed tokens are not accepted")));
  sources_.environment["MSSQL_MCP_API_KEY"] = std::string(kStrong) + "2";
  EXPECT_THAT(With({{"auth-method", "jwt"}}).warnings,
              ElementsAre(HasSubstr("auth.master_key is not accepted")));
  EXPECT_THAT(With({{"auth-method", "any"}}).warnings, IsEmpty());
}

TEST_F(Meaning, OauthWithoutAServerToGoToIsWarnedAbout) {
  sources_.environment["TOOLPOST_AUTH_JWT_SECRET"] = kStrong;
  EXPECT_THAT(With({{"auth-method", "oauth"}}).warnings,
              ElementsAre(HasSubstr("clients are not told where to get a token")));
  EXPECT_THAT(With({{"auth-method", "oauth"}, {"auth-issuer", "https://i.example"}}).warnings,
              IsEmpty());
}

TEST_F(Meaning, TheStoreIsPostgresql) {
  EXPECT_EQ(ErrorWith({{"store-url", "mysql://root:planted@x"}}),
            "flag --store-url: store.url must start with postgresql://");
  EXPECT_EQ(With({{"store-url", "postgres://x/y"}}).store.url, "postgres://x/y");
  EXPECT_EQ(ErrorWith({{"mssql-connection-string", "planted"}}),
            "flag --mssql-connection-string: mssql.connection_string must be a connection string "
            "such as Server=…;Database=…;User Id=…;Password=…");
}

TEST_F(Meaning, DATABASE_URL_IsNeverTheStore) {
  sources_.environment["DATABASE_URL"] = "postgresql://db/app";
  EXPECT_EQ(Loaded().store.url, "");
}

TEST_F(Meaning, OneVaultKeyIsEnough) {
  EXPECT_THAT(ErrorWith({{"vault-key", kStrong}, {"vault-key-file", "f"}}),
              HasSubstr("vault.key_file and vault.key are both set"));
}

TEST_F(Meaning, PathsDoNotStartWithATilde) {
  for (const char* flag :
       {"http-tls-cert", "http-tls-key", "auth-jwt-key-file", "vault-key-file"}) {
    EXPECT_THAT(ErrorWith({{flag, "~/x"}}), HasSubstr("must not start with \"~\"")) << flag;
  }
}

}  // namespace
}  // namespace toolpost::config
