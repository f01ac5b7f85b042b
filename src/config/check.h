// What the type of a setting alone cannot say.
#pragma once

#include <string>
#include <string_view>

#include "config/config.h"
#include "toolpost/result.h"

namespace toolpost::config {

// The first setting that makes no sense, alone or beside the others, as Code::kInvalidArgument with
// its origin; secrets are not repeated. Adds warnings about what is allowed but surely not meant.
Result<void> CheckMeaning(Config& config);

// Why a secret must not be used ("has 6 characters, at least 16 are needed"); empty if it may.
std::string WeaknessOf(std::string_view secret, std::size_t minimum);

}  // namespace toolpost::config
