// The budget every tool result shares: what is longer is cut at a row or line, says so, and links
// to the whole.
#pragma once

#include <cstddef>

#include "mcp/result_store.h"
#include "toolpost/tool.h"

namespace toolpost::mcp {

// Returns `output` unchanged if its structured value, as compact JSON, and its text blocks each
// have at most `budget` characters (code points). Otherwise:
//  - The largest array (whole rows) or string (whole lines, if it has some) of the structured
//  object is cut to the longest prefix
//    that fits; one deeper down when the largest member is an object, and further ones while it is
//    still too long. An object of more than 64 members counts as rows. No array is emptied and no
//    other member removed, so the result still fits its schema. The root object gains `truncated`,
//    `total` and `returned` (rows or characters of the first thing cut) and, when
//    info.page_argument names an integer argument, `next` with the exact argument of the next page.
//    A `total` the tool wrote stays, and so does a `returned` or `next` of another type. A root
//    that is no object gets them in `_meta`.
//  - Text blocks keep head and tail around a line that says how much is missing; `_meta` gains
//  `truncated` and `total`.
//  - The whole goes to `store`, and a resource_link to it is added. When that fails the cut result
//  is returned without the link.
// A structured value that cannot be cut becomes an isError result that names its size and the link.
// Thread-safe.
Output ApplyBudget(Output output, std::size_t budget, const ToolInfo& info,
                   const JsonObject& arguments, const Principal& principal, ResultStore& store);

}  // namespace toolpost::mcp
