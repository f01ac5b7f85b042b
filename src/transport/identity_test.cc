// Who may call what, through every door: role × door × tool class, and the refusals HTTP words
// itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <set>
#include <thread>

#include "auth/api_key.h"
#include "auth/policy.h"
#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/strings.h"
#include "net/testing.h"
#include "toolpost/server.h"
#include "transport/modern_fixture.h"
#include "transport/server_impl.h"

namespace toolpost {
namespace {

using ::testing::HasSubstr;
using Scopes = std::set<std::string>;

constexpr std::string_view kMaster = "master-key-of-the-tests";
constexpr std::string_view kSecret = "a secret of at least thirty-two bytes";

std::string Jwt(std::string_view scope) {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  const JsonObject claims{{"sub", "bob"}, {"exp", now + 600}, {"scope", scope}};
  const std::string signed_part = base::StrCat(base::ToBase64Url(R"({"alg":"HS256"})"), ".",
                                               base::ToBase64Url(base::ToJson(claims)));
  const base::Sha256Digest code = base::HmacSha256(kSecret, signed_part);
  return base::StrCat(signed_part, ".",
                      base::ToBase64Url({reinterpret_cast<const char*>(code.data()), code.size()}));
}

// One tool per scope, which says that it ran.
Tool ToolOf(const std::string& scope) {
  Tool tool;
  tool.info.name = "class/" + scope;
  tool.info.permissions = {scope};
  tool.info.hints.read_only = scope == "read";
  tool.info.run = scope == "write" ? Run::kPool : Run::kInline;
  tool.input_schema = {{"type", "object"},
                       {"properties", JsonObject{{"connection", JsonObject{{"type", "string"}}}}}};
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Text("it ran");
  };
  if (scope == "read") {
    tool.connections = [](const JsonObject& arguments) -> std::vector<std::string> {
      const Json* name = arguments.if_contains("connection");
      return {name == nullptr ? "DefaultConnection" : std::string(name->get_string())};
    };
  }
  return tool;
}

struct Caller {
  std::string name;
  std::string token;
  Scopes may;
};

class IdentityTest : public ::testing::Test {
 protected:
  IdentityTest() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_id_XXXXXX").string();
    directory_ = mkdtemp(name.data());
    store_ = std::make_shared<store::Store>(store::StoreOptions{{}, directory_});
    ring_ = std::make_shared<auth::KeyRing>(store_);
    EXPECT_TRUE(ring_->Start());
    for (const std::string& scope : auth::AllScopes()) EXPECT_TRUE(server_.AddTool(ToolOf(scope)));
    auth::AuthenticatorOptions options;
    options.master_key = kMaster;
    options.ring = ring_;
    options.jwt_keys = auth::FixedKeys({*auth::VerificationKey::FromSecret(kSecret)});
    authenticator_ = std::make_shared<auth::Authenticator>(options);
    server_.impl().http_identity.authenticator = authenticator_;
    server_.impl().http_identity.on_denial = [this](const api::Denial& denial) {
      const std::lock_guard lock(mutex_);
      denials_.push_back(base::StrCat(denial.path, " ", denial.reason));
    };
    HttpOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    const auto started = server_.StartHttp(http);
    EXPECT_TRUE(started) << started.error().message;
  }
  ~IdentityTest() override {
    server_.Stop();
    std::filesystem::remove_all(directory_);
  }

  std::string Key(store::ApiKey key) {
    const auth::NewApiKey made = auth::MakeApiKey();
    key.id = made.id;
    key.digest = made.digest;
    key.user_id = "ann";
    key.created_at = base::Now();
    EXPECT_TRUE(store::ApiKeys(*store_).Add(key));
    EXPECT_TRUE(ring_->Refresh());
    return made.text;
  }

  net::testing::Reply Post(std::string_view path, std::string_view body, std::string_view token,
                           std::string_view headers = {}) {
    net::testing::Client client(server_.http_port());
    std::string all = base::StrCat(
        "POST ", path, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
        "Accept: application/json, text/event-stream\r\nContent-Length: ", body.size(), "\r\n");
    if (!token.empty()) all.append(base::StrCat("Authorization: Bearer ", token, "\r\n"));
    all.append(headers).append("\r\n").append(body);
    EXPECT_TRUE(client.Send(all));
    return client.ReadReply();
  }

