// Secrets on command lines: options, and arguments of programs that are known. For RedactSecrets().
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/mssql/secret_words.h"
#include "tools/mssql/secret_writer.h"

namespace toolpost::tools::mssql {

class CommandSecrets : protected SecretWriter {
 protected:
  CommandSecrets(std::string_view text, bool package_options)
      : SecretWriter(text), package_options_(package_options) {}

  // At every place, before anything else.
  void StartLines() {
    while (at_ >= next_line_) StartLine();
  }
  // At a word with - or / before it.
  void Option(std::string_view word);
  // Behind a word: whether it is a command that takes a secret.
  bool Command(std::string_view word);
  // At a word.
  SecretName NameOf(std::string_view word) const;

 private:
  void StartLine();
  // Behind the name of a program and its .exe.
  std::size_t BehindProgram() const;
  std::size_t PairOption(std::string_view word, std::string_view name) const;
  std::size_t Glued(std::string_view word, std::string_view name) const;
  void Net();
  void SetVariable();
  void Service();
  void Logins(bool certain);
  void Login(std::size_t position, std::string_view argument);
  void SetItem();
  void Configure();
  void SecureString(std::size_t word);
  void MaskPiped(std::size_t end);
  void PackageValue();
  void PartOfArgument(char separator, int count);

  const bool package_options_;
  std::size_t command_ = 0;  // where this line's begins
  std::size_t next_line_ = 0;
  PasswordOptions options_;  // of the programs of this line
  bool service_ = false;     // it configures one: password= x
};

}  // namespace toolpost::tools::mssql
