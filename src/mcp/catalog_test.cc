// Tests of the catalog: resources, templates, prompts, completions.
#include "mcp/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/strings.h"
#include "mcp/paging.h"
#include "mcp/registry_fixture.h"

namespace toolpost::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FakeContext : public CallContext {
 public:
  explicit FakeContext(std::string id = "alice") { principal_.id = std::move(id); }
  const Principal& principal() const override { return principal_; }
  std::string_view request_id() const override { return "r1"; }
  std::string_view protocol_version() const override { return "2025-11-25"; }
  std::chrono::steady_clock::time_point deadline() const override {
    return std::chrono::steady_clock::time_point::max();
  }
  std::stop_token stop_token() const override { return {}; }
  void Progress(double, std::optional<double>, std::string_view) override {}
  void Log(LogLevel, Json, std::string_view) override {}
  bool ClientHas(std::string_view) const override { return false; }
  Result<InputResponses> Ask(std::vector<InputRequest>) override {
    return Error{Code::kInputRequired, "ask", {}};
  }
  const Json& state() const override { return state_; }
  void SetState(Json) override {}
  Result<void> BecomeTask() override { return {}; }
  void ReleaseStream() override {}
  const JsonObject& meta() const override { return meta_; }

 private:
  Principal principal_;
  Json state_;
  JsonObject meta_;
};

class CatalogTest : public RegistryFixture {
 protected:
  CatalogTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("catalog-" + base::RandomHex(8))),
        results_(directory_.string(), std::chrono::seconds(900)),
        catalog_(2, results_, registry) {}
  ~CatalogTest() override { std::filesystem::remove_all(directory_); }

  static ResourceReader Text(std::string text) {
    return [text = std::move(text)](std::string_view, const UriVariables&,
                                    CallContext&) -> Result<ResourceContents> {
      return ResourceContents{"", text, false};
    };
  }
  static PromptHandler Says(Json content) {
    return [content](const auto&, CallContext&) -> Result<JsonArray> {
      return JsonArray{JsonObject{{"role", "user"}, {"content", content}}};
    };
  }
  static ResourceInfo Info(std::string uri) {
    ResourceInfo info;
    info.uri = std::move(uri);
    info.name = "n";
    return info;
  }
  static PromptInfo Prompt(std::string name, std::vector<PromptArgument> arguments = {}) {
    PromptInfo info;
    info.name = std::move(name);
    info.arguments = std::move(arguments);
    return info;
  }
  static JsonObject Object(std::string_view text) {
    return base::ParseJson(text).value().as_object();
  }
  static void ExpectError(const auto& result, Code code, std::string_view text) {
    ASSERT_FALSE(result.has_value()) << text;
    EXPECT_EQ(static_cast<int>(result.error().code), static_cast<int>(code))
        << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(std::string(text)));
  }
  static std::string NextCursor(const std::string& members) {
    const Json page = base::ParseJson("{" + members + "}").value();
    const Json* cursor = page.as_object().if_contains("nextCursor");
    return cursor == nullptr ? "" : std::string(cursor->as_string());
  }

  std::filesystem::path directory_;
  ResultStore results_;
  Catalog catalog_;
  FakeContext context_;
};

TEST_F(CatalogTest, EmptyListsHaveNoEntriesAndNoCursor) {
  EXPECT_EQ(*catalog_.ListResources(kModernRevision, ""), "\"resources\":[]");
  EXPECT_EQ(*catalog_.ListTemplates(kModernRevision, ""), "\"resourceTemplates\":[]");
  EXPECT_EQ(*catalog_.ListPrompts(kModernRevision, ""), "\"prompts\":[]");
}

TEST_F(CatalogTest, ResourceEntriesCarryWhatTheRevisionKnows) {
  ResourceInfo info = Info("test://a");
  info.title = "T";
  info.description = "D \"q\"";
  info.mime_type = "text/plain";
  info.annotations = {{"priority", 1}};
  info.icons = {JsonObject{{"src", "i.png"}}};
  ASSERT_TRUE(catalog_.AddResource(info, Text("x")));
  const std::string start = R"("resources":[{"uri":"test://a","name":"n",)";
  const std::string rest =
      R"("description":"D \"q\"","mimeType":"text/plain","annotations":{"priority":1})";
  EXPECT_EQ(*catalog_.ListResources(Revision::k2024_11_05, ""), start + rest + "}]");
  EXPECT_EQ(*catalog_.ListResources(Revision::k2025_03_26, ""), start + rest + "}]");
  EXPECT_EQ(*catalog_.ListResources(Revision::k2025_06_18, ""),
            start + R"("title":"T",)" + rest + "}]");
  const std::string newest = start + R"("title":"T",)" + rest + R"(,"icons":[{"src":"i.png"}]}])";
  EXPECT_EQ(*catalog_.ListResources(Revision::k2025_11_25, ""), newest);
  EXPECT_EQ(*catalog_.ListResources(Revision::k2026_07_28, ""), newest);
}

