#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/crypto.h"
#include "base/json_write.h"
#include "tools/keys/keys_fixture.h"

namespace toolpost::tools::keys {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kConnection = "Server=db;Password=planted-connection-secret";

class EncryptionKeyTest : public KeysFixture {
 protected:
  void Store(std::string_view name, std::string_view secret = kConnection) {
    const auto put = services_.vault->Put("connection", name, secret, "{}");
    ASSERT_TRUE(put) << put.error().message;
  }
  // A row as an earlier server left it.
  void InsertPlain(std::string_view name, std::string_view text) {
    Store("first");  // makes the tables
    Execute(
        "INSERT INTO toolpost_secrets (kind, name, form, key_id, sealed, details) "
        "VALUES ('connection', $1, 'plain', '', $2, '{}')",
        {std::string(name), db::Blob{std::string(text)}});
  }
  static std::string SecretIn(store::Vault& vault, std::string_view name) {
    const auto secret = vault.Get("connection", name);
    return secret ? secret->value_or("none") : "error: " + secret.error().message;
  }
  std::string Secret(std::string_view name) { return SecretIn(*services_.vault, name); }
  // As the next start of the server has it.
  std::unique_ptr<store::Vault> Restarted(std::string_view key) {
    return std::make_unique<store::Vault>(services_.store,
                                          store::KeyMaterial{std::string(key), "MSSQL_MCP_KEY"});
  }
  std::string KeyFile(const std::string& name) {
    std::string line;
    std::ifstream file(services_.key_directory + "/" + name);
    std::getline(file, line);
    return line;
  }
};

TEST_F(EncryptionKeyTest, CTRL_EX15_RunsAsWritten) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 17,
    "method": "GenerateSecureKey",
    "params": {
      "length": 32
    }
  })");
  EXPECT_EQ(reply.at("id"), 17);
  const JsonObject made = DataOf(reply);
  EXPECT_EQ(made.at("length"), 32);
  EXPECT_EQ(base::FromBase64(Text(made.at("key")))->size(), 32u);
  EXPECT_FALSE(Text(made.at("message")).empty());
  EXPECT_NE(Data("GenerateSecureKey", "{}").at("key"), made.at("key"));
}

TEST_F(EncryptionKeyTest, GeneratedKeysHaveTheLengthAskedFor) {
  for (const char* length : {"16", "64"}) {
    const JsonObject made = Data("mssql_generate_key", base::StrCat(R"({"length":)", length, "}"));
    EXPECT_EQ(std::to_string(base::FromBase64(Text(made.at("key")))->size()), length);
  }
  for (const char* length : {"15", "65", "0", "-1", "\"32\"", "32.5", "1e9"}) {
    EXPECT_EQ(CodeOf(Direct("GenerateSecureKey", base::StrCat(R"({"length":)", length, "}"))),
              -32602)
        << length;
  }
}

TEST_F(EncryptionKeyTest, CTRL_EX16_CTRL_SEC_6_RunsAsWrittenWithoutRestart) {
  Store("one");
  Store("two", "second");
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 18,
    "method": "RotateKey",
    "params": {
      "newKey": "Uew8Ap2aiZoh5Wae/XiaNX2PVHXpnC6kPVX0Tcow4FA="
    }
  })");
  EXPECT_EQ(reply.at("id"), 18);
  const JsonObject done = DataOf(reply);
  EXPECT_EQ(done.at("count"), 2);
  EXPECT_NE(done.at("oldKeyId"), done.at("newKeyId"));
  EXPECT_THAT(Text(done.at("message")), HasSubstr(Text(done.at("newKeyId"))));
  EXPECT_THAT(base::ToJson(reply), Not(HasSubstr(std::string(kNewKey))));
  EXPECT_EQ(Secret("one"), kConnection);
  const auto wrong = Restarted(kOldKey)->CheckKey();
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message,
              AllOf(HasSubstr(Text(done.at("newKeyId"))), HasSubstr(Text(done.at("oldKeyId")))));
  EXPECT_EQ(SecretIn(*Restarted(kNewKey), "two"), "second");
}

