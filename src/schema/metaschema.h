// The meta-schemas of JSON Schema 2020-12, built in so that references to them need no network.
#pragma once

#include <optional>
#include <string_view>

#include "toolpost/json.h"

namespace toolpost::schema {

inline constexpr std::string_view kDraft202012 = "https://json-schema.org/draft/2020-12/schema";

// The document at `uri` (no fragment): the 2020-12 schema itself or one of its vocabularies'
// meta-schemas.
std::optional<Json> BuiltInSchema(std::string_view uri);

}  // namespace toolpost::schema
