// Tables.
#include "tools/mssql/secret_words.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "tools/mssql/secret_scan.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kShortestToken = 16;

constexpr std::string_view kEndings[] = {"password",      "passwd",       "pwd",
                                         "passphrase",    "passcode",     "secret",
                                         "apikey",        "accountkey",   "accesskey",
                                         "secretkey",     "storagekey",   "subscriptionkey",
                                         "sharedkey",     "signingkey",   "privatekey",
                                         "encryptionkey", "keysource",    "accesstoken",
                                         "refreshtoken",  "authtoken",    "bearertoken",
                                         "sessiontoken",  "sastoken",     "idtoken",
                                         "apitoken",      "privatetoken", "sharedaccesssignature"};

// What a secret is for, or how old it is.
constexpr std::string_view kQualifiers[] = {"prod", "production", "dev",     "test",
                                            "uat",  "qa",         "stage",   "staging",
                                            "old",  "new",        "current", "plaintext"};

// What a name with a secret in it is about instead, if nothing else follows: PasswordLength,
// PwdLastSet, SecretaryName. The longest first.
constexpr std::string_view kAbout[] = {
    "requirements", "complexity", "expiration", "protected", "lifetime", "location", "provider",
    "required",     "attempts",   "endpoint",   "changed",   "enabled",  "expired",  "expires",
    "retries",      "timeout",    "change",     "expiry",    "folder",   "length",   "policy",
    "count",        "limit",      "names",      "reset",     "retry",    "date",     "days",
    "file",         "izer",       "last",       "less",      "name",     "path",     "type",
    "ary",          "max",        "min",        "set",       "uri",      "url",      "age",
    "id",           "is"};

constexpr std::string_view kKnownVariables[] = {"_",           "args",  "cred",  "credential",
                                                "credentials", "false", "input", "null",
                                                "psitem",      "this",  "true"};
constexpr std::string_view kScopes[] = {
    "env:", "global:", "local:", "private:", "script:", "using:"};

struct Tool {
  std::string_view name;
  PasswordOptions options;
};
constexpr PasswordOptions kCapital{.capital = true}, kPackage{.package = true},
    kSmall{.small = true}, kApart{.apart = true}, kArchive{.small = true, .header = true},
    kPair{.pair = ':'};
constexpr Tool kTools[] = {{"sqlcmd", kCapital},
                           {"osql", kCapital},
                           {"isql", kCapital},
                           {"bcp", kCapital},
                           {"tsql", kCapital},
                           {"sqlmaint", kCapital},
                           {"dtexec", kPackage},
                           {"dtexecui", kPackage},
                           {"dtutil", kPackage},
                           {"psexec", kSmall},
                           {"psexec64", kSmall},
                           {"schtasks", kSmall},
                           {"sshpass", kSmall},
                           {"sqlpackage", kSmall},
                           {"mysql", kSmall},
                           {"mysqldump", kSmall},
                           {"7z", kSmall},
                           {"winrs", kSmall},
                           {"curl", kPair},
                           {"rsconfig", kSmall},
                           {"tabcmd", kSmall},
                           {"rs", kApart},
                           {"az", kApart},
                           {"unzip", kCapital},
                           {"rar", kArchive},
                           {"mysqladmin", kSmall},
                           {"mysqlimport", kSmall},
                           {"mysqlcheck", kSmall},
                           {"mariadb", kSmall},
                           {"dtsrun", kCapital},
                           {"mongo", kSmall},
                           {"mongosh", kSmall},
                           {"mongodump", kSmall},
                           {"mongorestore", kSmall},
                           {"mongoimport", kSmall},
                           {"mongoexport", kSmall},
                           {"lftp", {.pair = ','}},
                           {"smbclient", {.pair = '%'}},
                           {"redis-cli", {.letter = 'a'}},
                           {"openssl", {.letter = 'k'}}};

struct Beginning {
  std::string_view text;
  std::size_t shortest;  // of the whole token
};
constexpr Beginning kTokens[] = {
    {"AKIA", 20},  {"ASIA", 20},  {"AIza", 35},     {"ghp_", 30},   {"gho_", 30},
    {"ghu_", 30},  {"ghs_", 30},  {"ghr_", 30},     {"glpat-", 20}, {"github_pat_", 30},
    {"xoxb-", 20}, {"xoxp-", 20}, {"sk_live_", 20}, {"sk-", 32},    {"npm_", 30},
    {"pypi-", 40}, {"SG.", 40},   {"eyJ", 40}};

