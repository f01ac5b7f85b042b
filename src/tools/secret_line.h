// Secrets in small files of one private directory, so that they need not pass through a model.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tools {

// The one line of the file `name`, a plain file name, in `directory`. More lines, an empty one,
// 1 KiB and a file that others may read are refused, and links are not followed: Code::kConflict
// says which; `what` ("key", "password") is the file's name for people.
Result<std::string> ReadSecretLine(const std::string& directory, const std::string& name,
                                   std::string_view what);

}  // namespace toolpost::tools