TEST_F(CatalogTest, PromptEntriesCarryArguments) {
  PromptInfo info = Prompt("p", {{"a", "first", true}, {"b", "", false}});
  info.title = "T";
  info.icons = {JsonObject{{"src", "i.png"}}};
  ASSERT_TRUE(catalog_.AddPrompt(info, Says({}), {}));
  const std::string arguments =
      R"("arguments":[{"name":"a","description":"first","required":true},{"name":"b","required":false}])";
  EXPECT_EQ(*catalog_.ListPrompts(Revision::k2025_03_26, ""),
            R"("prompts":[{"name":"p",)" + arguments + "}]");
  EXPECT_EQ(
      *catalog_.ListPrompts(kModernRevision, ""),
      R"("prompts":[{"name":"p","title":"T",)" + arguments + R"(,"icons":[{"src":"i.png"}]}])");
}

TEST_F(CatalogTest, PagesFollowOneAnotherInOrderOfAddition) {
  for (const char* uri : {"t://c", "t://a", "t://b", "t://d", "t://e"}) {
    ASSERT_TRUE(catalog_.AddResource(Info(uri), Text("")));
  }
  std::string seen;
  std::string cursor;
  int pages = 0;
  do {
    const auto page = catalog_.ListResources(kModernRevision, cursor);
    ASSERT_TRUE(page);
    const Json parsed = base::ParseJson("{" + *page + "}").value();
    for (const Json& entry : parsed.at("resources").as_array()) {
      seen += std::string_view(entry.at("uri").as_string()).substr(4);
    }
    cursor = NextCursor(*page);
    ++pages;
  } while (!cursor.empty());
  EXPECT_EQ(seen, "cabde");
  EXPECT_EQ(pages, 3);
}