  // A door: the status and body of calling a tool there.
  using Door =
      std::function<net::testing::Reply(const std::string& tool, const std::string& token)>;
  std::vector<std::pair<std::string, Door>> Doors() {
    const auto call = [](const std::string& tool, std::string_view extra) {
      return base::StrCat(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")",
                          tool, R"(","arguments":{})", extra, "}}");
    };
    return {
        {"modern",
         [=, this](const std::string& tool, const std::string& token) {
           return Post("/mcp", call(tool, base::StrCat(",", kModern)), token,
                       base::StrCat("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                                    "tools/call\r\nMcp-Name: ",
                                    tool, "\r\n"));
         }},
        {"session",
         [=, this](const std::string& tool, const std::string& token) {
           const std::string session = Session(token);
           return Post("/mcp", call(tool, ""), token,
                       base::StrCat("Mcp-Session-Id: ", session, "\r\n"));
         }},
        {"keyed /mcp",
         [=, this](const std::string& tool, const std::string& token) {
           return Post("/mcp", call(tool, ""), token);
         }},
        {"/rpc",
         [=, this](const std::string& tool, const std::string& token) {
           return Post("/rpc", call(tool, ""), token);
         }},
        {"direct method",
         [=, this](const std::string& tool, const std::string& token) {
           return Post(
               "/",
               base::StrCat(R"({"jsonrpc":"2.0","id":7,"method":")", tool, R"(","params":{}})"),
               token);
         }},
        {"memory",
         [=, this](const std::string& tool, const std::string& token) {
           return net::testing::Reply{200, {}, ByMemory(call(tool, ""), token)};
         }},
    };
  }

  std::string Session(const std::string& token) {
    const auto reply = Post(
        "/mcp",
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
        token);
    const std::size_t at = reply.head.find("Mcp-Session-Id: ");
    if (at == std::string::npos) return {};
    return reply.head.substr(at + 16, reply.head.find("\r\n", at) - at - 16);
  }

  // What stdio does: the principal is known before the first message.
  std::string ByMemory(const std::string& message, const std::string& token) {
    auth::Presented presented;
    presented.kind = auth::Presented::Kind::kToken;
    presented.token = token;
    server_.impl().local_principal = authenticator_->Check(presented).principal;
    auto [mine, theirs] = MakeMemoryTransport();
    std::jthread serving([this, end = theirs] { server_.Serve(end); });
    mine->Write(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    EXPECT_TRUE(mine->Read());
    mine->Write(message);
    const Result<std::string> reply = mine->Read();
    mine->Close();
    return reply ? *reply : "";
  }

  std::string directory_;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<auth::KeyRing> ring_;
  std::shared_ptr<auth::Authenticator> authenticator_;
  std::mutex mutex_;
  std::vector<std::string> denials_;
  Server server_;
};

TEST_F(IdentityTest, D15_RoleDoorAndToolClass) {
  const Scopes all(auth::AllScopes().begin(), auth::AllScopes().end());
  const std::vector<Caller> callers = {
      {"user key", Key({.key_type = "user", .scopes = {"read"}}), {"read"}},
      {"user key, write granted",
       Key({.key_type = "user", .scopes = {"read", "write"}}),
       {"read", "write"}},
      {"user key, shell granted",
       Key({.key_type = "user", .scopes = {"read", "shell"}}),
       {"read", "shell"}},
      {"read-only user key",
       Key({.key_type = "user", .scopes = {"read", "write"}, .read_only = true}),
       {"read"}},
      {"application key", Key({.key_type = "application", .scopes = {"write"}}), {"write"}},
      {"service key", Key({.key_type = "service", .scopes = {"shell"}}), {"shell"}},
      {"service key of one tool",
       Key({.key_type = "service", .scopes = {"read", "write"}, .tools = {{"class/write"}}}),
       {"write"}},
      {"admin key", Key({.key_type = "admin"}), all},
      {"master key", std::string(kMaster), all},
      {"token read", Jwt("read"), {"read"}},
      {"token write", Jwt("write"), {"write"}},
      {"token shell", Jwt("shell"), {"shell"}},
      {"token connections", Jwt("connections"), {"connections"}},
      {"token admin", Jwt("admin"), {"admin"}},
      {"token without scope", Jwt(""), {}},
  };
  for (const auto& [door, call] : Doors()) {
    for (const Caller& caller : callers) {
      for (const std::string& scope : auth::AllScopes()) {
        const auto reply = call("class_" + scope, caller.token);
        const bool ran = reply.body.find("it ran") != std::string::npos;
        const std::string what = base::StrCat(caller.name, " at ", door, " calls ", scope, ": ",
                                              reply.status, " ", reply.body);
        EXPECT_EQ(ran, caller.may.contains(scope)) << what;
        if (!ran) {
          EXPECT_THAT(reply.body, HasSubstr("Permission denied")) << what;
        }
      }
    }
  }
}

