// Rotation under kill -9.
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <random>
#include <thread>

#include "base/crypto.h"
#include "store/store_fixture.h"
#include "store/vault.h"
#include "store/vault_rows.h"

namespace toolpost::store {
namespace {

constexpr int kKeys = 5;
constexpr int kSecrets = 20;

KeyMaterial KeyNumber(int number) {
  const base::Sha256Digest digest = base::Sha256("rotation key " + std::to_string(number));
  return {base::ToBase64({reinterpret_cast<const char*>(digest.data()), digest.size()}),
          "MSSQL_MCP_KEY"};
}

// Which of our keys the store names; -1 for none.
int CurrentKey(Store& store) {
  const auto state = Read<std::optional<VaultState>>(store, ReadVaultState);
  if (!state || !*state) return -1;
  for (int number = 0; number < kKeys; ++number) {
    if (DeriveMasterKey(KeyNumber(number), {}).id == (*state)->key_id) return number;
  }
  return -1;
}

std::string NameOfSecret(int number) { return "secret" + std::to_string(number); }

class VaultCrash : public StoreTest {
 protected:
  // Exactly the key the store names opens everything.
  void CheckSecrets() const {
    const auto store = std::shared_ptr<Store>(OpenAnother());
    const int current = CurrentKey(*store);
    ASSERT_GE(current, 0);
    for (int number = 0; number < kKeys; ++number) {
      Vault vault(store, KeyNumber(number));
      ASSERT_EQ(vault.CheckKey().has_value(), number == current);
      for (int i = 0; i < kSecrets; ++i) {
        const auto secret = vault.Get("connection", NameOfSecret(i));
        ASSERT_EQ(secret.has_value(), number == current) << NameOfSecret(i);
        if (secret) {
          ASSERT_EQ(*secret, "value of " + NameOfSecret(i));
        }
      }
    }
  }
  void KillRotations(int kills) {
    Vault vault(store_, KeyNumber(0));
    for (int i = 0; i < kSecrets; ++i) {
      ASSERT_TRUE(vault.Put("connection", NameOfSecret(i), "value of " + NameOfSecret(i), "{}"));
    }
    store_.reset();
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round < kills; ++round) {
      ChildProcess child("VaultChild.DISABLED_RotatesUntilItIsKilled", options_);
      ASSERT_EQ(child.NextReport(), "rotated") << "round " << round;
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 8'000));
      child.Kill();
      CheckSecrets();
      if (HasFatalFailure()) FAIL() << "after kill " << round;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, VaultCrash, BothEngines(), EngineName);

TEST(VaultChild, DISABLED_RotatesUntilItIsKilled) {
  const auto store = std::make_shared<Store>(ChildStoreOptions());
  int current = CurrentKey(*store);
  Vault vault(store, KeyNumber(current));
  while (true) {
    current = (current + 1) % kKeys;
    const auto rotation = vault.Rotate(KeyNumber(current));
    ChildReports(rotation ? "rotated" : rotation.error().message);
  }
}

TEST_P(VaultCrash, DB_1_4_8_NoKillDuringRotationLosesOrMixesASecret) {
  const bool full = std::getenv("TOOLPOST_FULL") != nullptr;
  KillRotations(IsPostgres() ? 20 : full ? 1'000 : 200);
}

}  // namespace
}  // namespace toolpost::store