TEST_F(CatalogTest, PagesNeitherSkipNorRepeatWhenEntriesAreRemoved) {
  for (const char* uri : {"t://a", "t://b", "t://c", "t://d"}) {
    ASSERT_TRUE(catalog_.AddResource(Info(uri), Text("")));
  }
  const std::string cursor = NextCursor(*catalog_.ListResources(kModernRevision, ""));
  ASSERT_TRUE(catalog_.RemoveResource("t://a"));
  EXPECT_EQ(*catalog_.ListResources(kModernRevision, cursor),
            R"("resources":[{"uri":"t://c","name":"n"},{"uri":"t://d","name":"n"}])");
  ASSERT_TRUE(catalog_.RemoveResource("t://c"));
  ASSERT_TRUE(catalog_.RemoveResource("t://d"));
  EXPECT_EQ(*catalog_.ListResources(kModernRevision, cursor), "\"resources\":[]");
}

TEST_F(CatalogTest, RefusesCursorsItDidNotGive) {
  for (const char* uri : {"t://a", "t://b", "t://c"}) {
    ASSERT_TRUE(catalog_.AddResource(Info(uri), Text("")));
  }
  const std::string cursor = NextCursor(*catalog_.ListResources(kModernRevision, ""));
  ASSERT_FALSE(cursor.empty());
  constexpr std::string_view kMessage = "Unknown cursor: ask again without cursor";
  ExpectError(catalog_.ListPrompts(kModernRevision, cursor), Code::kInvalidArgument, kMessage);
  ExpectError(catalog_.ListTemplates(kModernRevision, cursor), Code::kInvalidArgument, kMessage);
  ExpectError(catalog_.ListResources(kModernRevision, "bad"), Code::kInvalidArgument, kMessage);
  ExpectError(catalog_.ListResources(kModernRevision, EncodeCursor("resources", 1'000)),
              Code::kInvalidArgument, kMessage);
}

TEST_F(CatalogTest, RefusesDuplicatesAndBadEntries) {
  ASSERT_TRUE(catalog_.AddResource(Info("t://a"), Text("")));
  ExpectError(catalog_.AddResource(Info("t://a"), Text("")), Code::kConflict, "t://a");
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://{a}"), Text(""), {}));
  ExpectError(catalog_.AddTemplate(Info("t://{a}"), Text(""), {}), Code::kConflict, "t://{a}");
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("p"), Says({}), {}));
  ExpectError(catalog_.AddPrompt(Prompt("p"), Says({}), {}), Code::kConflict,
              "Prompt already exists: p");

  ResourceInfo nameless = Info("t://b");
  nameless.name.clear();
  ExpectError(catalog_.AddResource(nameless, Text("")), Code::kInvalidArgument, "needs a name");
  ExpectError(catalog_.AddResource(Info("t://b"), {}), Code::kInvalidArgument, "needs a reader");
  for (const char* uri : {"", "noscheme", ":x", "t://a b", "t://a\n", "1 t:x"}) {
    ExpectError(catalog_.AddResource(Info(uri), Text("")), Code::kInvalidArgument,
                "Bad resource URI");
  }
  ExpectError(catalog_.AddResource(Info("toolpost://results/x"), Text("")), Code::kInvalidArgument,
              "reserved");
  ExpectError(catalog_.AddTemplate(Info("t://{a"), Text(""), {}), Code::kInvalidArgument,
              "Bad URI template");
  ExpectError(catalog_.AddPrompt(Prompt(""), Says({}), {}), Code::kInvalidArgument, "needs a name");
  ExpectError(catalog_.AddPrompt(Prompt("q"), {}, {}), Code::kInvalidArgument, "needs a handler");
  ExpectError(catalog_.AddPrompt(Prompt("q", {{"a", "", false}, {"a", "", true}}), Says({}), {}),
              Code::kInvalidArgument, "different, non-empty names");
  ExpectError(catalog_.AddPrompt(Prompt("q", {{"", "", false}}), Says({}), {}),
              Code::kInvalidArgument, "non-empty names");
}

TEST_F(CatalogTest, RemovesAndAllowsTheNameAgain) {
  ASSERT_TRUE(catalog_.AddResource(Info("t://a"), Text("")));
  ASSERT_TRUE(catalog_.RemoveResource("t://a"));
  EXPECT_FALSE(catalog_.Watch("t://a", {}));
  ExpectError(catalog_.RemoveResource("t://a"), Code::kNotFound, "t://a");
  EXPECT_TRUE(catalog_.AddResource(Info("t://a"), Text("")));
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://x/{a}"), Text(""), {}));
  EXPECT_TRUE(catalog_.RemoveResource("t://x/{a}"));
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("p"), Says({}), {}));
  EXPECT_TRUE(catalog_.RemovePrompt("p"));
  ExpectError(catalog_.RemovePrompt("p"), Code::kNotFound, "p");
}

TEST_F(CatalogTest, TellsListenersOfEveryChangeAndOfNothingElse) {
  int resources = 0;
  int prompts = 0;
  catalog_.OnResourcesChanged([&] {
    ++resources;
    EXPECT_TRUE(catalog_.ListResources(kModernRevision, ""));  // no lock is held
  });
  catalog_.OnPromptsChanged([&] { ++prompts; });
  ASSERT_TRUE(catalog_.AddResource(Info("t://a"), Text("")));
  EXPECT_FALSE(catalog_.AddResource(Info("t://a"), Text("")));
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://{a}"), Text(""), {}));
  ASSERT_TRUE(catalog_.RemoveResource("t://a"));
  EXPECT_FALSE(catalog_.RemoveResource("t://a"));
  EXPECT_EQ(resources, 3);
  EXPECT_EQ(prompts, 0);
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("p"), Says({}), {}));
  ASSERT_TRUE(catalog_.RemovePrompt("p"));
  EXPECT_EQ(prompts, 2);
}

TEST_F(CatalogTest, WatchKnowsResourcesAndTemplates) {
  ASSERT_TRUE(catalog_.AddResource(Info("t://a"), Text("")));
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://x/{a}"), Text(""), {}));
  EXPECT_TRUE(catalog_.Watch("t://a", {}));
  EXPECT_TRUE(catalog_.Watch("t://x/1", {}));
  EXPECT_FALSE(catalog_.Watch("t://x/1/2", {}));
  EXPECT_FALSE(catalog_.Watch("t://b", {}));
}