struct Function {
  std::string_view name;
  std::string_view arguments;
};
// OPENROWSET('provider', 'host'; 'user'; 'password', …): semicolons separate, too.
constexpr Function kFunctions[] = {{"OPENROWSET", "4"},
                                   {"sp_addlogin", "2"},
                                   {"sp_password", "12"},
                                   {"sp_addapprole", "2"},
                                   {"sp_setapprole", "2"},
                                   {"sp_approlepassword", "2"},
                                   {"sp_addlinkedsrvlogin", "5"},
                                   {"ENCRYPTBYPASSPHRASE", "1"},
                                   {"DECRYPTBYPASSPHRASE", "1"},
                                   {"PWDENCRYPT", "1"},
                                   {"PWDCOMPARE", "1"},
                                   {"NetworkCredential", "2"},
                                   {"sp_change_users_login", "4"},
                                   {"sp_xp_cmdshell_proxy_account", "2"},
                                   {"DECRYPTBYCERT", "3"},
                                   {"SIGNBYCERT", "3"},
                                   {"DECRYPTBYASYMKEY", "3"},
                                   {"SIGNBYASYMKEY", "3"},
                                   {"DECRYPTBYKEYAUTOCERT", "2"},
                                   {"DECRYPTBYKEYAUTOASYMKEY", "2"}};

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlphanumeric(char c) {
  const char lower = base::ToLower(c);
  return (lower >= 'a' && lower <= 'z') || IsDigit(c);
}

// `ending` as a word of its own: pass, $dbPass and SMTP_PASS, but not bypass.
bool EndsInWord(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  const std::string_view last = name.substr(name.size() - ending.size());
  if (!base::EqualIgnoringCase(last, ending)) return false;
  if (last.size() == name.size()) return true;
  const char before = name[name.size() - last.size() - 1];
  return !IsAlphanumeric(before) || (IsUpper(last.front()) && !IsUpper(before));
}

// Its letters and digits.
std::string Plain(std::string_view name) {
  std::string plain = base::ToLower(name);
  std::erase_if(plain, [](char c) { return !IsAlphanumeric(c); });
  return plain;
}

bool EndsInSecret(std::string_view plain) {
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return plain.ends_with(ending); });
}

bool BeginsWithOne(std::string_view text, const auto& beginnings) {
  return std::any_of(std::begin(beginnings), std::end(beginnings), [&](std::string_view each) {
    return base::EqualIgnoringCase(text.substr(0, each.size()), each);
  });
}

bool IsMadeOfAbout(std::string_view text) {
  if (text.empty()) return false;
  while (!text.empty()) {
    const auto* const word =
        std::find_if(std::begin(kAbout), std::end(kAbout),
                     [&](std::string_view each) { return text.starts_with(each); });
    if (word == std::end(kAbout)) return false;
    text.remove_prefix(word->size());
  }
  return true;
}

bool All(std::string_view text, auto predicate) {
  return std::all_of(text.begin(), text.end(), predicate);
}

bool IsKnownVariable(std::string_view value) {
  const std::string_view name = VariableOf(value);
  if (name.size() == 1 && IsDigit(name.front())) return true;
  const bool known =
      std::any_of(std::begin(kKnownVariables), std::end(kKnownVariables),
                  [&](std::string_view each) { return base::EqualIgnoringCase(each, name); });
  return known || BeginsWithOne(name, kScopes) ||
         (!name.empty() && std::none_of(name.begin(), name.end(), IsDigit) &&
          (HasSecretName(value) || Plain(name).ends_with("key") || Plain(name).ends_with("token")));
}

}  // namespace

bool InName(char c) {
  return IsAlphanumeric(c) || std::string_view("_-@$#").find(c) != std::string_view::npos;
}

bool OneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return base::EqualIgnoringCase(each, word); });
}

