// JSON schemas as TypeScript types. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/json.h"

namespace toolpost::api {

// The type of the values a schema allows, as far as TypeScript can say: ranges, patterns and the
// like are left out, what is not understood is `unknown`. `indent` is that of the line it starts
// on.
std::string TypeScriptOf(const Json& schema, std::size_t indent = 0);

// `export interface Name {…}`, or `export type Name = …;` for what is no plain object, with the
// description before it.
std::string TypeScriptDeclaration(std::string_view name, const Json& schema,
                                  std::string_view description = {});

}  // namespace toolpost::api
