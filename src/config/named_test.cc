// Tests of named connections and declared tools.
#include "config/named.h"

#include <gmock/gmock.h>

#include "config/testing.h"

namespace toolpost::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class NamedSettings : public LoadTest {};

constexpr char kShop[] = R"(
[database]
max_rows = 500
[database.shop]
url = "sqlite:///srv/shop.db"
description = "The shop."
max_connections = 3
[database.sales]
url = "${SALES_URL}"
accept_privileged = true
[tool.orders_of]
description = "Orders of a customer."
statement = "SELECT * FROM orders WHERE customer_id = :customer"
connection = "shop"
parameters.customer = { type = "integer", description = "Customer id.", minimum = 1 }
parameters.status = "string"
limit = 20
[tool."sales/total"]
description = "Total."
statement = "SELECT 1"
connection = "sales"
parameters.year = { type = "integer", default = 2025 }
parameters.kind = { type = "string", enum = ["a", "b"] }
)";

TEST_F(NamedSettings, AreReadFromTables) {
  sources_.environment["SALES_URL"] = "postgresql://u:secret@h/d";
  const Config config = Loaded("c.toml", kShop);
  ASSERT_EQ(config.connections.size(), 2u);
  EXPECT_EQ(config.connections.at("shop").url, "sqlite:///srv/shop.db");
  EXPECT_EQ(config.connections.at("shop").max_connections, 3u);
  EXPECT_EQ(config.connections.at("sales").url, "postgresql://u:secret@h/d");
  EXPECT_TRUE(config.connections.at("sales").accept_privileged);
  EXPECT_EQ(config.database.max_rows, 500u);
  const Config::DeclaredTool& tool = config.declared_tools.at("orders_of");
  EXPECT_EQ(tool.connection, "shop");
  EXPECT_EQ(tool.limit, 20u);
  ASSERT_EQ(tool.parameters.size(), 2u);
  EXPECT_EQ(tool.parameters[0].name, "customer");
  EXPECT_EQ(tool.parameters[0].minimum, 1);
  EXPECT_EQ(tool.parameters[1].type, "string");
  const Config::DeclaredTool& total = config.declared_tools.at("sales/total");
  EXPECT_EQ(total.parameters.size(), 2u);
  EXPECT_THAT(config.warnings, IsEmpty());
}

TEST_F(NamedSettings, AreReadFromJsonToo) {
  const Config config = Loaded("c.json", R"({"database":{"max_rows":7,"shop":{"url":"sqlite:x.db"}},
    "tool":{"t":{"description":"d","statement":"SELECT :a","parameters":{"a":{"type":"number"}}}}})");
  EXPECT_EQ(config.connections.at("shop").url, "sqlite:x.db");
  EXPECT_EQ(config.declared_tools.at("t").parameters.at(0).type, "number");
  EXPECT_EQ(config.database.max_rows, 7u);
}

