// An Output as the members of an MCP CallToolResult, shaped for the revision that will read it.
#pragma once

#include <string>
#include <string_view>

#include "mcp/revision.h"
#include "toolpost/tool.h"

namespace toolpost::mcp {

inline constexpr std::size_t kMaxDuplicatedBytes = std::size_t{16} * 1024;

// Appends `"content":[…]` (after a large structured value), `"structuredContent":…`,
// `"isError":true` (only when set) and the entries of output.meta as `"_meta":{…}` (only when there
// are some), separated by commas, without braces.
//  - Without a text block among the content, one put first holds the structured value as compact
//  JSON, or, when that is longer than
//    kMaxDuplicatedBytes and the revision knows structuredContent, one sentence that says where the
//    data is.
//  - Before 2025-06-18 structuredContent is not sent. Up to 2025-11-25 a structured value that is
//  no object is wrapped as
//    {"result": value}.
//  - Content kinds the revision lacks become text (content_block.h).
// `extra_meta` holds further members of `_meta`, already serialised, without braces.
void AppendToolResult(std::string& out, const Output& output, Revision revision,
                      std::string_view extra_meta = {});

}  // namespace toolpost::mcp
