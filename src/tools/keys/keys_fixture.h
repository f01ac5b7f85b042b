// For tests only: the tools of this folder behind the JSON-RPC controller, on a store of their own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/controller_fixture.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {

class KeysFixture : public ControllerFixture {
 protected:
  KeysFixture() {
    services_.store = std::make_shared<store::Store>(store::StoreOptions{{}, StateDirectory()});
    services_.ring = std::make_shared<auth::KeyRing>(services_.store);
    services_.usage = std::make_shared<store::UsageLog>(services_.store);
    services_.vault = std::make_shared<store::Vault>(
        services_.store, store::KeyMaterial{std::string(kOldKey), "MSSQL_MCP_KEY"});
    services_.key_directory = StateDirectory() + "/keys";
    for (Tool& tool : Tools(services_)) EXPECT_TRUE(core_->registry.Add(std::move(tool)));
  }
  ~KeysFixture() override {
    core_->Stop();
    core_.reset();
    services_ = {};
  }

  void Execute(std::string_view statement, const std::vector<db::Value>& parameters = {}) const {
    const auto done = services_.store->With([&](db::Sql& sql) -> Result<void> {
      RETURN_IF_ERROR(sql.Execute(statement, parameters));
      return {};
    });
    ASSERT_TRUE(done) << done.error().message;
  }

  KeyServices services_;
};

}  // namespace toolpost::tools::keys
