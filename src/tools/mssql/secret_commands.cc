// Programs, and what they take.
#include "tools/mssql/secret_commands.h"

#include <algorithm>

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kUserId = "userid=";

}  // namespace

bool CommandSecrets::Command(std::string_view word) {
  if (OneOf(word, {"net"})) {
    Net();
  } else if (OneOf(word, {"sc"})) {
    Service();
  } else if (OneOf(word, {"sqlplus", "expdp", "impdp", "sqlldr", "rman"})) {
    Logins(true);
  } else if (OneOf(word, {"exp", "imp", "conn", "connect"})) {
    Logins(false);
  } else if (OneOf(word, {"setx", "setvar"})) {
    SetVariable();
  } else if (OneOf(word, {"ConvertTo-SecureString"})) {
    SecureString(word.size());
  } else if (OneOf(word, {"Set-Item", "Set-Content", "New-Item"})) {
    SetItem();
  } else if (OneOf(word, {"configure"})) {
    Configure();
  } else {
    return false;
  }
  return true;
}

// A command goes on in the next line behind ^, ` or a backslash.
void CommandSecrets::StartLine() {
  const std::size_t line = next_line_;
  next_line_ = scan_.Until(line, "\n") + 1;
  command_ = std::min(scan_.Span(line, "@ \t"), at_);
  std::size_t end = line == 0 ? 0 : line - 1;
  while (end > 0 && Has(" \r", text_[end - 1])) --end;
  const bool continued = end > 0 && Has("^`\\", text_[end - 1]);
  const PasswordOptions options = OptionsOf(text_.substr(line, next_line_ - 1 - line));
  if (!continued || options != PasswordOptions()) options_ = options;
  service_ = service_ && continued;
  options_.package = options_.package || package_options_;
}

SecretName CommandSecrets::NameOf(std::string_view word) const {
  std::size_t before = at_;
  while (before > 0 && text_[before - 1] == ' ') --before;
  SecretName name{.word = word};
  name.behind_semicolon = before > 0 && text_[before - 1] == ';';
  name.setting =
      OneOf(word, {"password", "pwd"}) && (before == 0 || Has(";'\"", text_[before - 1]));
  const std::string_view line = text_.substr(command_, at_ - command_);
  name.of_service = service_ && OneOf(word, {"password"});
  name.set = OneOf(line, {"set ", "set \""}) && word.front() != '@';
  return name;
}

// --password x, -P x, -Px, /P x
void CommandSecrets::Option(std::string_view word) {
  const std::string_view name = word.substr(std::min(word.find_first_not_of("-/"), word.size()));
  if (const std::size_t glued = Glued(word, name)) {
    Copy(glued);
    return MaskTo(scan_.EndOfArgument(at_));
  }
  if (const std::size_t pair = PairOption(word, name)) {
    Copy(pair);
    return PartOfArgument(options_.pair, 1);
  }
  Copy(word.size());
  if (options_.package && OneOf(name, {"set", "par", "parameter"})) return PackageValue();
  // dtutil /ENCRYPT FILE;x.dtsx;3;password
  if (options_.package && OneOf(name, {"en", "encrypt"})) return PartOfArgument(';', 3);
  const bool of_program =
      (options_.capital && name == "P") ||
      (options_.package && OneOf(name, {"p", "de", "decrypt", "sourcep", "destp"})) ||
      (options_.small && OneOf(name, {"p", "rp", "tp", "sp"})) || (options_.apart && name == "p") ||
      (name.size() == 1 && name.front() == options_.letter);
  const bool of_storage = OneOf(name, {"sourcekey", "destkey"});  // azcopy
  if (!of_program && !of_storage && !NamesSecret(name)) return;
  if (At("=:")) {
    Copy(1);
  } else if (const std::size_t sign = scan_.Blanks(at_); sign < text_.size() && sign > at_) {
    if (text_[sign] == '=') return Assignment({.word = name});
  } else if (!At("'\"")) {
    return;
  }
  CopySpaces();
  Argument();
}

