#include "store/vault.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/crypto.h"
#include "store/sealed_record.h"
#include "store/store_fixture.h"
#include "store/vault_rows.h"

namespace toolpost::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kNewPassphrase[] = "passphrase of 2026";
constexpr char kPassphrase[] = "passphrase of old";
// "Server=old;Password=pa55" under kPassphrase, see vault_key_test.cc.
constexpr char kLegacyText[] =
    "ENC:BwgJCgsMDQ4PEBESExQVFrOfOaX36O/Cwv8RNioaE/YBPPxd9tSuzyL8fQDxlybh";
constexpr char kPlainText[] = "Server=plain;Password=planted-plaintext-secret";

KeyMaterial Key(std::string_view seed) {
  const base::Sha256Digest digest = base::Sha256(seed);
  return {base::ToBase64({reinterpret_cast<const char*>(digest.data()), digest.size()}),
          "MSSQL_MCP_KEY"};
}
std::string IdOf(const KeyMaterial& material) { return DeriveMasterKey(material, {}).id; }

class VaultTest : public StoreTest {
 protected:
  Vault Open(const KeyMaterial& key) const { return Vault(store_, key); }
  Vault OpenElsewhere(const KeyMaterial& key) const { return Vault(OpenAnother(), key); }
  void Execute(std::string_view statement, const std::vector<db::Value>& parameters = {}) const {
    const auto done = store_->With([&](db::Sql& sql) -> Result<void> {
      RETURN_IF_ERROR(sql.Execute(statement, parameters));
      return {};
    });
    ASSERT_TRUE(done) << done.error().message;
  }
  void Insert(std::string_view name, std::string_view form, std::string_view text) const {
    Execute(
        "INSERT INTO toolpost_secrets (kind, name, form, key_id, sealed, details) "
        "VALUES ('connection', $1, $2, '', $3, '{}')",
        {std::string(name), std::string(form), db::Blob{std::string(text)}});
  }
  std::string Stored(std::string_view name) const {
    const auto found = Read<SecretAndState>(
        *store_, [&](db::Sql& sql) { return ReadSecret(sql, "connection", name); });
    return found && found->row ? found->row->bytes : std::string();
  }
  static std::string Secret(Vault& vault, std::string_view name) {
    const auto secret = vault.Get("connection", name);
    if (!secret) return "error: " + secret.error().message;
    return secret->value_or("none");
  }
  // Every byte of every file of the store.
  std::string RawBytes() const {
    std::string bytes;
    for (const auto& entry : fs::directory_iterator(options_.directory)) {
      std::ifstream file(entry.path(), std::ios::binary);
      bytes.append(std::istreambuf_iterator<char>(file), {});
    }
    return bytes;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, VaultTest, BothEngines(), EngineName);

TEST_P(VaultTest, LooksWithoutCreatingAnything) {
  Vault vault = Open(Key("a"));
  EXPECT_TRUE(vault.CheckKey());
  EXPECT_EQ(Secret(vault, "main"), "none");
  EXPECT_FALSE(*vault.Remove("connection", "main"));
  EXPECT_THAT(*vault.List("connection"), IsEmpty());
  EXPECT_EQ(vault.MigrateToEncrypted()->migrated, 0);
  EXPECT_TRUE(vault.SetDetails("connection", "main", [](const SecretInfo*) -> Result<std::string> {
    ADD_FAILURE() << "there is nothing to change";
    return std::string("{}");
  }));
  if (!IsPostgres()) {
    EXPECT_FALSE(store_->Exists());
  }
}

TEST_P(VaultTest, KeepsReplacesListsAndRemovesSecrets) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "main", "Server=one", R"({"a":1})"));
  ASSERT_TRUE(vault.Put("connection", "main", "Server=two", R"({"a":2})"));
  ASSERT_TRUE(vault.Put("connection", "Z\xc3\xa4hler", "", "{}"));
  ASSERT_TRUE(vault.Put("token", "main", "t", "{}"));
  EXPECT_EQ(Secret(vault, "main"), "Server=two");
  EXPECT_EQ(Secret(vault, "Z\xc3\xa4hler"), "");
  const std::string version = (*vault.List("connection"))[1].version;
  ASSERT_TRUE(
      vault.SetDetails("connection", "main", [](const SecretInfo* there) -> Result<std::string> {
        EXPECT_EQ(there->details, R"({"a":2})");
        return std::string(R"({"a":3})");
      }));
  const auto list = *vault.List("connection");
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[1].name, "main");
  EXPECT_EQ(list[1].form, "sealed");
  EXPECT_EQ(list[1].key_id, IdOf(Key("a")));
  EXPECT_EQ(list[1].details, R"({"a":3})");
  EXPECT_EQ(list[1].version, version) << "it is of the secret";
  EXPECT_THAT(*vault.List(""), SizeIs(3));
  EXPECT_TRUE(*vault.Remove("connection", "main"));
  EXPECT_FALSE(*vault.Remove("connection", "main"));
  EXPECT_EQ(*vault.Get("token", "main"), "t");
}

