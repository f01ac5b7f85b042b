// One block of content (text, image, audio, resource, resource_link) as tools and prompts return
// it, shaped for the revision that will read it.
#pragma once

#include <string>
#include <string_view>

#include "mcp/revision.h"
#include "toolpost/json.h"

namespace toolpost::mcp {

// Empty when the block has no such member or it is no string. The view lives as long as the block.
std::string_view StringMember(const JsonObject& block, std::string_view name);

void AppendTextBlock(std::string& out, std::string_view text);

// Kinds the revision lacks become text that tells a model what it misses: audio before 2025-03-26,
// resource_link before 2025-06-18. Everything else is appended as it is.
void AppendContentBlock(std::string& out, const Json& block, Revision revision);

}  // namespace toolpost::mcp