// How much of -ux or --user is the option; 0: it is another one.
std::size_t CommandSecrets::PairOption(std::string_view word, std::string_view name) const {
  constexpr std::string_view kFlags = "#0123456aBfgGiIjJklLMnNOpqRsSvVZ";  // of curl: -sku x
  if (options_.pair == '\0' || word.front() != '-') return 0;
  if (OneOf(name, {"user", "proxy-user"})) return word.size();
  const std::size_t letter = name.find_first_not_of(kFlags);
  if (letter == name.npos || word.size() != name.size() + 1 || !Has("uU", name[letter])) return 0;
  return letter + 2;
}

// How much of -Px is the option, of a program that takes it so; 0: none. Not what PowerShell has,
// and no path.
std::size_t CommandSecrets::Glued(std::string_view word, std::string_view name) const {
  if (word.size() != name.size() + 1 || name.size() < 2) return 0;
  if (OneOf(name, {"password", "passwd", "passphrase", "pass", "pwd", "pw", "path", "passthru",
                   "port", "priority", "process", "property"}))
    return 0;
  const bool capital = options_.capital && name.front() == 'P';
  if (word.front() == '/') {
    const std::size_t end = scan_.Near(at_).EndOfArgument(at_);
    const std::string_view argument = text_.substr(at_, end - at_);
    return capital && argument.find_first_of("/\\", 1) == argument.npos ? 2 : 0;
  }
  if (options_.header && name.size() > 2 && name.starts_with("hp")) return 3;
  return capital || (options_.small && name.front() == 'p') ? 2 : 0;
}

// net use [device] \\host\share [password] [/user:name], net user name [password]
void CommandSecrets::Net() {
  std::size_t at = BehindProgram();
  const std::string_view command = scan_.NextArgument(at);
  bool subject = false;  // the share or the user was there
  if (!OneOf(command, {"use", "user"})) return;
  for (;;) {
    const std::string_view argument = scan_.NextArgument(at);
    if (argument.empty() || at > at_ + kMostAhead) return;
    if (argument.front() == '/') continue;
    if (subject) return ArgumentAt(at - argument.size());
    subject = OneOf(command, {"user"}) || argument.find("\\\\") != argument.npos;
  }
}

std::size_t CommandSecrets::BehindProgram() const {
  return at_ + (OneOf(text_.substr(at_, 4), {".exe"}) ? 4 : 0);
}

// setx [/S host [/U user [/P password]]] [/M] NAME value, :setvar NAME value
void CommandSecrets::SetVariable() {
  std::size_t at = BehindProgram();
  std::string_view name = scan_.NextArgument(at);
  for (; name.starts_with('/') && at < at_ + kMostAhead; name = scan_.NextArgument(at)) {
    if (OneOf(name, {"/P"})) return ArgumentAt(scan_.Blanks(at));
    if (OneOf(name, {"/S", "/U"})) scan_.NextArgument(at);
  }
  if (NamesSecret(name)) ArgumentAt(scan_.Blanks(at));
}

// sc [\\host] config name password= x
void CommandSecrets::Service() {
  std::size_t at = BehindProgram();
  std::string_view command = scan_.NextArgument(at);
  if (command.starts_with("\\\\")) command = scan_.NextArgument(at);
  service_ = OneOf(command, {"config", "create"});
}

// sqlplus user/password@host. If it is not `certain` that this is a program, there must be a host,
// a setting behind it, or userid= before it.
void CommandSecrets::Logins(bool certain) {
  std::size_t at = BehindProgram();
  const std::size_t limit = at + kMostAhead;
  if (at >= text_.size() || !Has(" \t", text_[at])) return;
  bool user_id = false;
  for (bool first = true; at < limit; first = false) {
    const std::string_view argument = scan_.NextArgument(at);
    if (argument.empty() || Has("<>|&;@", argument.front())) return;
    std::size_t next = at;
    if (certain || user_id || OneOf(argument.substr(0, kUserId.size()), {kUserId}) ||
        (first && (Has(argument, '@') || Has(scan_.NextArgument(next), '='))))
      Login(at - argument.size(), argument);
    user_id = OneOf(argument, {kUserId});
  }
}

