// What a prompt handler returned, as the `messages` of a prompts/get result.
#pragma once

#include <string>

#include "mcp/revision.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// Appends the array. Content kinds the revision lacks become text (content_block.h).
// Code::kInternal, with nothing appended worth keeping, when a message is not
// `{"role":"user"|"assistant","content":{"type":…}}`.
Result<void> AppendPromptMessages(std::string& out, const JsonArray& messages, Revision revision);

}  // namespace toolpost::mcp
