// Copies a text, and masks values in it on the way. For RedactSecrets().
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "tools/mssql/secret_scan.h"

namespace toolpost::tools::mssql {

inline constexpr std::string_view kSecretMask = "***";

// A word that names a secret, and what it stood in.
struct SecretName {
  std::string_view word;
  bool setting = false;  // of a connection string: first, or behind a semicolon or a quote
  bool behind_semicolon = false;
  bool of_service = false;  // sc's password= value
  bool set = false;         // cmd's set NAME=value, which ends with the line
};

// What is before `at_` has been written to `out_`.
class SecretWriter {
 protected:
  explicit SecretWriter(std::string_view text) : text_(text), scan_(text) {
    out_.reserve(text.size());
  }

  std::string_view Rest() const { return text_.substr(at_); }
  bool At(std::string_view set) const { return at_ < text_.size() && Has(set, text_[at_]); }
  char Before() const { return at_ == 0 ? '\0' : text_[at_ - 1]; }
  void Copy(std::size_t count);
  void CopyTo(std::size_t position) { Copy(position - at_); }
  void CopySpaces() { CopyTo(scan_.Blanks(at_)); }
  void MaskTo(std::size_t position);

  // Whether it is no secret, or a variable that the text has named before.
  bool Keeps(std::string_view value, char quote) const;
  // At ( or $( that is closed.
  bool AtExpression() const;

  // Values, unless they are variables or nothing.
  void Argument();
  void ArgumentAt(std::size_t position);
  void QuotedValue();
  void Escaped();
  void Assignment(const SecretName& name);

  const std::string_view text_;
  const SecretScan scan_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t shown_ = 0;                 // how much of it, if the text is cut
  std::set<std::string_view> variables_;  // those of the shell that it has named

 private:
  // What is between a name and its value.
  struct Sign {
    bool spaced = false;
    bool colon = false;
    bool document = false;  // the colon of "name":
  };
  void CopyNational();
  void Entity();
  void Braced();
  void Bracketed();
  void Unquoted(const SecretName& name, const Sign& sign);
};

}  // namespace toolpost::tools::mssql