// Each opener is as good as a process of its own: a connection to the database and a key.
TEST_P(VaultTest, OfManyWhoStoreTheSameNewSecretOneSucceeds) {
  constexpr int kOpeners = 6;
  std::vector<std::unique_ptr<Vault>> vaults;
  for (int i = 0; i < kOpeners; ++i)
    vaults.push_back(std::make_unique<Vault>(OpenAnother(), Key("a")));
  for (int round = 0; round < 10; ++round) {
    const std::string name = "c" + std::to_string(round);
    std::atomic<int> stored = 0;
    std::atomic<int> told = 0;
    std::vector<std::thread> racers;
    for (int i = 0; i < kOpeners; ++i) {
      racers.emplace_back([&, i] {
        const auto put = vaults[static_cast<std::size_t>(i)]->Put(
            "connection", name, std::to_string(i),
            [](const SecretInfo* there) -> Result<std::string> {
              if (there != nullptr) return Error::NotFound("taken");
              return std::string("{}");
            });
        if (put) ++stored;
        if (!put && put.error().message == "taken") ++told;
      });
    }
    for (std::thread& racer : racers) racer.join();
    EXPECT_EQ(stored, 1);
    EXPECT_EQ(told, kOpeners - 1);
  }
}

TEST_P(VaultTest, EveryChangeOfASecretHasAVersionOfItsOwn) {
  Vault vault = Open(Key("a"));
  std::set<std::string> versions;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(vault.Put("connection", "main", "the same", "{}"));
    versions.insert((*vault.List("connection"))[0].version);
  }
  EXPECT_THAT(versions, SizeIs(3));
}

TEST_P(VaultTest, RefusesWhatItCannotKeep) {
  Vault vault = Open(Key("a"));
  EXPECT_FALSE(vault.Put("", "main", "x", "{}"));
  EXPECT_FALSE(vault.Put("connection", "", "x", "{}"));
  EXPECT_FALSE(vault.Put("connection", "a\nb", "x", "{}"));
  EXPECT_FALSE(vault.Put("connection", std::string(257, 'x'), "x", "{}"));
  EXPECT_FALSE(vault.Put("connection", "\xff", "x", "{}"));
  EXPECT_FALSE(vault.Put("connection", "main", "x", "[]"));
  EXPECT_FALSE(vault.Put("connection", "main", "x", "not json"));
  EXPECT_EQ(vault.Put("connection", "main", std::string(70'000, 'x'), "{}").error().code,
            Code::kTooLarge);
}

TEST_P(VaultTest, DB_1_4_6_WithoutAKeyNothingIsStoredAndNothingStarts) {
  Vault without = Open({});
  EXPECT_TRUE(without.CheckKey());
  const auto put = without.Put("connection", "main", "secret", "{}");
  ASSERT_FALSE(put);
  EXPECT_THAT(put.error().message, HasSubstr("MSSQL_MCP_KEY"));
  ASSERT_TRUE(Open(Key("a")).Put("connection", "main", "secret", "{}"));
  const auto checked = without.CheckKey();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, Code::kConflict);
  EXPECT_THAT(checked.error().message, HasSubstr(IdOf(Key("a"))));
  EXPECT_THAT(Secret(without, "main"), HasSubstr("error: "));
}

TEST_P(VaultTest, DB_1_4_6_WeakKeysAreRefused) {
  Vault weak = Open({"******", "MSSQL_MCP_KEY"});
  const auto put = weak.Put("connection", "main", "secret", "{}");
  ASSERT_FALSE(put);
  EXPECT_THAT(put.error().message, HasSubstr("placeholder"));
  Insert("old", "plain", kPlainText);
  EXPECT_FALSE(weak.CheckKey());
}

TEST_P(VaultTest, AWrongKeyIsNamedWithTheRightOne) {
  ASSERT_TRUE(Open(Key("a")).Put("connection", "main", "secret", "{}"));
  Vault wrong = OpenElsewhere(Key("b"));
  for (const Result<void>& result :
       {wrong.CheckKey(), wrong.Put("connection", "other", "secret", "{}")}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::kConflict);
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr(IdOf(Key("a"))), HasSubstr(IdOf(Key("b")))));
  }
  EXPECT_THAT(Secret(wrong, "main"), HasSubstr(IdOf(Key("a"))));
  EXPECT_TRUE(OpenElsewhere(Key("a")).CheckKey());
}

