// Entries of the catalog when they are added: checked, and written once as the JSON text of their
// list.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/revision.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

// The same entry for every revision that differs in what an entry may carry.
class EntryTexts {
 public:
  const std::string& For(Revision revision) const;

  // `uri_member` is "uri" or "uriTemplate".
  static EntryTexts OfResource(const ResourceInfo& info, std::string_view uri_member);
  static EntryTexts OfPrompt(const PromptInfo& info);

 private:
  // Oldest first: without title and icons, with title, with both.
  std::array<std::string, 3> texts_;
};

// What the caller sent, cut between code points when it is too long to be repeated in a message.
std::string_view Echo(std::string_view text);

// Code::kInvalidArgument for a URI without scheme, with white space, too long or in the space of
// spilled results, an empty name, and a missing reader.
Result<void> CheckResource(const ResourceInfo& info, bool has_reader);
// Code::kInvalidArgument for an empty name, empty or repeated argument names, and a missing
// handler.
Result<void> CheckPrompt(const PromptInfo& info, const PromptHandler& handler);

}  // namespace toolpost::mcp