TEST_F(EncryptionKeyTest, CTRL_EX17_CTRL_SEC_5_RunsAsWrittenAndLeavesNoPlainText) {
  InsertPlain("old", "Server=old;Password=planted-plain-secret");
  EXPECT_THAT(StoredBytes(), HasSubstr("planted-plain-secret"));
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 19,
    "method": "MigrateConnectionsToEncrypted",
    "params": {}
  })");
  EXPECT_EQ(reply.at("id"), 19);
  const JsonObject done = DataOf(reply);
  EXPECT_EQ(done.at("count"), 1);
  EXPECT_EQ(done.at("migrated"), 1);
  EXPECT_EQ(done.at("alreadyEncrypted"), 1);
  EXPECT_EQ(done.at("failed"), JsonArray());
  EXPECT_EQ(Secret("old"), "Server=old;Password=planted-plain-secret");
  EXPECT_THAT(StoredBytes(),
              AllOf(HasSubstr("toolpost_secrets"), Not(HasSubstr("planted-plain-secret")),
                    Not(HasSubstr("planted-connection"))));
  EXPECT_EQ(Data("mssql_migrate_connections", "{}").at("migrated"), 0);
}

TEST_F(EncryptionKeyTest, CTRL_defect_13_WhatDoesNotMigrateIsNamed) {
  InsertPlain("broken", "ENC:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  const JsonObject done = Data("MigrateConnectionsToEncrypted", "{}");
  EXPECT_EQ(done.at("migrated"), 0);
  ASSERT_EQ(done.at("failed").as_array().size(), 1u);
  EXPECT_EQ(done.at("failed").at(0).at("name"), "broken");
  EXPECT_FALSE(Text(done.at("failed").at(0).at("reason")).empty());
}

TEST_F(EncryptionKeyTest, CTRL_defect_06_KnownDefaultKeysAreRefused) {
  Store("one");
  for (const char* key : {"******", "****************", "your-encryption-key", "MSSQL_MCP_KEY_____",
                          "aaaaaaaaaaaaaaaaaaaaaaaa",
                          "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "                    ",
                          "onlylettersnodigits"}) {
    EXPECT_EQ(CodeOf(Direct("RotateKey", base::StrCat(R"({"newKey":")", key, R"("})"))), -32602)
        << key;
  }
  EXPECT_EQ(Secret("one"), kConnection);
  EXPECT_TRUE(Restarted(kOldKey)->CheckKey());
}

TEST_F(EncryptionKeyTest, CTRL_defect_08_AWrongCurrentKeyChangesNothing) {
  Store("one");
  services_.vault = Restarted("d3Jvbmcta2V5LXdyb25nLWtleS13cm9uZy1rZXktMDE=");
  ASSERT_TRUE(core_->registry.Remove("keys/RotateKey"));
  ASSERT_TRUE(core_->registry.Add(RotateKeyTool(services_)));
  const Json reply = Direct("RotateKey", base::StrCat(R"({"newKey":")", kNewKey, R"("})"));
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_THAT(MessageOf(reply), HasSubstr("Failed to execute tool RotateKey: "));
  EXPECT_EQ(SecretIn(*Restarted(kOldKey), "one"), kConnection);
  EXPECT_FALSE(Restarted(kNewKey)->CheckKey());
}

TEST_F(EncryptionKeyTest, CTRL_defect_07_CTRL_defect_08_OneChangedRecordStopsTheRotation) {
  Store("one");
  Store("two", "second");
  Execute(
      "UPDATE toolpost_secrets SET sealed = (SELECT sealed FROM toolpost_secrets WHERE name = "
      "'one') WHERE name = 'two'");
  const std::string arguments = base::StrCat(R"({"newKey":")", kNewKey, R"("})");
  const Json reply = Direct("RotateKey", arguments);
  EXPECT_EQ(CodeOf(reply), -32603);
  EXPECT_THAT(MessageOf(reply), AllOf(HasSubstr("Nothing was changed"), HasSubstr("two")));
  EXPECT_EQ(Envelope("RotateKey", arguments).at("result").at("isError"), true);
  EXPECT_EQ(Secret("one"), kConnection);
  EXPECT_EQ(SecretIn(*Restarted(kOldKey), "one"), kConnection);
}

TEST_F(EncryptionKeyTest, CTRL_defect_09_KeysGoThroughFilesOnly) {
  Store("one");
  const Json made = Direct("GenerateSecureKey", R"({"file":"next.key"})");
  const std::string key = KeyFile("next.key");
  ASSERT_EQ(base::FromBase64(key)->size(), 32u);
  EXPECT_EQ(made.at("result").at("file"), "next.key");
  EXPECT_FALSE(made.at("result").as_object().contains("key"));
  const Json rotated = Direct("RotateKey", R"({"newKeyFile":"next.key"})");
  EXPECT_EQ(rotated.at("result").at("count"), 1);
  for (const Json& reply : {made, rotated}) EXPECT_THAT(base::ToJson(reply), Not(HasSubstr(key)));
  EXPECT_EQ(SecretIn(*Restarted(key), "one"), kConnection);
}

TEST_F(EncryptionKeyTest, KeyFilesStayInTheirDirectory) {
  for (const char* name :
       {"../escape", "/etc/passwd", ".hidden", "a/b", "", "a\\u0000b", "..", "a b"}) {
    EXPECT_EQ(CodeOf(Direct("GenerateSecureKey", base::StrCat(R"({"file":")", name, R"("})"))),
              -32602)
        << name;
    EXPECT_EQ(CodeOf(Direct("RotateKey", base::StrCat(R"({"newKeyFile":")", name, R"("})"))),
              -32602)
        << name;
  }
  const Json missing = Direct("RotateKey", R"({"newKeyFile":"none.key"})");
  EXPECT_EQ(CodeOf(missing), -32603);
  EXPECT_THAT(MessageOf(missing), AllOf(HasSubstr("none.key"), Not(HasSubstr(directory_))));
  Data("GenerateSecureKey", R"({"file":"one.key"})");
  const std::string key = KeyFile("one.key");
  EXPECT_THAT(MessageOf(Direct("GenerateSecureKey", R"({"file":"one.key"})")),
              HasSubstr("exists already"));
  EXPECT_EQ(KeyFile("one.key"), key);
}

TEST_F(EncryptionKeyTest, RotateKeyTakesExactlyOneKeyAndNotTheCurrentOne) {
  Store("one");
  EXPECT_EQ(CodeOf(Direct("RotateKey", "{}")), -32602);
  EXPECT_EQ(CodeOf(Direct("RotateKey", R"({"newKey":"a passphrase of 2026","newKeyFile":"f"})")),
            -32602);
  EXPECT_EQ(CodeOf(Direct("RotateKey", base::StrCat(R"({"newKey":")", kOldKey, R"("})"))), -32602);
  EXPECT_EQ(Data("mssql_rotate_key", R"({"newKey":"a passphrase of 2026"})").at("count"), 1);
  EXPECT_EQ(SecretIn(*Restarted("a passphrase of 2026"), "one"), kConnection);
}

TEST_F(EncryptionKeyTest, PRD_NFR_019_RefusalsDoNotRepeatTheKey) {
  Store("one");
  for (const char* key : {"planted-key", "plantedkeyplantedkey", "PLANTED"}) {
    const std::string arguments = base::StrCat(R"({"newKey":")", key, R"("})");
    EXPECT_THAT(base::ToJson(Direct("RotateKey", arguments)),
                AllOf(HasSubstr("error"), Not(HasSubstr(key))));
    EXPECT_THAT(base::ToJson(Envelope("RotateKey", arguments)), Not(HasSubstr(key)));
  }
}

}  // namespace
}  // namespace toolpost::tools::keys
