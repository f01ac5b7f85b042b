// For tests only: the SQL Server tools behind the JSON-RPC controller, on servers in memory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/api_key.h"
#include "store/store.h"
#include "tools/controller_fixture.h"
#include "tools/mssql/mssql.h"
#include "tools/mssql/stub_adapter.h"

namespace toolpost::tools::mssql {

// A server that answers statements by their tag.
class FakeServer : public db::SqlServer {
 public:
  struct Asked {
    std::string text;  // the tag of a statement of ours, else the statement
    JsonObject parameters;
    std::size_t max_cell = 0;
  };

  Result<db::SqlServerOutcome> Read(const db::SqlServerRequest& request,
                                    db::RowSink& sink) override {
    return Give("read", request, sink);
  }
  Result<db::SqlServerOutcome> Write(const db::SqlServerRequest& request,
                                     db::RowSink& sink) override {
    return Give("write", request, sink);
  }
  Result<std::vector<std::vector<db::Row>>> Query(const db::SqlServerRequest& request) override {
    constexpr std::string_view kOpening = "/* toolpost:";
    EXPECT_TRUE(request.sql.starts_with(kOpening)) << request.sql;
    const std::string_view rest = request.sql.substr(kOpening.size());
    const std::string tag(rest.substr(0, rest.find(' ')));
    Note(tag, request);
    if (failure_of.contains(tag)) return failure_of.at(tag);
    if (failure) return *failure;
    return std::vector<std::vector<db::Row>>{rows[tag]};
  }
  Result<db::SqlServerPosture> Posture(std::chrono::steady_clock::time_point,
                                       std::stop_token) override {
    if (failure) return *failure;
    return posture;
  }
  db::PoolStatus Status() const override { return {}; }

  std::vector<std::string> Tags() const {
    std::vector<std::string> tags;
    for (const Asked& each : asked) tags.push_back(each.text);
    return tags;
  }

  std::map<std::string, std::vector<db::Row>> rows;  // by tag
  std::map<std::string, Error> failure_of;           // by tag
  std::optional<Error> failure;                      // of everything
  std::vector<db::ResultColumn> columns;             // of Read and Write
  std::vector<std::vector<db::Cell>> cells;
  struct Set {
    std::vector<db::ResultColumn> columns;
    std::vector<std::vector<db::Cell>> cells;
  };
  std::vector<Set> further;  // result sets after that
  db::SqlServerOutcome outcome;
  db::SqlServerPosture posture{.version = "SQL Server 2022", .database = "hr", .login = "reader"};
  std::vector<Asked> asked;
  std::size_t rows_taken = 0;

 private:
  void Note(std::string text, const db::SqlServerRequest& request) {
    const bool given = request.parameters != nullptr && request.parameters->is_object();
    asked.push_back({std::move(text), given ? request.parameters->get_object() : JsonObject(),
                     request.max_cell});
  }
  Result<db::SqlServerOutcome> Give(std::string_view how, const db::SqlServerRequest& request,
                                    db::RowSink& sink) {
    Note(base::StrCat(how, ": ", request.sql), request);
    if (failure) return *failure;
    rows_taken = 0;
    if (columns.empty()) return outcome;
    bool enough = GiveSet(columns, cells, sink);
    for (const Set& set : further) {
      if (enough && how == "read") break;
      enough = GiveSet(set.columns, set.cells, sink);
    }
    return outcome;
  }
  // Whether the sink had enough.
  bool GiveSet(const std::vector<db::ResultColumn>& of,
               const std::vector<std::vector<db::Cell>>& all, db::RowSink& sink) {
    sink.Begin(of);
    for (const auto& row : all) {
      ++rows_taken;
      if (!sink.Add(row)) return true;
    }
    return false;
  }
};

class MssqlFixture : public ControllerFixture {
 protected:
  // A connection string that leads to the server `name` in memory.
  static std::string StringOf(std::string_view name) {
    return base::StrCat("Server=", name, ";Database=hr;User Id=reader;Password=s3cret-", name);
  }

  MssqlFixture() {
    store_ = std::make_shared<store::Store>(store::StoreOptions{{}, StateDirectory()});
    vault_ = std::make_shared<store::Vault>(
        store_, store::KeyMaterial{std::string(kOldKey), "MSSQL_MCP_KEY"});
    config_.mssql.connection_string = StringOf("main");
    Offer();
  }
  ~MssqlFixture() override {
    core_->Stop();
    core_.reset();
  }

  // Adds the tools anew, as the configuration says.
  void Offer() {
    for (const auto& each : core_->registry.All())
      EXPECT_TRUE(core_->registry.Remove(each->tool.info.name));
    Result<MssqlServices> services = MakeServices(
        config_, vault_,
        [this](const db::SqlServerLogin& login) -> Result<std::shared_ptr<db::SqlServer>> {
          logins_.push_back(login);
          return std::shared_ptr<db::SqlServer>(ServerAt(login.host));
        },
        [this] { return on_network_; });
    ASSERT_TRUE(services) << services.error().message;
    services_ = *services;
    for (Tool& tool : Tools(services_)) EXPECT_TRUE(core_->registry.Add(std::move(tool)));
  }
  std::shared_ptr<FakeServer> ServerAt(const std::string& host) {
    std::shared_ptr<FakeServer>& server = servers_[host];
    if (server == nullptr) server = std::make_shared<FakeServer>();
    return server;
  }
  // The one DefaultConnection leads to.
  FakeServer& Main() { return *ServerAt("main"); }

  void Store(std::string_view name, std::string_view host) {
    const auto stored = services_.connections->Add(name, StringOf(host), "");
    ASSERT_TRUE(stored) << stored.error().message;
  }

  // Somebody with a key.
  static Principal Caller(Grants grants) {
    auto credential = std::make_shared<Credential>();
    credential->kind = "key";
    credential->grants = std::move(grants);
    Principal principal;
    principal.id = "key-1";
    principal.user = "ada";
    principal.authenticated = true;
    principal.credential = std::move(credential);
    return principal;
  }

  std::string ErrorOf(std::string_view tool, std::string_view params) const {
    return MessageOf(Direct(tool, params));
  }

  config::Config config_;
  bool on_network_ = false;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<store::Vault> vault_;
  std::map<std::string, std::shared_ptr<FakeServer>> servers_;
  std::vector<db::SqlServerLogin> logins_;
  MssqlServices services_;
};

}  // namespace toolpost::tools::mssql
