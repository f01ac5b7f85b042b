#include "tools/file/resources.h"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "mcp/catalog.h"
#include "tools/file/file_fixture.h"
#include "tools/file/file_uri.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;

class ResourcesTest : public FileFixture {
 protected:
  ~ResourcesTest() override { catalog_.StopWatchers(); }

  void Offer() {
    Start();
    const ResourceHost host{.add_template =
                                [&](ResourceInfo info, ResourceReader reader,
                                    std::shared_ptr<ResourceWatcher> watcher) {
                                  return catalog_.AddTemplate(std::move(info), std::move(reader),
                                                              {}, std::move(watcher));
                                },
                            .updated =
                                [&](std::string_view uri) {
                                  const std::lock_guard lock(mutex_);
                                  told_.emplace(uri);
                                  changed_.notify_all();
                                  return std::size_t{1};
                                }};
    ASSERT_TRUE(AddResources(host, services_));
  }
  std::string UriOf(std::string_view relative) const { return UriOfPath(Root(relative).string()); }
  Json Read(const std::string& uri) {
    mcp::TestContext caller;
    caller.who = who_;
    const auto read = catalog_.ReadResource(uri, caller);
    EXPECT_TRUE(read) << uri << ": " << read.error().message;
    return read ? Parse("{" + *read->Whole() + "}").at("contents").at(0) : Json();
  }
  Code Refused(const std::string& uri) {
    mcp::TestContext caller;
    caller.who = who_;
    const auto read = catalog_.ReadResource(uri, caller);
    EXPECT_FALSE(read) << uri;
    return read ? Code::kInternal : read.error().code;
  }
  // Waits until a change of `uri` was told, then forgets it.
  bool Told(const std::string& uri) {
    std::unique_lock lock(mutex_);
    const bool told =
        changed_.wait_for(lock, std::chrono::seconds(20), [&] { return told_.contains(uri); });
    told_.clear();
    return told;
  }
  void Restrict(const std::function<void(Grants&)>& change) {
    auto credential = std::make_shared<Credential>();
    credential->grants.scopes = {"read"};
    change(credential->grants);
    who_.credential = credential;
  }

  mcp::Catalog catalog_{10, results, registry};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string, std::less<>> told_;
};

TEST_F(ResourcesTest, ReadsTextBlobsAndFolders) {
  Put(Root("notes.md"), "# hi");
  Put(Root("data"), std::string("\x00\xFF", 2));
  Put(Root("a b/caf\xE9"), "x");
  Offer();
  EXPECT_EQ(Read(UriOf("notes.md")).at("text"), "# hi");
  EXPECT_EQ(Read(UriOf("notes.md")).at("mimeType"), "text/markdown");
  EXPECT_EQ(Read(UriOf("data")).at("blob"), "AP8=");
  EXPECT_EQ(Read(UriOf("data")).at("mimeType"), "application/octet-stream");
  const Json folder = Read(UriOf("a b"));
  EXPECT_EQ(folder.at("mimeType"), "text/uri-list");
  std::string listed = Text(folder.at("text"));
  ASSERT_TRUE(listed.ends_with("\r\n"));
  listed.resize(listed.size() - 2);
  // What is listed can be read.
  EXPECT_EQ(Read(listed).at("text"), "x");
}

TEST_F(ResourcesTest, NothingOutsideTheRoots) {
  ASSERT_EQ(symlink("../outside/secret", Root("link").c_str()), 0);
  Offer();
  EXPECT_EQ(Refused(UriOfPath(Outside("secret").string())), Code::kPermissionDenied);
  EXPECT_EQ(Refused(UriOf("") + "/../outside/secret"), Code::kPermissionDenied);
  EXPECT_EQ(Refused(UriOf("") + "/%2e%2e/outside/secret"), Code::kPermissionDenied);
  EXPECT_EQ(Refused(UriOf("link")), Code::kPermissionDenied);
  EXPECT_EQ(Refused("file:///etc/passwd"), Code::kPermissionDenied);
  EXPECT_EQ(Refused(UriOf("missing")), Code::kResourceNotFound);
}

TEST_F(ResourcesTest, LargeFilesNameTheTool) {
  options_.max_read = 4;
  Put(Root("f"), "12345");
  Offer();
  EXPECT_EQ(Refused(UriOf("f")), Code::kTooLarge);
}

TEST_F(ResourcesTest, CredentialsCountAsForTheTool) {
  Put(Root("mine/f"), "x");
  Put(Root("other/f"), "x");
  Offer();
  const auto watch = [&](std::string_view file) {
    return catalog_.Watch(UriOf(file), who_).has_value();
  };
  Restrict([](Grants& grants) { grants.roots = {"mine"}; });
  EXPECT_EQ(Read(UriOf("mine/f")).at("text"), "x");
  EXPECT_EQ(Refused(UriOf("other/f")), Code::kPermissionDenied);
  EXPECT_TRUE(watch("mine/f"));
  EXPECT_FALSE(watch("other/f"));
  Restrict([](Grants& grants) { grants.tools = {"system/info"}; });
  EXPECT_EQ(Refused(UriOf("mine/f")), Code::kPermissionDenied);
  EXPECT_FALSE(watch("mine/f"));
  Restrict([](Grants& grants) { grants.toolsets = {"file"}; });
  EXPECT_EQ(Read(UriOf("mine/f")).at("text"), "x");
  Restrict([](Grants& grants) { grants.scopes = {"write"}; });
  EXPECT_EQ(Refused(UriOf("mine/f")), Code::kPermissionDenied);
  EXPECT_FALSE(watch("mine/f"));
}

TEST_F(ResourcesTest, SubscribersLearnOfEveryKindOfChange) {
  Put(Root("d/f"), "x");
  Offer();
  const std::string file = UriOf("d/f");
  const std::string later = UriOf("d/later");
  const std::string folder = UriOf("d");
  for (const std::string& uri : {file, later, folder}) {
    const auto watched = catalog_.Watch(uri, who_);
    ASSERT_TRUE(watched) << watched.error().message;
  }
  Good("file/write", {{"path", "d/f"}, {"content", "y"}});
  EXPECT_TRUE(Told(file));
  Put(Root("d/f"), "in place, by another program");
  EXPECT_TRUE(Told(file));
  Put(Root("d/later"), "");
  EXPECT_TRUE(Told(later));
  std::filesystem::remove(Root("d/f"));
  EXPECT_TRUE(Told(file));
  Put(Root("d/other"), "");
  EXPECT_TRUE(Told(folder));
}

TEST_F(ResourcesTest, OutsideIsNotWatched) {
  ASSERT_EQ(symlink("../outside", Root("link").c_str()), 0);
  Offer();
  for (const std::string& uri :
       {UriOfPath(Outside("secret").string()), UriOf("link/secret"), UriOf("no/such/folder/f")}) {
    EXPECT_FALSE(catalog_.Watch(uri, who_)) << uri;
  }
  EXPECT_EQ(catalog_.Watch("other://x", who_).error().code, Code::kResourceNotFound);
}

}  // namespace
}  // namespace toolpost::tools::file
