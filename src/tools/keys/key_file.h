// Key material in files of one private directory, so that it need not pass through a model.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tools::keys {

// `name` is a plain file name: letters, digits, `.`, `_`, `-`, not starting with a dot. The
// directory is made 0700 when needed. A file is written 0600, is on disk when this returns, and
// never replaces another.
Result<void> WriteKeyFile(const std::string& directory, const std::string& name,
                          std::string_view text);
// See ReadSecretLine().
Result<std::string> ReadKeyFile(const std::string& directory, const std::string& name);

}  // namespace toolpost::tools::keys