class CountingWatcher : public ResourceWatcher {
 public:
  int watched = 0;
  int stopped = 0;
  Result<void> Watch(std::string_view, const UriVariables& variables,
                     const Principal& principal) override {
    ++watched;
    if (variables.at("a") == "mine" && principal.user == "local") return {};
    return Error{Code::kPermissionDenied, "not yours", {}};
  }
  void Stop() override { ++stopped; }
};

TEST_F(CatalogTest, TheWatcherOfATemplateDecidesOnSubscriptions) {
  const auto watcher = std::make_shared<CountingWatcher>();
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://{a}"), Text(""), {}, watcher));
  EXPECT_TRUE(catalog_.Watch("t://mine", {}));
  ExpectError(catalog_.Watch("t://yours", {}), Code::kPermissionDenied, "not yours");
  ExpectError(catalog_.Watch("u://mine", {}), Code::kResourceNotFound, "u://mine");
  EXPECT_EQ(watcher->watched, 2);
  Principal blind;
  blind.credential = std::make_shared<Credential>();
  ExpectError(catalog_.Watch("t://mine", blind), Code::kPermissionDenied, "read");
  EXPECT_EQ(watcher->watched, 2);
  catalog_.StopWatchers();
  EXPECT_EQ(watcher->stopped, 1);
}

