// The glue between a script and a SQL Server.
#include "db/odbc_server_fixture.h"

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::db {

void TextSink::Begin(std::span<const ResultColumn> columns) {
  ++begun;
  for (const ResultColumn& column : columns) {
    names += (names.empty() ? "" : "|") + column.name;
    types += (types.empty() ? "" : "|") + column.type;
  }
}

bool TextSink::Add(std::span<const Cell> row) {
  constexpr std::string_view kKinds[] = {"null", "boolean", "number", "text", "json", "bytes"};
  std::string text;
  for (const Cell& cell : row) {
    bytes += cell.text.size();
    if (!keep) continue;
    const std::string_view bar = text.empty() ? "" : "|";
    if (rows.empty()) kinds += base::StrCat(bar, kKinds[static_cast<std::size_t>(cell.kind)]);
    text += bar;
    if (cell.kind == CellKind::kBytes) {
      text += "0x" + base::ToHex(cell.text);
    } else {
      text += cell.kind == CellKind::kNull ? "NULL" : std::string(cell.text);
    }
  }
  rows.push_back(std::move(text));
  return rows.size() < most_rows_;
}

void OdbcServerTest::Serve(std::string_view rules, std::string_view more,
                           const std::string& address) {
  const std::string json = base::StrCat(
      "{", more, kContained, R"("login": {"user": "sa", "password": "p;w=d'\" {ö}}"},)",
      R"("rules": [)", kCheckRule, rules.empty() ? "" : ",", rules, "]}");
  auto script = tds_server::ParseScript(json);
  ASSERT_TRUE(script) << script.error().message;
  auto server = tds_server::Server::Start(*std::move(script), {.address = address});
  ASSERT_TRUE(server) << server.error().message;
  tds_ = *std::move(server);
  server_ = Connect(Options());
}

OdbcServerOptions OdbcServerTest::Options() const {
  OdbcServerOptions options;
  options.login = {.host = "127.0.0.1",
                   .port = tds_->port(),
                   .database = "shop",
                   .user = "sa",
                   .password = "p;w=d'\" {ö}}",
                   .encryption = SqlServerLogin::Encryption::kNone};
  options.guard = [](std::string_view, std::span<const std::string_view>) -> Result<void> {
    return {};
  };
  return options;
}

std::shared_ptr<SqlServer> OdbcServerTest::Connect(OdbcServerOptions options) {
  auto server = OpenOdbcServer(std::move(options));
  EXPECT_TRUE(server) << server.error().message;
  return server ? *server : nullptr;
}

std::string OdbcServerTest::Rule(std::string_view sql, std::string_view steps) {
  return base::StrCat(R"({"parameters": {"1": ")", sql, R"("}, "steps": [)", steps, "]}");
}

bool OdbcServerTest::Arrived(std::string_view tag) {
  return tds_->record().WaitFor([&](const tds_server::Received& received) {
    return tds_server::TagOf(received.text) == tag;
  });
}

void OdbcServerTest::ExpectServerStillWorks() {
  const auto outcome = Read("SELECT ok");
  EXPECT_TRUE(outcome) << outcome.error().message;
}

std::size_t OdbcServerTest::Count(std::string_view tag) {
  std::size_t count = 0;
  for (const auto& received : tds_->record().All()) {
    if (tds_server::TagOf(received.text) == tag) ++count;
  }
  return count;
}

}  // namespace toolpost::db