bool NamesSecret(std::string_view name) {
  while (!name.empty() && IsDigit(name.back())) name.remove_suffix(1);
  if (EndsInWord(name, "pass") || EndsInWord(name, "pw")) return true;
  const std::string plain = Plain(name);
  if (plain == "token" || EndsInSecret(plain)) return true;
  return std::any_of(std::begin(kQualifiers), std::end(kQualifiers), [&](std::string_view each) {
    return plain.ends_with(each) &&
           EndsInSecret(std::string_view(plain).substr(0, plain.size() - each.size()));
  });
}

bool ContainsSecretName(std::string_view name) {
  if (NamesSecret(name)) return true;
  const std::string plain = Plain(name);
  const auto contains = [&](std::string_view secret) {
    const std::size_t at = plain.rfind(secret);
    if (at == plain.npos) return false;
    return !IsMadeOfAbout(std::string_view(plain).substr(at + secret.size()));
  };
  return contains("token") || std::any_of(std::begin(kEndings), std::end(kEndings), contains);
}

PasswordOptions OptionsOf(std::string_view line) {
  PasswordOptions options;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && IsAlphanumeric(line[end])) ++end;
    // Not those of Invoke-Sqlcmd, nor $rs.
    const bool program = end > at && (at == 0 || !Has("-$@", line[at - 1]));
    for (const Tool& tool : kTools) {
      const std::size_t behind = at + tool.name.size();
      if (!program || !base::EqualIgnoringCase(line.substr(at, tool.name.size()), tool.name) ||
          (behind < line.size() && IsAlphanumeric(line[behind])))
        continue;
      options.capital = options.capital || tool.options.capital;
      options.package = options.package || tool.options.package;
      options.small = options.small || tool.options.small;
      options.apart = options.apart || tool.options.apart;
      options.header = options.header || tool.options.header;
      if (tool.options.pair != '\0') options.pair = tool.options.pair;
      if (tool.options.letter != '\0') options.letter = tool.options.letter;
    }
    at = end + 1;
  }
  return options;
}

std::size_t KnownToken(std::string_view text) {
  for (const Beginning& beginning : kTokens) {
    if (!text.starts_with(beginning.text)) continue;
    std::size_t size = beginning.text.size();
    while (size < text.size() && (IsAlphanumeric(text[size]) || text[size] == '_' ||
                                  text[size] == '-' || text[size] == '.')) {
      ++size;
    }
    while (text[size - 1] == '.') --size;
    if (size >= beginning.shortest) return size;
  }
  return 0;
}

bool LooksLikeToken(std::string_view value) {
  const auto in_token = [](char c) {
    return IsAlphanumeric(c) || c == '+' || c == '/' || c == '=';
  };
  return value.size() >= kShortestToken && All(value, in_token) &&
         std::any_of(value.begin(), value.end(), IsDigit) &&
         !All(value, [](char c) { return IsDigit(c); });
}

std::string_view SecretArguments(std::string_view function) {
  for (const Function& each : kFunctions) {
    if (base::EqualIgnoringCase(function, each.name)) return each.arguments;
  }
  return {};
}

std::string_view VariableOf(std::string_view value) {
  while (!value.empty() && Has(",)}]", value.back())) value.remove_suffix(1);
  if (!value.starts_with('$')) return {};
  value.remove_prefix(1);
  std::size_t size = 0;
  while (size < value.size() && (IsAlphanumeric(value[size]) || Has("_:", value[size]))) ++size;
  const bool ends = size == value.size() || Has(".[$", value[size]);
  return ends ? value.substr(0, size) : std::string_view();
}

bool IsNoSecret(std::string_view value, char quote) {
  if (All(value, [](char c) { return c == '*'; }) || value == "?") return true;
  if (value.starts_with("$(") && value.ends_with(')')) return true;
  const auto in_variable = [](char c) { return InName(c) || c == ':' || c == '.'; };
  if (value.size() > 2 && value.front() == '%' && value.back() == '%' &&
      All(value.substr(1, value.size() - 2), in_variable)) {
    return true;
  }
  if (quote == '\'') return false;
  if (value.starts_with("${")) return value.find('}') != value.npos;
  if (value.starts_with('$')) return IsKnownVariable(value);
  return quote == 0 && (value.starts_with('@') || base::EqualIgnoringCase(value, "NULL"));
}

}  // namespace toolpost::tools::mssql