TEST_F(IdentityTest, CTRL_HTTP_401_CTRL_HTTP_403_AtEveryDoor) {
  for (const auto& [door, call] : Doors()) {
    if (door == "memory") continue;
    EXPECT_EQ(call("class_read", "").status, 401) << door;
    EXPECT_EQ(call("class_read", "not-a-key").status, 403) << door;
    EXPECT_EQ(call("class_read", "a.b.c").status, 401) << door;
  }
  for (const char* path : {"/sse", "/ws", "/mcp/capabilities", "/nothing/here"}) {
    net::testing::Client client(server_.http_port());
    client.Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_EQ(client.ReadReply().status, 401) << path;
  }
  const std::lock_guard lock(mutex_);
  EXPECT_THAT(denials_, ::testing::Contains("/rpc UNAUTHENTICATED"));
  EXPECT_THAT(denials_, ::testing::Contains("/rpc PERMISSION_DENIED"));
}

TEST_F(IdentityTest, XApiKeyIsAsGoodAsBearerAndTwoDifferentOnesAreRefused) {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(Post("/rpc", ping, "", base::StrCat("X-API-Key: ", kMaster, "\r\n")).status, 200);
  EXPECT_EQ(Post("/rpc", ping, kMaster, base::StrCat("X-API-Key: ", kMaster, "\r\n")).status, 200);
  EXPECT_EQ(Post("/rpc", ping, kMaster, "X-API-Key: another\r\n").status, 401);
  EXPECT_EQ(Post(base::StrCat("/rpc?api_key=", kMaster), ping, "").status, 401);
  EXPECT_EQ(Post("/rpc", ping, "", "Authorization: Basic dTpw\r\n").status, 401);
}

TEST_F(IdentityTest, TokensThatLackAScopeAreAskedToStepUp) {
  for (const auto& [door, call] : Doors()) {
    if (door == "memory") continue;
    const auto reply = call("class_write", Jwt("read"));
    EXPECT_EQ(reply.status, 403) << door;
    EXPECT_THAT(reply.head, HasSubstr("insufficient_scope")) << door;
    EXPECT_THAT(reply.head, HasSubstr("scope=\"write\"")) << door;
  }
  // A key cannot step up: its refusal is a result the model can read.
  const auto reply =
      Doors()[0].second("class_write", Key({.key_type = "user", .scopes = {"read"}}));
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("\"isError\":true"));
}

TEST_F(IdentityTest, AStepUpInsideASessionTakesEffectAtOnce) {
  const std::string session = Session(Jwt("read"));
  const std::string call =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"class_write","arguments":{}}})";
  const std::string header = base::StrCat("Mcp-Session-Id: ", session, "\r\n");
  EXPECT_EQ(Post("/mcp", call, Jwt("read"), header).status, 403);
  EXPECT_THAT(Post("/mcp", call, Jwt("read write"), header).body, HasSubstr("it ran"));
}

TEST_F(IdentityTest, StateHandleHijack_SessionsBelongToTheirPrincipal) {
  const std::string session = Session(std::string(kMaster));
  const auto reply = Post("/mcp", R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})", Jwt("read"),
                          base::StrCat("Mcp-Session-Id: ", session, "\r\n"));
  EXPECT_EQ(reply.status, 404);
}

