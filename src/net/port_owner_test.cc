#include "net/port_owner.h"

#include "net/testing.h"

namespace toolpost::net {
namespace {

TEST(PortOwner, NamesThisProcessForItsOwnListener) {
  testing::TestServer server(testing::Echo);
  EXPECT_EQ(PortOwner(server.port()).rfind("process " + std::to_string(getpid()) + " (", 0), 0U)
      << PortOwner(server.port());
}

TEST(PortOwner, IsEmptyForAPortNobodyListensOn) { EXPECT_EQ(PortOwner(1), ""); }

}  // namespace
}  // namespace toolpost::net
