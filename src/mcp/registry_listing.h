// The tools/list pages of one view in one revision.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/registry.h"
#include "mcp/revision.h"

namespace toolpost::mcp {

// Appends one entry of the `tools` array. Fields the revision lacks are left out.
void AppendListingEntry(std::string& out, const Tool& tool, bool canonical, Revision revision);

// Immutable; thread-safe. A cursor carries the canonical id of the last tool of its page, so that
// it stays good while tools come and go: none is skipped or repeated.
class ToolListing {
 public:
  // `tools` sorted by canonical id; they must outlive the listing. Serialises all pages.
  ToolListing(std::vector<const RegisteredTool*> tools, bool canonical, Revision revision,
              std::size_t page_size);

  // See Registry::ListPage.
  Result<std::shared_ptr<const std::string>> Page(std::string_view cursor) const;

 private:
  std::shared_ptr<const std::string> Write(std::size_t begin) const;

  std::vector<const RegisteredTool*> tools_;
  bool canonical_;
  Revision revision_;
  std::size_t page_size_;
  std::map<std::size_t, std::shared_ptr<const std::string>> pages_;  // by index of the first tool
};

}  // namespace toolpost::mcp