TEST_F(CatalogTest, ReadsTextAndBlobs) {
  ResourceInfo info = Info("t://a");
  info.mime_type = "text/plain";
  ASSERT_TRUE(catalog_.AddResource(info, Text("line\n\"q\"")));
  EXPECT_EQ(catalog_.ReadResource("t://a", context_)->head,
            R"("contents":[{"uri":"t://a","mimeType":"text/plain","text":"line\n\"q\""}])");
  ASSERT_TRUE(catalog_.AddResource(
      Info("t://b"),
      [](std::string_view, const UriVariables&, CallContext&) -> Result<ResourceContents> {
        return ResourceContents{"image/png", std::string("\x89P\0", 3), true};
      }));
  EXPECT_EQ(catalog_.ReadResource("t://b", context_)->head,
            R"("contents":[{"uri":"t://b","mimeType":"image/png","blob":"iVAA"}])");
  ASSERT_TRUE(catalog_.AddResource(Info("t://c"), Text("")));
  EXPECT_EQ(catalog_.ReadResource("t://c", context_)->head,
            R"("contents":[{"uri":"t://c","text":""}])");
}

TEST_F(CatalogTest, PlainResourceWinsOverTemplateWhichGetsItsVariables) {
  ASSERT_TRUE(catalog_.AddTemplate(Info("test://template/{id}/data"),
                                   [](std::string_view uri, const UriVariables& variables,
                                      CallContext&) -> Result<ResourceContents> {
                                     return ResourceContents{
                                         "application/json",
                                         std::string(uri) + "=" + variables.at("id"), false};
                                   },
                                   {}));
  ASSERT_TRUE(catalog_.AddResource(Info("test://template/7/data"), Text("plain")));
  EXPECT_THAT(catalog_.ReadResource("test://template/123/data", context_)->head,
              HasSubstr(R"("text":"test://template/123/data=123")"));
  EXPECT_THAT(catalog_.ReadResource("test://template/7/data", context_)->head, HasSubstr("plain"));
}

TEST_F(CatalogTest, MissingResourceIsNamedInTheData) {
  const auto read = catalog_.ReadResource("t://none", context_);
  ExpectError(read, Code::kResourceNotFound, "Resource not found: t://none");
  EXPECT_EQ(read.error().data, Json(JsonObject{{"uri", "t://none"}}));
  const auto long_read = catalog_.ReadResource("t://" + std::string(100'000, 'x'), context_);
  ExpectError(long_read, Code::kResourceNotFound, "Resource not found");
  EXPECT_LT(long_read.error().message.size(), 300u);
}

TEST_F(CatalogTest, ReaderThatFindsNothingIsResourceNotFound) {
  ASSERT_TRUE(catalog_.AddTemplate(Info("t://{id}"),
                                   [](std::string_view, const UriVariables& variables,
                                      CallContext& call) -> Result<ResourceContents> {
                                     if (variables.at("id") == "ask") return call.Ask({}).error();
                                     return Error::NotFound("no row");
                                   },
                                   {}));
  const auto read = catalog_.ReadResource("t://9", context_);
  ExpectError(read, Code::kResourceNotFound, "t://9");
  EXPECT_EQ(read.error().data.at("uri").as_string(), "t://9");
  ExpectError(catalog_.ReadResource("t://ask", context_), Code::kInputRequired, "ask");
}

TEST_F(CatalogTest, ThrowingHandlersBecomeInternalErrorsWithoutDetail) {
  ASSERT_TRUE(catalog_.AddResource(
      Info("t://a"),
      [](std::string_view, const UriVariables&, CallContext&) -> Result<ResourceContents> {
        throw std::runtime_error("secret detail");
      }));
  ASSERT_TRUE(catalog_.AddPrompt(
      Prompt("p", {{"a", "", false}}),
      [](const auto&, CallContext&) -> Result<JsonArray> { throw 7; },
      [](std::string_view, std::string_view, const auto&) -> Result<Completion> {
        throw std::runtime_error("secret detail");
      }));
  const auto read = catalog_.ReadResource("t://a", context_);
  ExpectError(read, Code::kInternal, "failed");
  EXPECT_THAT(read.error().message, Not(HasSubstr("secret")));
  for (const auto& result :
       {catalog_.GetPrompt("p", {}, kModernRevision, context_),
        catalog_.Complete(Object(
            R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}})"))}) {
    ExpectError(result, Code::kInternal, "failed");
    EXPECT_THAT(result.error().message, Not(HasSubstr("secret")));
  }
}

TEST_F(CatalogTest, ALongTextIsAnOrdinaryTextToTheReader) {
  const auto text = std::make_shared<base::LongText>(::testing::TempDir());
  ASSERT_TRUE(text->Append("a \"long\"\r\n"));
  ASSERT_TRUE(text->Append("text"));
  ResourceInfo info = Info("t://long/{id}");
  info.mime_type = "text/csv";
  ASSERT_TRUE(catalog_.AddLongTemplate(info,
                                       [&](const UriVariables& variables, CallContext&)
                                           -> Result<std::shared_ptr<const base::LongText>> {
                                         if (variables.at("id") != "1")
                                           return Error::NotFound("none");
                                         return std::shared_ptr<const base::LongText>(text);
                                       }));
  EXPECT_EQ(
      *catalog_.ReadResource("t://long/1", context_)->Whole(),
      R"("contents":[{"uri":"t://long/1","mimeType":"text/csv","text":"a \"long\"\r\ntext"}])");
  ExpectError(catalog_.ReadResource("t://long/2", context_), Code::kResourceNotFound, "t://long/2");
}

TEST_F(CatalogTest, SpilledResultsAreReadByTheirOwnerOnly) {
  const auto uri = results_.Put(context_.principal(), "application/json", "{\"rows\":1}");
  ASSERT_TRUE(uri);
  EXPECT_EQ(catalog_.ReadResource(*uri, context_)->head,
            "\"contents\":[{\"uri\":\"" + *uri +
                R"(","mimeType":"application/json","text":"{\"rows\":1}"}])");
  FakeContext mallory("mallory");
  const auto foreign = catalog_.ReadResource(*uri, mallory);
  ExpectError(foreign, Code::kResourceNotFound, "Resource not found");
  EXPECT_EQ(foreign.error().data.at("uri").as_string(), *uri);
}

TEST_F(CatalogTest, PromptGetsItsArguments) {
  PromptInfo info = Prompt("greet", {{"who", "", true}, {"how", "", false}});
  info.description = "Greets";
  ASSERT_TRUE(catalog_.AddPrompt(info,
                                 [](const auto& arguments, CallContext&) -> Result<JsonArray> {
                                   const std::string text = "Hi " + arguments.at("who");
                                   return JsonArray{
                                       JsonObject{{"role", "user"},
                                                  {"content", {{"type", "text"}, {"text", text}}}}};
                                 },
                                 {}));
  EXPECT_EQ(
      *catalog_.GetPrompt("greet", {{"who", "Ann"}}, kModernRevision, context_),
      R"("description":"Greets","messages":[{"role":"user","content":{"type":"text","text":"Hi Ann"}}])");
}

TEST_F(CatalogTest, PromptArgumentErrorsNameTheArgument) {
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("greet", {{"who", "", true}}), Says({}), {}));
  ExpectError(catalog_.GetPrompt("gret", {}, kModernRevision, context_), Code::kInvalidArgument,
              "Unknown prompt: gret; did you mean greet?");
  ExpectError(catalog_.GetPrompt("greet", {}, kModernRevision, context_), Code::kInvalidArgument,
              "needs the argument who");
  ExpectError(catalog_.GetPrompt("greet", {{"who", "a"}, {"x", "b"}}, kModernRevision, context_),
              Code::kInvalidArgument, "Unknown argument of the prompt greet: x; it takes who");
  ExpectError(catalog_.GetPrompt("greet", {{"who", 1}}, kModernRevision, context_),
              Code::kInvalidArgument, "who of the prompt greet must be a string");
  ExpectError(catalog_.GetPrompt("greet", {{"who", nullptr}}, kModernRevision, context_),
              Code::kInvalidArgument, "must be a string");
}

TEST_F(CatalogTest, ContentKindsTheRevisionLacksBecomeText) {
  const JsonObject audio{{"type", "audio"}, {"mimeType", "audio/wav"}, {"data", "AAAA"}};
  const JsonObject link{{"type", "resource_link"}, {"name", "Log"}, {"uri", "t://log"}};
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("audio"), Says(audio), {}));
  ASSERT_TRUE(catalog_.AddPrompt(Prompt("link"), Says(link), {}));
  EXPECT_EQ(*catalog_.GetPrompt("audio", {}, Revision::k2024_11_05, context_),
            R"("messages":[{"role":"user","content":{"type":"text",)"
            R"("text":"[Audio of type audio/wav: not available in this protocol revision]"}}])");
  EXPECT_THAT(*catalog_.GetPrompt("audio", {}, Revision::k2025_03_26, context_),
              HasSubstr(R"("data":"AAAA")"));
  EXPECT_EQ(*catalog_.GetPrompt("link", {}, Revision::k2025_03_26, context_),
            R"("messages":[{"role":"user","content":{"type":"text","text":"Log: t://log"}}])");
  EXPECT_THAT(*catalog_.GetPrompt("link", {}, Revision::k2025_06_18, context_),
              HasSubstr(R"("type":"resource_link")"));
}

TEST_F(CatalogTest, BadMessagesOfAHandlerAreInternalErrors) {
  const std::vector<JsonArray> bad = {
      {1},
      {JsonObject{{"role", "user"}}},
      {JsonObject{{"role", "system"}, {"content", {{"type", "text"}}}}},
      {JsonObject{{"role", "user"}, {"content", "text"}}},
      {JsonObject{{"role", "user"}, {"content", JsonObject{{"text", "x"}}}}}};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    ASSERT_TRUE(catalog_.AddPrompt(
        Prompt(name), [&, i](const auto&, CallContext&) -> Result<JsonArray> { return bad[i]; },
        {}));
    ExpectError(catalog_.GetPrompt(name, {}, kModernRevision, context_), Code::kInternal,
                "prompt handler failed");
  }
}

class CompletionTest : public CatalogTest {
 protected:
  CompletionTest() {
    const auto repeat = [](std::string_view argument, std::string_view value,
                           const auto& known) -> Result<Completion> {
      Completion completion;
      if (value == "many") {
        for (int i = 0; i < 150; ++i) completion.values.push_back(std::to_string(i));
        return completion;
      }
      if (value == "total") return Completion{{"a", "b"}, 500};
      std::string text = std::string(argument) + "=" + std::string(value);
      for (const auto& [name, other] : known) text += base::StrCat(",", name, "=", other);
      completion.values.push_back(text);
      return completion;
    };
    EXPECT_TRUE(
        catalog_.AddPrompt(Prompt("p", {{"a", "", false}, {"b", "", false}}), Says({}), repeat));
    EXPECT_TRUE(catalog_.AddPrompt(Prompt("plain", {{"a", "", false}}), Says({}), {}));
    EXPECT_TRUE(catalog_.AddTemplate(Info("t://{id}"), Text(""), repeat));
    EXPECT_TRUE(catalog_.AddResource(Info("t://fixed"), Text("")));
  }

  Result<std::string> Complete(std::string_view params) {
    return catalog_.Complete(Object(params));
  }
};

TEST_F(CompletionTest, CompletesPromptsAndTemplates) {
  EXPECT_EQ(
      *Complete(R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"},
                          "context":{"arguments":{"b":"1"}}})"),
      R"("completion":{"values":["a=x,b=1"],"total":1,"hasMore":false})");
  EXPECT_EQ(*Complete(R"({"ref":{"type":"ref/resource","uri":"t://{id}"},
                          "argument":{"name":"id","value":""}})"),
            R"("completion":{"values":["id="],"total":1,"hasMore":false})");
}