TEST_F(IdentityTest, ListsShowOnlyWhatTheCallerMayCall) {
  const auto listed = [&](const std::string& token) {
    const auto reply = Post("/rpc", R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})", token);
    const Json parsed = *base::ParseJson(reply.body);
    Scopes names;
    for (const Json& tool : parsed.at("result").at("tools").as_array())
      names.insert(std::string(tool.at("name").as_string()));
    return names;
  };
  EXPECT_EQ(listed(Jwt("read write")), (Scopes{"class_read", "class_write"}));
  EXPECT_EQ(listed(Jwt("")), Scopes{});
  EXPECT_EQ(listed(std::string(kMaster)).size(), 5u);
  EXPECT_EQ(listed(Key({.key_type = "user", .scopes = {"read", "write"}, .toolsets = {{"other"}}})),
            Scopes{});
}

TEST_F(IdentityTest, CTRL_defect_02_TheConnectionIsCheckedAfterBindingWithDefaultsApplied) {
  const std::string key = Key({.key_type = "user", .scopes = {"read"}, .connections = {{"Sales"}}});
  const auto call = [&](std::string_view params) {
    return Post(
               "/rpc",
               base::StrCat(
                   R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"class_read",)",
                   params, "}}"),
               key)
        .body;
  };
  EXPECT_THAT(call(R"("arguments":{"connection":"Sales"})"), HasSubstr("it ran"));
  EXPECT_THAT(call(R"("arguments":{"connection":"Payroll"})"), HasSubstr("Permission denied"));
  // (a) a decoy beside the arguments, (b) another spelling of the property, (c) no connection
  // named.
  EXPECT_THAT(call(R"("connection":"Sales","arguments":{"connection":"Payroll"})"),
              HasSubstr("Permission denied"));
  EXPECT_THAT(call(R"("arguments":{"Connection":"Sales"})"), HasSubstr("Permission denied"));
  EXPECT_THAT(call(R"("arguments":{})"), HasSubstr("Permission denied"));
}

TEST_F(IdentityTest, ARevokedKeyIsRefusedInsideItsSession) {
  const std::string key = Key({.key_type = "user", .scopes = {"read"}});
  const std::string session = Session(key);
  const std::string header = base::StrCat("Mcp-Session-Id: ", session, "\r\n");
  const std::string list = R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})";
  EXPECT_EQ(Post("/mcp", list, key, header).status, 200);
  ASSERT_TRUE(*store::ApiKeys(*store_).Revoke(*auth::ApiKeyId(key), base::Now()));
  ASSERT_TRUE(ring_->Refresh());
  EXPECT_EQ(Post("/mcp", list, key, header).status, 403);
}

TEST_F(IdentityTest, CTRL_HTTP_406_ForKeyedRequestsOfAnotherContentType) {
  net::testing::Client client(server_.http_port());
  client.Send(base::StrCat(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nX-API-Key: ", kMaster,
      "\r\nContent-Length: 2\r\n\r\n{}"));
  EXPECT_EQ(client.ReadReply().status, 406);
}

TEST_F(IdentityTest, LimitsAre429WithRetryAfter) {
  ServerOptions options;
  options.calls_per_second_per_credential = 0.0005;
  ASSERT_TRUE(server_.Reconfigure(options));
  const std::string key = Key({.key_type = "user", .scopes = {"read"}});
  for (const auto& [door, call] : Doors()) {
    if (door == "memory") continue;
    const std::string own = Key({.key_type = "user", .scopes = {"read"}});
    EXPECT_THAT(call("class_read", own).body, HasSubstr("it ran")) << door;
    const auto refused = call("class_read", own);
    EXPECT_EQ(refused.status, 429) << door;
    EXPECT_THAT(refused.head, HasSubstr("Retry-After: ")) << door;
  }
  EXPECT_THAT(
      ByMemory(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"class_read"}})",
               key),
      HasSubstr("it ran"));
  EXPECT_THAT(
      ByMemory(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"class_read"}})",
               key),
      HasSubstr("Too many calls"));
}

TEST(IdentityStart, D16_OtherMachinesNeedAuthentication) {
  Server server;
  HttpOptions http;
  http.hosts = {"0.0.0.0"};
  http.port = 0;
  const auto started = server.StartHttp(http);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("authentication"));
}

}  // namespace
}  // namespace toolpost
