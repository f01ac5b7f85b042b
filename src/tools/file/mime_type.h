// Media types of files by the ending of their names.
#pragma once

#include <string_view>

namespace toolpost::tools::file {

// `text` decides for endings that are not known: text/plain or application/octet-stream.
std::string_view MimeTypeOf(std::string_view name, bool text);

}  // namespace toolpost::tools::file