TEST_F(CompletionTest, WithoutACompleterThereAreNoValues) {
  EXPECT_EQ(
      *Complete(
          R"({"ref":{"type":"ref/prompt","name":"plain"},"argument":{"name":"a","value":"x"}})"),
      R"("completion":{"values":[],"total":0,"hasMore":false})");
}

TEST_F(CompletionTest, SendsAtMostAHundredValues) {
  const auto many = Complete(
      R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"many"}})");
  ASSERT_TRUE(many);
  const Json parsed = base::ParseJson("{" + *many + "}").value();
  EXPECT_EQ(parsed.at("completion").at("values").as_array().size(), 100u);
  EXPECT_EQ(parsed.at("completion").at("total"), Json(150));
  EXPECT_EQ(parsed.at("completion").at("hasMore"), Json(true));
  EXPECT_EQ(
      *Complete(
          R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"total"}})"),
      R"("completion":{"values":["a","b"],"total":500,"hasMore":true})");
}

TEST_F(CompletionTest, MalformedParamsNameWhatIsMissing) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {R"({})", "needs ref"},
      {R"({"ref":1})", "needs ref"},
      {R"({"ref":{}})", "ref.type"},
      {R"({"ref":{"type":"ref/tool"}})", "ref/prompt or ref/resource"},
      {R"({"ref":{"type":"ref/prompt"}})", "ref.name"},
      {R"({"ref":{"type":"ref/resource","name":"p"}})", "ref.uri"},
      {R"({"ref":{"type":"ref/prompt","name":"p"}})", "needs argument"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":[]})", "needs argument"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"value":""}})", "argument.name"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a"}})", "argument.value"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":1}})",
       "argument.value"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},"context":1})",
       "context must be"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},
          "context":{"arguments":[]}})",
       "context.arguments must be"},
      {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},
          "context":{"arguments":{"b":2}}})",
       "context.arguments.b must be a string"},
  };
  for (const auto& [params, text] : cases)
    ExpectError(Complete(params), Code::kInvalidArgument, text);
}