TEST_P(VaultTest, AStoreWithoutSecretsTakesAnotherKey) {
  Vault first = Open(Key("a"));
  ASSERT_TRUE(first.Put("connection", "main", "secret", "{}"));
  ASSERT_TRUE(*first.Remove("connection", "main"));
  Vault second = OpenElsewhere(Key("b"));
  EXPECT_TRUE(second.CheckKey());
  ASSERT_TRUE(second.Put("connection", "main", "secret", "{}"));
  EXPECT_FALSE(first.Put("connection", "other", "secret", "{}"));
}

TEST_P(VaultTest, PassphrasesKeepTheirIdAcrossStarts) {
  const KeyMaterial passphrase{kPassphrase, "MSSQL_MCP_KEY"};
  ASSERT_TRUE(Open(passphrase).Put("connection", "main", "secret", "{}"));
  Vault again = OpenElsewhere({std::string(kPassphrase) + "\n", "the key file"});
  ASSERT_TRUE(again.CheckKey());
  EXPECT_EQ(Secret(again, "main"), "secret");
  EXPECT_FALSE(OpenElsewhere({"another passphrase", "MSSQL_MCP_KEY"}).CheckKey());
}

TEST_P(VaultTest, MovedAndChangedRowsDoNotOpen) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret one", "{}"));
  ASSERT_TRUE(vault.Put("connection", "two", "secret two", "{}"));
  const std::string one = Stored("one");
  const std::string two = Stored("two");
  const auto store = [&](std::string_view name, const std::string& bytes) {
    Execute("UPDATE toolpost_secrets SET sealed = $1 WHERE name = $2",
            {db::Blob{bytes}, std::string(name)});
  };
  store("one", two);  // swapped rows
  store("two", one);
  EXPECT_THAT(Secret(vault, "one"), HasSubstr("was changed or moved"));
  EXPECT_THAT(Secret(vault, "two"), HasSubstr("was changed or moved"));
  store("one", one.substr(0, one.size() - 1));
  EXPECT_THAT(Secret(vault, "one"), HasSubstr("was changed or moved"));
  store("one", one.substr(0, 20));
  EXPECT_THAT(Secret(vault, "one"), HasSubstr("damaged"));
  store("one", "");
  EXPECT_THAT(Secret(vault, "one"), HasSubstr("damaged"));
  store("one", one);
  EXPECT_EQ(Secret(vault, "one"), "secret one");
  Execute("UPDATE toolpost_secrets SET kind = 'token' WHERE name = 'one'");
  EXPECT_FALSE(vault.Get("token", "one"));
  Execute("UPDATE toolpost_secrets SET kind = 'connection', name = 'three' WHERE name = 'one'");
  EXPECT_THAT(Secret(vault, "three"), HasSubstr("was changed or moved"));
}

TEST_P(VaultTest, DB_1_4_7_CiphertextIsNeverTakenForTheSecret) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "main", "secret", "{}"));
  Execute("UPDATE toolpost_secrets SET form = 'plain'");
  EXPECT_THAT(Secret(vault, "main"), HasSubstr("damaged"));
  const auto migration = vault.MigrateToEncrypted();
  ASSERT_TRUE(migration);
  EXPECT_EQ(migration->migrated, 0);
  EXPECT_THAT(migration->failed, SizeIs(1));
}

