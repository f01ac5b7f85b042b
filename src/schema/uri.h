// URI references as `$id` and `$ref` use them (RFC 3986, section 5): pure string work, nothing is
// fetched.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace toolpost::schema {

// The URI `reference` means when it stands in a document at `base`. Either may be relative or
// empty; a relative base gives a relative result, which is still good as a name.
std::string ResolveUri(std::string_view base, std::string_view reference);

// The part before the first '#', and the fragment after it (empty if there is none).
std::pair<std::string_view, std::string_view> SplitFragment(std::string_view uri);

// Replaces %XX; malformed escapes stay as they are.
std::string PercentDecode(std::string_view text);

}  // namespace toolpost::schema
