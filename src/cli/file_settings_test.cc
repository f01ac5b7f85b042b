#include "cli/file_settings.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace toolpost::cli {
namespace {

using ::testing::Contains;

TEST(FileSettings, OurOwnFilesAreHiddenFromTools) {
  config::Config config;
  config.state.dir = "/var/lib/x";
  config.file = "/etc/x.toml";
  config.vault.key_file = "/etc/vault.key";
  config.http.tls_key = "/etc/tls.key";
  config.appsettings.file = "/srv/appsettings.json";
  config.database.url_file = "/etc/toolpost/url";
  config.connections["sales"].url_file = "/etc/toolpost/sales";
  const auto hidden = FileOptionsOf(config).roots.hidden;
  // The last is the file that the next start would read, whether it is there or not.
  for (const std::string& path :
       {config.state.dir, config.file, config.vault.key_file, config.http.tls_key,
        config.appsettings.file, (std::filesystem::current_path() / "toolpost.toml").string()})
    EXPECT_THAT(hidden, Contains(path));
  EXPECT_THAT(hidden, Contains("/etc/toolpost/url"));
  EXPECT_THAT(hidden, Contains("/etc/toolpost/sales"));
  EXPECT_THAT(hidden, ::testing::Not(Contains("")));
}

TEST(FileSettings, PassesOnWhatIsConfigured) {
  config::Config config;
  config.files.roots = {"/a"};
  config.files.read_only_roots = {"/b"};
  config.files.follow_links = true;
  config.files.client_roots = true;
  config.files.max_read = 4096;
  const auto options = FileOptionsOf(config);
  EXPECT_EQ(options.roots.roots, config.files.roots);
  EXPECT_EQ(options.roots.read_only_roots, config.files.read_only_roots);
  EXPECT_TRUE(options.roots.follow_links);
  EXPECT_TRUE(options.client_roots);
  EXPECT_EQ(options.max_read, 4096u);
}

}  // namespace
}  // namespace toolpost::cli