TEST_P(VaultTest, DB_1_4_8_RotationGoesOnWithTheNewKeyAndStopsTheOld) {
  Vault vault = Open(Key("a"));
  Vault elsewhere = OpenElsewhere(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret one", R"({"kept":true})"));
  ASSERT_TRUE(vault.Put("token", "two", "secret two", "{}"));
  EXPECT_EQ(Secret(elsewhere, "one"), "secret one");
  const auto rotation = vault.Rotate(Key("b"));
  ASSERT_TRUE(rotation) << rotation.error().message;
  EXPECT_EQ(rotation->count, 2);
  EXPECT_EQ(rotation->old_key_id, IdOf(Key("a")));
  EXPECT_EQ(rotation->new_key_id, IdOf(Key("b")));
  EXPECT_EQ(Secret(vault, "one"), "secret one");
  ASSERT_TRUE(vault.Put("connection", "three", "secret three", "{}"));
  EXPECT_THAT(*vault.List(""), Each(Field(&SecretInfo::key_id, IdOf(Key("b")))));
  EXPECT_EQ((*vault.List("connection"))[0].details, R"({"kept":true})");
  EXPECT_THAT(Secret(elsewhere, "one"),
              AllOf(HasSubstr(IdOf(Key("a"))), HasSubstr(IdOf(Key("b")))));
  EXPECT_FALSE(elsewhere.Put("connection", "four", "x", "{}"));
  EXPECT_FALSE(elsewhere.Rotate(Key("c")));
  EXPECT_FALSE(OpenElsewhere(Key("a")).CheckKey());
  Vault restarted = OpenElsewhere(Key("b"));
  ASSERT_TRUE(restarted.CheckKey());
  EXPECT_EQ(Secret(restarted, "three"), "secret three");
}

TEST_P(VaultTest, DB_1_4_8_RotationToAndFromPassphrases) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret", "{}"));
  ASSERT_TRUE(vault.Rotate({kNewPassphrase, "newKey"}));
  EXPECT_EQ(Secret(vault, "one"), "secret");
  EXPECT_TRUE(OpenElsewhere({kNewPassphrase, "MSSQL_MCP_KEY"}).CheckKey());
  EXPECT_FALSE(vault.Rotate({kNewPassphrase, "newKey"}));
  ASSERT_TRUE(vault.Rotate({"another passphrase 2", "newKey"}));
  const auto old = OpenElsewhere({kNewPassphrase, "MSSQL_MCP_KEY"}).CheckKey();
  ASSERT_FALSE(old);
  EXPECT_EQ(Secret(vault, "one"), "secret");
}

TEST_P(VaultTest, RotationRefusesBadKeysAndTheSameKey) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret", "{}"));
  EXPECT_FALSE(vault.Rotate({"short", "newKey"}));
  EXPECT_FALSE(vault.Rotate({"", "newKey"}));
  EXPECT_FALSE(vault.Rotate({base::ToBase64(std::string(32, '\0')), "newKey"}));
  const auto same = vault.Rotate(Key("a"));
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().code, Code::kInvalidArgument);
  EXPECT_EQ(Secret(vault, "one"), "secret");
}

TEST_P(VaultTest, DB_1_4_8_OneSecretThatDoesNotOpenStopsTheRotation) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret one", "{}"));
  ASSERT_TRUE(vault.Put("connection", "two", "secret two", "{}"));
  Execute("UPDATE toolpost_secrets SET sealed = $1 WHERE name = 'two'", {db::Blob{Stored("one")}});
  const auto rotation = vault.Rotate(Key("b"));
  ASSERT_FALSE(rotation);
  EXPECT_THAT(rotation.error().message, AllOf(HasSubstr("Nothing was changed"), HasSubstr("two")));
  EXPECT_EQ(Secret(vault, "one"), "secret one");
  EXPECT_TRUE(OpenElsewhere(Key("a")).CheckKey());
}

TEST_P(VaultTest, RotationOfAnEmptyVaultSetsTheKey) {
  Vault vault = Open({});
  const auto rotation = vault.Rotate(Key("b"));
  ASSERT_TRUE(rotation) << rotation.error().message;
  EXPECT_EQ(rotation->count, 0);
  ASSERT_TRUE(vault.Put("connection", "one", "secret", "{}"));
  EXPECT_TRUE(OpenElsewhere(Key("b")).CheckKey());
}

TEST_P(VaultTest, ReadersNeverNoticeARotation) {
  Vault vault = Open(Key("0"));
  ASSERT_TRUE(vault.Put("connection", "one", "secret", "{}"));
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop) wrong += Secret(vault, "one") == "secret" ? 0 : 1;
    });
  }
  for (int i = 1; i <= 20; ++i) EXPECT_TRUE(vault.Rotate(Key(std::to_string(i))));
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(VaultTest, PlainAndLegacyRowsAreReadAndMigrated) {
  Vault vault = Open({kPassphrase, "MSSQL_MCP_KEY"});
  ASSERT_TRUE(vault.Put("connection", "new", "Server=new", "{}"));
  Insert("old", "legacy", kLegacyText);
  Insert("older", "plain", kPlainText);
  Insert("unmarked", "plain", kLegacyText);
  EXPECT_EQ(Secret(vault, "old"), "Server=old;Password=pa55");
  EXPECT_EQ(Secret(vault, "older"), kPlainText);
  EXPECT_EQ((*vault.List("connection"))[1].form, "legacy");
  EXPECT_EQ((*vault.List("connection"))[3].form, "legacy");
  const auto migration = vault.MigrateToEncrypted();
  ASSERT_TRUE(migration) << migration.error().message;
  EXPECT_EQ(migration->migrated, 3);
  EXPECT_EQ(migration->already_encrypted, 1);
  EXPECT_THAT(migration->failed, IsEmpty());
  EXPECT_THAT(*vault.List("connection"), Each(Field(&SecretInfo::form, "sealed")));
  EXPECT_EQ(Secret(vault, "old"), "Server=old;Password=pa55");
  EXPECT_EQ(Secret(vault, "older"), kPlainText);
  EXPECT_EQ(Secret(vault, "unmarked"), "Server=old;Password=pa55");
  EXPECT_EQ(vault.MigrateToEncrypted()->already_encrypted, 4);
}