void CommandSecrets::Login(std::size_t position, std::string_view argument) {
  std::string_view login = argument;
  if (OneOf(login.substr(0, kUserId.size()), {kUserId})) login.remove_prefix(kUserId.size());
  if (login.starts_with('\'') || login.starts_with('"')) login.remove_prefix(1);
  std::size_t slash = 0;
  while (slash < login.size() && (InName(login[slash]) || login[slash] == '.') &&
         !Has("@-", login[slash]))
    ++slash;
  if (slash == 0 || slash == login.size() || login[slash] != '/') return;
  login.remove_prefix(slash + 1);
  CopyTo(position + argument.size() - login.size());
  if (At("'\"")) return QuotedValue();
  const std::size_t host = login.rfind('@');
  const std::string_view password =
      login.substr(0, host != login.npos ? host : login.find_first_of(" '\""));
  if (!password.empty() && !Keeps(password, '"')) MaskTo(at_ + password.size());
}

// Set-Item [-Path] Env:NAME [-Value] value
void CommandSecrets::SetItem() {
  std::size_t at = at_;
  std::string_view item = scan_.NextArgument(at);
  while (OneOf(item, {"-Path", "-LiteralPath", "-Force"})) item = scan_.NextArgument(at);
  if (item.starts_with('\'') || item.starts_with('"')) item.remove_prefix(1);
  if (!OneOf(item.substr(0, 4), {"Env:"}) || !HasSecretName(item)) return;
  for (std::size_t next = at; OneOf(scan_.NextArgument(next), {"-Value", "-Force"});) at = next;
  ArgumentAt(scan_.Blanks(at));
}

// aws configure set NAME value
void CommandSecrets::Configure() {
  std::size_t at = at_;
  if (!OneOf(scan_.NextArgument(at), {"set"}) || !HasSecretName(scan_.NextArgument(at))) return;
  ArgumentAt(scan_.Blanks(at));
}

// 'x' | ConvertTo-SecureString, or with options before the value.
void CommandSecrets::SecureString(std::size_t word) {
  MaskPiped(out_.size() - word);
  for (;;) {
    CopySpaces();
    const std::string_view option = scan_.Word(at_);
    if (!OneOf(option, {"-AsPlainText", "-Force", "-String"})) break;
    Copy(option.size());
    if (At(":")) Copy(1);
  }
  if (At("(")) Copy(1);
  if (at_ < text_.size()) Argument();
}

// In what was written, the literal before a bar before `end`.
void CommandSecrets::MaskPiped(std::size_t end) {
  const auto before = [&](std::string_view set) {
    while (end > 0 && Has(" \t\r\n", out_[end - 1])) --end;
    return end > 0 && Has(set, out_[--end]);
  };
  if (!before("|") || !before("'\"")) return;
  const char quote = out_[end];
  std::size_t begin = end;
  while (begin > 0 && end - begin < kMostAhead && out_[begin - 1] != quote) --begin;
  const std::string_view value = std::string_view(out_).substr(begin, end - begin);
  if (begin == 0 || Keeps(value, quote)) return;
  out_.replace(begin, end - begin, kSecretMask);
  if (begin < shown_) shown_ = std::min(shown_, begin + kSecretMask.size());
}

// dtexec /SET \Package.Variables[Password].Value;x
void CommandSecrets::PackageValue() {
  const std::string_view path = Rest().substr(0, Rest().substr(0, kMostAhead).find(';'));
  if (path.size() == Rest().size() || !HasSecretName(path)) return;
  Copy(path.size() + 1);
  if (Rest().starts_with("\\\"")) return Escaped();
  if (at_ < text_.size()) Argument();
}

// The part of an argument behind its `count`-th `separator`.
void CommandSecrets::PartOfArgument(char separator, int count) {
  if (At("=")) Copy(1);
  CopySpaces();
  const SecretScan near = scan_.Near(at_);
  const bool quoted = At("'\"");
  const std::size_t near_end = quoted ? near.QuotedAt(at_).end : near.EndOfArgument(at_);
  std::size_t part = at_;
  for (int i = 0; i < count; ++i) {
    part = text_.substr(0, near_end).find(separator, part);
    if (part == text_.npos) return;
    ++part;
  }
  const std::size_t end = quoted ? scan_.QuotedAt(at_).end : scan_.EndOfArgument(part);
  CopyTo(part);
  if (!quoted && At("'\"")) return QuotedValue();
  if (end > at_ && !Keeps(text_.substr(at_, end - at_), '"')) MaskTo(end);
}

}  // namespace toolpost::tools::mssql