TEST_F(CompletionTest, UnknownReferencesAndArgumentsAreRefused) {
  ExpectError(
      Complete(R"({"ref":{"type":"ref/prompt","name":"q"},"argument":{"name":"a","value":""}})"),
      Code::kInvalidArgument, "Unknown prompt: q");
  ExpectError(
      Complete(
          R"({"ref":{"type":"ref/resource","uri":"t://fixed"},"argument":{"name":"a","value":""}})"),
      Code::kInvalidArgument, "Unknown resource template: t://fixed");
  ExpectError(
      Complete(R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"z","value":""}})"),
      Code::kInvalidArgument, "it takes a, b");
  ExpectError(
      Complete(
          R"({"ref":{"type":"ref/resource","uri":"t://{id}"},"argument":{"name":"z","value":""}})"),
      Code::kInvalidArgument, "it has id");
}

TEST_F(CatalogTest, ReadersSeeWholeSnapshotsWhileEntriesComeAndGo) {
  ASSERT_TRUE(catalog_.AddResource(Info("t://always"), Text("here")));
  std::atomic<bool> done = false;
  std::atomic<int> failures = 0;
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      FakeContext own;
      while (!done) {
        if (!catalog_.ReadResource("t://always", own)) ++failures;
        if (!catalog_.ListResources(kModernRevision, "")) ++failures;
        (void)catalog_.ReadResource("t://x", own);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(catalog_.AddResource(Info("t://x"), Text("x")));
    EXPECT_TRUE(catalog_.RemoveResource("t://x"));
  }
  done = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(CatalogTest, AResourceMayRemoveItselfWhileBeingRead) {
  ASSERT_TRUE(catalog_.AddResource(
      Info("t://once"),
      [this](std::string_view uri, const UriVariables&, CallContext&) -> Result<ResourceContents> {
        EXPECT_TRUE(catalog_.RemoveResource(uri));
        return ResourceContents{"", "bye", false};
      }));
  EXPECT_THAT(catalog_.ReadResource("t://once", context_)->head, HasSubstr("bye"));
  EXPECT_FALSE(catalog_.Watch("t://once", {}));
}

}  // namespace
}  // namespace toolpost::mcp