TEST_P(VaultTest, LegacyRowsOfAnotherKeyAreReportedAndStay) {
  Insert("old", "legacy", kLegacyText);
  Vault wrong = Open({"another passphrase 1", "MSSQL_MCP_KEY"});
  EXPECT_FALSE(wrong.CheckKey());
  EXPECT_THAT(Secret(wrong, "old"), HasSubstr("does not open it"));
  const auto migration = wrong.MigrateToEncrypted();
  ASSERT_TRUE(migration);
  ASSERT_THAT(migration->failed, SizeIs(1));
  EXPECT_EQ(migration->failed[0].name, "old");
  EXPECT_EQ(Stored("old"), kLegacyText);
  EXPECT_FALSE(wrong.Rotate(Key("b")));
  EXPECT_EQ(Stored("old"), kLegacyText);
  EXPECT_TRUE(OpenElsewhere({kPassphrase, "MSSQL_MCP_KEY"}).CheckKey());
}

TEST_P(VaultTest, RotationSealsPlainAndLegacyRowsToo) {
  Insert("old", "legacy", kLegacyText);
  Insert("older", "plain", kPlainText);
  Vault vault = Open({kPassphrase, "MSSQL_MCP_KEY"});
  const auto rotation = vault.Rotate(Key("b"));
  ASSERT_TRUE(rotation) << rotation.error().message;
  EXPECT_EQ(rotation->count, 2);
  EXPECT_EQ(Secret(vault, "old"), "Server=old;Password=pa55");
  EXPECT_EQ(Secret(vault, "older"), kPlainText);
  if (!IsPostgres()) {
    EXPECT_THAT(RawBytes(), Not(HasSubstr("planted-plaintext")));
  }
}

TEST_P(VaultTest, PlainRowsAreSecretsToo) {
  Insert("older", "plain", kPlainText);
  EXPECT_FALSE(Open({}).CheckKey());
  EXPECT_TRUE(Open(Key("a")).CheckKey());
  const auto migration = Open({}).MigrateToEncrypted();
  EXPECT_FALSE(migration);
}

class VaultFileTest : public VaultTest {};
INSTANTIATE_TEST_SUITE_P(Engines, VaultFileTest, ::testing::Values(db::Dialect::kSqlite),
                         EngineName);

TEST_P(VaultFileTest, NoSecretIsInTheFilesOfTheStore) {
  Vault vault = Open(Key("a"));
  ASSERT_TRUE(vault.Put("connection", "main", "planted-secret-4711", "{}"));
  EXPECT_THAT(RawBytes(), Not(HasSubstr("planted-secret-4711")));
  EXPECT_THAT(RawBytes(), Not(HasSubstr(Key("a").text)));
}

TEST_P(VaultFileTest, MigrationLeavesNoPlainTextInTheFiles) {
  for (int i = 0; i < 50; ++i) {
    Insert("plain" + std::to_string(i), "plain", kPlainText + std::string(300, 'x'));
    Insert("legacy" + std::to_string(i), "legacy", kLegacyText);
  }
  ASSERT_THAT(RawBytes(), HasSubstr("planted-plaintext-secret"));
  ASSERT_THAT(RawBytes(), HasSubstr(kLegacyText));
  Vault vault = Open({kPassphrase, "MSSQL_MCP_KEY"});
  const auto migration = vault.MigrateToEncrypted();
  ASSERT_TRUE(migration) << migration.error().message;
  EXPECT_EQ(migration->migrated, 100);
  EXPECT_THAT(RawBytes(), Not(HasSubstr("planted-plaintext-secret")));
  EXPECT_THAT(RawBytes(), Not(HasSubstr(kLegacyText)));
  EXPECT_EQ(Secret(vault, "legacy7"), "Server=old;Password=pa55");
}

}  // namespace
}  // namespace toolpost::store
