// Programs, and what they take.
#include "tools/mssql/secret_commands.h"

#include <algorithm>

namespace toolpost::tools::mssql {

bool CommandSecrets::Command(std::string_view word) {
  if (OneOf(word, {"net"})) {
    Net();
  } else if (OneOf(word, {"setx"})) {
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
  if (options_.pair && word.starts_with("-u")) {
    Copy(OneOf(name, {"user"}) ? word.size() : 2);
    return PartOfArgument(':', 1);
  }
  Copy(word.size());
  if (options_.package && OneOf(name, {"set", "par", "parameter"})) return PackageValue();
  // dtutil /ENCRYPT FILE;x.dtsx;3;password
  if (options_.package && OneOf(name, {"en", "encrypt"})) return PartOfArgument(';', 3);
  if (options_.pair && OneOf(name, {"user", "proxy-user"})) return PartOfArgument(':', 1);
  const bool of_program =
      (options_.capital && name == "P") ||
      (options_.package && OneOf(name, {"p", "de", "decrypt", "sourcep", "destp"})) ||
      (options_.small && OneOf(name, {"p", "rp", "tp", "sp"})) || (options_.apart && name == "p") ||
      (options_.a && name == "a");
  if (!of_program && !NamesSecret(name)) return;
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

// How much of -Px is the option, of a program that takes it so; 0: none. Not what PowerShell has,
// and no path.
std::size_t CommandSecrets::Glued(std::string_view word, std::string_view name) const {
  if (word.size() != name.size() + 1 || name.size() < 2) return 0;
  if (OneOf(name, {"password", "path", "passthru", "port", "priority", "process", "property"}))
    return 0;
  const bool capital = options_.capital && name.front() == 'P';
  if (word.front() == '/') {
    const std::size_t end = scan_.Near(at_).EndOfArgument(at_);
    const std::string_view argument = text_.substr(at_, end - at_);
    return capital && argument.find_first_of("/\\", 1) == argument.npos ? 2 : 0;
  }
  if (options_.header && name.size() > 2 && name.starts_with("hp")) return 3;
  return capital || (options_.small && name.front() == 'p' && !NamesSecret(name)) ? 2 : 0;
}

// net use [device] \\host\share [password] [/user:name], net user name [password]
void CommandSecrets::Net() {
  std::size_t at = at_;
  if (OneOf(text_.substr(at, 4), {".exe"})) at += 4;
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

void CommandSecrets::SetVariable() {
  std::size_t at = at_;
  if (!NamesSecret(scan_.NextArgument(at))) return;
  ArgumentAt(scan_.Blanks(at));
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
  if (begin > 0 && !IsNoSecret(value, quote)) out_.replace(begin, end - begin, kSecretMask);
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
  if (end > at_ && !IsNoSecret(text_.substr(at_, end - at_), '"')) MaskTo(end);
}

}  // namespace toolpost::tools::mssql
