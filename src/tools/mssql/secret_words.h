// Which words announce a secret, and which values are none: what RedactSecrets() goes by.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace toolpost::tools::mssql {

// Of names in Transact-SQL, programs and connection strings.
bool InName(char c);

// Whatever their case.
bool OneOf(std::string_view word, std::initializer_list<std::string_view> words);

// OLD_PASSWORD, @rmtpassword, PGPASSWORD, $dbPass, client-secret, password2, PASSWORD_PROD …
bool NamesSecret(std::string_view name);
// Also Password_Of_X, but not PasswordLength: for names of values of which nothing else is known.
bool ContainsSecretName(std::string_view name);

// What the programs that a command line names take a password behind.
struct PasswordOptions {
  bool capital = false;  // -P x, -Px: sqlcmd, bcp
  bool package = false;  // /P x, /De x, /Set path;x: dtexec
  bool small = false;    // -p x, -px: psexec, mysql
  bool apart = false;    // -p x: rs, az
  bool header = false;   // -hpx: rar
  char pair = '\0';      // -u name:x, with this between them: curl
  char letter = '\0';    // -a x, with this letter: redis-cli

  bool operator==(const PasswordOptions&) const = default;
};
PasswordOptions OptionsOf(std::string_view line);

// How long the token is that `text` begins with, known by its first characters (AKIA…, ghp_…);
// 0: none.
std::size_t KnownToken(std::string_view text);
// Letters and digits mixed, long enough to be no name.
bool LooksLikeToken(std::string_view value);

// The digits of those arguments of a function or procedure that are secrets, from 1 on.
std::string_view SecretArguments(std::string_view function);

// The name behind the $ of what is written like a variable of a shell or a part of one: $x, $x.y,
// $x[1]; empty: it is not.
std::string_view VariableOf(std::string_view value);

// Empty, NULL, ***, or a variable: @x, $(x), ${x}, $env:x, %x%, and $x if x names a secret: $ecret1
// does not. `quote` is the one around it; 0: none.
bool IsNoSecret(std::string_view value, char quote);

}  // namespace toolpost::tools::mssql