TEST_F(NamedSettings, NumbersMayComeFromVariables) {
  sources_.environment = {{"N", "7"}, {"REAL", "0.5"}, {"FLAG", "true"}, {"WORD", "7"}};
  const Config config = Loaded("c.toml", R"(
[database.a]
url = "sqlite:x"
max_connections = "${N}"
[tool.t]
description = "d"
statement = "s"
limit = "${N}"
parameters.n = { default = "${N}", minimum = "${N}", type = "integer" }
parameters.r = { type = "number", default = "${REAL}", minimum = "${REAL}", maximum = 1.5 }
parameters.b = { type = "boolean", default = "${FLAG}" }
parameters.s = { type = "string", default = "${WORD}" }
parameters.p = { type = "number", default = 0.5, minimum = 0.25, required = false }
)");
  EXPECT_EQ(config.connections.at("a").max_connections, 7u);
  const Config::DeclaredTool& tool = config.declared_tools.at("t");
  EXPECT_EQ(tool.limit, 7u);
  EXPECT_EQ(tool.parameters.at(0).default_value, Json(7));
  EXPECT_EQ(tool.parameters.at(0).minimum, Json(7));
  EXPECT_EQ(tool.parameters.at(1).default_value, Json(0.5));
  EXPECT_EQ(tool.parameters.at(1).maximum, Json(1.5));
  EXPECT_EQ(tool.parameters.at(2).default_value, Json(true));
  EXPECT_EQ(tool.parameters.at(3).default_value, Json("7"));
  EXPECT_FALSE(tool.parameters.at(4).required);
  EXPECT_THAT(RenderEffective(config), HasSubstr("parameters.p.minimum = 0.25  # "));
  EXPECT_THAT(RenderEffective(config), HasSubstr("max_connections = \"7\"  # "));
  sources_.environment["N"] = "many";
  EXPECT_THAT(LoadError("c.toml", "[database.a]\nurl = \"sqlite:x\"\nmax_connections = \"${N}\"\n"),
              HasSubstr("database.a.max_connections must be a whole number from 1 to 1000"));
  EXPECT_THAT(LoadError("c.toml",
                        "[tool.t]\ndescription = \"d\"\nstatement = \"s\"\n"
                        "parameters.n = {type = \"integer\", default = \"${N}\"}\n"),
              HasSubstr("a default that is not a integer"));
}

TEST_F(NamedSettings, TheDefaultConnectionComesFromDatabaseUrl) {
  sources_.environment["DATABASE_URL"] = "postgresql://u@h/d";
  EXPECT_EQ(Loaded().connections.at("default").url, "postgresql://u@h/d");
  EXPECT_THAT(LoadError("c.toml", "[database.default]\nurl = \"sqlite:x\"\n"),
              HasSubstr("both set"));
  sources_.environment.erase("DATABASE_URL");
  EXPECT_EQ(Loaded("c.toml", "[database.default]\nurl = \"sqlite:x\"\n").connections.size(), 1u);
  EXPECT_THAT(Loaded("c.toml", "").connections, IsEmpty());
}

TEST_F(NamedSettings, UrlsMayStandInFilesOfTheirOwn) {
  Write("url.txt", "postgresql://u:p@h/d\n");
  EXPECT_EQ(Loaded("c.toml", "[database.a]\nurl_file = \"url.txt\"\n").connections.at("a").url,
            "postgresql://u:p@h/d");
  EXPECT_EQ(Loaded("c.toml", "[database]\nurl_file = \"url.txt\"\n").connections.at("default").url,
            "postgresql://u:p@h/d");
  EXPECT_THAT(LoadError("c.toml", "[database.a]\nurl_file = \"none.txt\"\n"),
              HasSubstr("database.a.url_file"));
  EXPECT_THAT(LoadError("c.toml", "[database.a]\nurl_file = \"url.txt\"\nurl = \"sqlite:x\"\n"),
              HasSubstr("both set"));
}

