// Settings as text: `config show` and docs/configuration.md.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "config/config.h"
#include "config/mcp_config.h"
#include "config/named.h"
#include "config/options.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

constexpr std::string_view kIntroduction =
    R"(# Configuration

Generated from the option table in `src/config`; do not edit.

Every setting has a default; `toolpost` runs without any configuration. A setting can be given in four places, each overriding the
one before:

1. the default,
2. the configuration file,
3. an environment variable,
4. a command-line flag.

`toolpost config show` prints the settings in effect and where each comes from, `toolpost config check` only checks them. Unknown keys and
flags, values of the wrong type and values out of range stop the start with a message that names the file and line, the variable or the
flag, and what to write instead.

## The file

The file given with `--config FILE`; else `toolpost.toml` in the working directory; else `toolpost/toolpost.toml` in `$XDG_CONFIG_HOME`
(default `~/.config`). It is TOML, or JSON of the same shape when its name ends in `.json`, and at most 1 MiB:

```toml
[http]
port = 3001
allowed_origins = ["https://app.example"]

[tools]
toolsets = ["system"]

[limits]
call_timeout = "2m"
```

In strings `${VAR}` is replaced by the environment variable, `${VAR:-text}` by the text when the variable is not set or empty, and `$${`
stands for a plain `${`. A string made this way may also stand for a number or `true` and `false`.

## Values

- **duration**: a number of seconds, or a whole number with a unit: `"500ms"`, `"30s"`, `"15m"`, `"2h"`, `"1d"`. Timeouts and limits are
  rounded up to whole seconds.
- **size**: a number of bytes, or a whole number with a unit: `"64KiB"`, `"10MiB"`, `"1GiB"` (also `kB`, `MB`, `GB`).
- **list**: a list of strings in the file; separated by commas in variables and flags.
- **secret**: a string that is never shown: `config show`, messages and logs say `(set)`. Give it in a variable, or in a file only you can
  read, or as `"${VAR}"` in the file; flags are visible to other users of the machine. Secrets that are too short, repeat a few characters
  or are well-known placeholders are refused.
- **true or false**: in variables and flags also `1`, `0`, `yes`, `no`, `on`, `off`; a flag without a value means `true`.

An environment variable that is set to nothing counts as not set. Where a setting has two variables the one that starts with
`TOOLPOST_` wins.

A setting marked *live* takes effect when the file changes (`serve`: also at SIGHUP); the others need a restart.

## MCPConfig

A JSON file may also use the names of `MCPConfig` at its top level, such as `{"transport": "http", "auth": {"enabled": true, "method":
"token", "secretKey": "${MY_KEY}"}}`. A setting given under both names is an error.

)";

constexpr std::string_view kAfterMapping = R"(
In a file of that kind `auth.secretKey` goes with the `auth.method` beside it, and is not used when `auth.enabled` is `false`.
)";

std::string MappingTable() {
  std::string out = "| field | setting | difference |\n|---|---|---|\n";
  for (const McpConfigField& field : McpConfigFields()) {
    const std::size_t dot = field.name.find('.');
    out.append(base::StrCat("| `", field.name.substr(0, dot), "`"));
    if (dot != std::string_view::npos)
      out.append(base::StrCat(" › `", field.name.substr(dot + 1), "`"));
    out.append(base::StrCat(" | `", field.key, "`"));
    if (!field.key_for_tokens.empty()) out.append(base::StrCat(" or `", field.key_for_tokens, "`"));
    out.append(base::StrCat(" | ", field.difference, " |\n"));
  }
  return out;
}

std::string DocumentedType(const Option& option) {
  switch (option.type) {
    case Type::kString:
      return option.secret ? "secret" : "string";
    case Type::kStrings:
      return "list";
    case Type::kBoolean:
      return "true or false";
    case Type::kInteger:
      return base::StrCat("number ", option.minimum, " to ", option.maximum);
    case Type::kDuration:
      return base::StrCat("duration ", FormatDuration(std::chrono::milliseconds(option.minimum)),
                          " to ", FormatDuration(std::chrono::milliseconds(option.maximum)));
    case Type::kSize:
      return base::StrCat("size ", FormatSize(option.minimum), " to ", FormatSize(option.maximum));
    case Type::kChoice:
      break;
  }
  std::string text;
  for (const std::string_view choice : option.choices) {
    if (!text.empty()) text.append(", ");
    text.append(base::StrCat("`", choice, "`"));
  }
  return text;
}

std::string DocumentedDefault(const Option& option, const Config& defaults) {
  if (!option.default_note.empty()) return std::string(option.default_note);
  return base::StrCat("`", Render(option, defaults), "`");
}

// "`A`" or "`A`, `B`".
std::string Names(std::string_view prefix, std::string_view first, std::string_view second) {
  std::string text = base::StrCat("`", prefix, first, "`");
  if (!second.empty()) text.append(base::StrCat(", `", prefix, second, "`"));
  return text;
}

}  // namespace

std::string RenderEffective(const Config& config) {
  std::string out;
  for (const Option& option : Options()) {
    const std::string value = Render(option, config);
    // "# key = (set)": the line must not read back as another secret.
    out.append(base::StrCat(option.secret && value == kSecretIsSet ? "# " : "", option.key, " = ",
                            value, "  # ", OriginOf(config, option.key).name, "\n"));
  }
  for (const Config::Named& named : config.named) {
    out.append(base::StrCat(named.secret ? "# " : "", named.key, " = ", named.value, "  # ",
                            named.where, "\n"));
  }
  return out;
}

std::string RenderDocs() {
  Config defaults;
  for (const Option& option : Options()) {
    // The table's own defaults are in range (tested).
    (void)Assign(option, Text{std::string(option.default_value)}, defaults);
  }
  std::string out = base::StrCat(kIntroduction, MappingTable(), kAfterMapping);
  std::string_view section;
  for (const Option& option : Options()) {
    if (option.section() != section) {
      section = option.section();
      out.append(base::StrCat(
          "\n## [", section, "]\n\n",
          "| key | type | default | environment | flag | meaning |\n|---|---|---|---|---|---|\n"));
    }
    out.append(base::StrCat("| `", option.key, "` | ", DocumentedType(option), " | ",
                            DocumentedDefault(option, defaults), " | ",
                            Names("", option.environment, option.environment_alias), " | ",
                            Names("--", option.flag, option.flag_alias), " | ", option.help,
                            option.live ? " (*live*)" : "", " |\n"));
  }
  out.append(NamedDocs());
  return out;
}

}  // namespace toolpost::config
