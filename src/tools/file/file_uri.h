// `file:` URIs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolpost::tools::file {

// The absolute path (bytes) of a `file:///…` or `file://localhost/…` URI; empty for any other text,
// a broken or NUL escape, a query or a fragment.
std::optional<std::string> PathOfUri(std::string_view uri);

// The URI of an absolute path; every byte but unreserved ones and `/` is escaped.
std::string UriOfPath(std::string_view path);

}  // namespace toolpost::tools::file
