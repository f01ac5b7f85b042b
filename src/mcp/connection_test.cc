// One connection: ids in use, and what must not outlive it.
#include "mcp/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/log.h"
#include "base/strings.h"
#include "mcp/core.h"

namespace toolpost::mcp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Listen(std::string_view id) {
  return base::StrCat(R"({"jsonrpc":"2.0","id":)", id,
                      R"(,"method":"subscriptions/listen","params":{"_meta":{)",
                      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)",
                      R"("io.modelcontextprotocol/clientCapabilities":{}},)",
                      R"("notifications":{"toolsListChanged":true}}})");
}

class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest() { base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson); }

  std::vector<std::string> written_;
  Core core_{ServerOptions{}};
  std::shared_ptr<Connection> connection_ =
      Connection::Open(core_, {.transport = "test", .view = {}, .hang_up = {}},
                       [this](std::string message) { written_.push_back(std::move(message)); });
};

TEST_F(ConnectionTest, AnIdInUseIsRefusedAndTheFirstRequestGoesOn) {
  connection_->Receive(Listen("1"));
  connection_->Receive(Listen("1"));
  connection_->Receive(Listen("\"1\""));  // another id
  EXPECT_THAT(written_,
              ElementsAre(HasSubstr("acknowledged"),
                          AllOf(HasSubstr(R"("id":1)"), HasSubstr("-32600"), HasSubstr("in use")),
                          HasSubstr("acknowledged")));
  EXPECT_EQ(core_.listens.open(), 2u);
  connection_->Receive(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(core_.listens.open(), 1u);
  connection_->Receive(Listen("1"));
  EXPECT_EQ(core_.listens.open(), 2u) << "the id is free again";
}

TEST_F(ConnectionTest, NothingItOpenedOutlivesIt) {
  for (const char* id : {"1", "1", "2"}) connection_->Receive(Listen(id));
  connection_->Close();
  EXPECT_EQ(core_.listens.open(), 0u);
}

TEST_F(ConnectionTest, WhatIsOpenedWhileItClosesEndsAtOnce) {
  connection_->Close();
  connection_->Receive(Listen("1"));
  EXPECT_EQ(core_.listens.open(), 0u);
}

}  // namespace
}  // namespace toolpost::mcp