TEST_F(NamedSettings, MistakesAreExplained) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"[database.a]\ndescription = \"x\"\n", "database.a needs a url or url_file"},
      {"[database.a]\nurl = \"mysql://x\"\n", "must start with postgresql:// or sqlite:"},
      {"[database.a]\nurl = 5\n", "database.a.url must be a string"},
      {"[database.a]\nurl = \"sqlite:x\"\ncolour = 1\n",
       "c.toml:3: database.a.colour is not a setting"},
      {"[database.a]\nurl = \"sqlite:x\"\nmax_connections = 0\n", "from 1 to 1000"},
      {"[database.\"a b\"]\nurl = \"sqlite:x\"\n", "letters, digits"},
      {"[database.max_rows]\nurl = \"sqlite:x\"\n", "a name that is a setting"},
      {"[database.a]\nurl = \"sqlite:x\"\naccept_privileged = \"yes\"\n", "must be true or false"},
      {"[database]\nshop = \"sqlite:x\"\n", "unknown key database.shop"},
      {"[tool]\nx = 1\n", "tool.x is a table"},
      {"[tool.x]\nstatement = \"SELECT 1\"\n", "tool.x needs a description"},
      {"[tool.x]\ndescription = \"d\"\n", "tool.x needs a statement"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nread_only = false\n", "must be true"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nconnection = \"nope\"\n",
       "not configured"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nconnection = \"default\"\n",
       "names default, which is not configured"},
      {"[database.a]\nurl = \"sqlite:x\"\n[database.b]\nurl = \"sqlite:y\"\n[tool.x]\ndescription "
       "= \"d\"\nstatement = \"s\"\n",
       "c.toml:6: tool.x needs a connection"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"integer\", "
       "minimum = 0.5}\n",
       "with a fraction"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"number\", "
       "maximum = 0.5, default = 1}\n",
       "a default that it does not allow"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = \"date\"\n",
       "needs a type: string"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {description = \"x\"}\n",
       "needs a type"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"string\", "
       "minimum = 1}\n",
       "only numbers have"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"integer\", "
       "default = \"x\"}\n",
       "a default that is not a integer"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"integer\", "
       "minimum = 2, maximum = 1}\n",
       "a minimum above its maximum"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"integer\", "
       "maximum = 1, default = 2}\n",
       "a default that it does not allow"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"string\", "
       "enum = [\"a\"], default = \"b\"}\n",
       "a default that it does not allow"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nparameters.a = {type = \"integer\", size "
       "= 1}\n",
       "is not a setting; known are type"},
      {"[tool.\"a b\"]\ndescription = \"d\"\nstatement = \"s\"\n", "is not a name"},
      {"[tool.x]\ndescription = \"d\"\nstatement = \"s\"\nlimit = 0\n", "from 1 to 1000000"},
  };
  for (const auto& [text, message] : mistakes)
    EXPECT_THAT(LoadError("c.toml", text), HasSubstr(message)) << text;
}

TEST_F(NamedSettings, ListingsShowEverythingButUrls) {
  sources_.environment["SALES_URL"] = "postgresql://u:pLaNtEd@h/d";
  const Config config = Loaded("c.toml", kShop);
  const std::string shown = RenderEffective(config);
  EXPECT_THAT(shown, HasSubstr("\n# database.sales.url = (set)  # "));
  EXPECT_THAT(shown, HasSubstr("\ndatabase.shop.description = \"The shop.\"  # "));
  EXPECT_THAT(shown, HasSubstr("\ntool.\"sales/total\".parameters.kind.enum = [\"a\", \"b\"]  # "));
  EXPECT_THAT(shown, Not(HasSubstr("pLaNtEd")));
  EXPECT_THAT(shown, Not(HasSubstr("/srv/shop.db")));
}

TEST_F(NamedSettings, ChangesAreNamed) {
  sources_.environment["SALES_URL"] = "postgresql://u:p@h/d";
  const Config before = Loaded("c.toml", kShop);
  std::string text = kShop;
  text.replace(text.find("The shop."), 9, "The store");
  text.replace(text.find("limit = 20"), 10, "limit = 30");
  text += "[tool.more]\ndescription = \"d\"\nstatement = \"SELECT 1\"\nconnection = \"shop\"\n";
  const auto changes = Diff(before, Loaded("c.toml", text));
  std::vector<std::string> keys;
  for (const Change& change : changes) keys.push_back(change.key + (change.live ? " live" : ""));
  EXPECT_THAT(keys, ElementsAre("database.shop live", "tool.orders_of live", "tool.more live"));
  EXPECT_THAT(Diff(before, Loaded("c.toml", kShop)), IsEmpty());
}

TEST_F(NamedSettings, AUrlWithAPasswordInAFileOthersCanReadIsWarnedAbout) {
  const auto path = Write("c.toml", "[database.a]\nurl = \"postgresql://u:pLaNtEd@h/d\"\n");
  sources_.config_file = path.string();
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  EXPECT_THAT(Loaded().warnings, ElementsAre(HasSubstr("database.a.url is in a file other users")));
  EXPECT_THAT(Loaded().warnings, ElementsAre(Not(HasSubstr("pLaNtEd"))));
}

}  // namespace
}  // namespace toolpost::config
