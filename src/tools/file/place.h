// From a path argument to a place the caller may use.
#pragma once

#include <memory>
#include <string_view>

#include "sandbox/roots.h"
#include "toolpost/context.h"
#include "tools/file/file.h"

namespace toolpost::tools::file {

// Keeps the roots alive that its location points into.
struct Place {
  std::shared_ptr<const sandbox::Roots> roots;
  sandbox::Location location;
};

// The configured roots, narrowed by the credential's grants.
std::shared_ptr<const sandbox::Roots> GrantedRoots(const FileServices& services,
                                                   const Principal& principal);

// The roots this caller may use: the configured ones, narrowed by the credential's grants and by
// the folders of the client. May ask the client, so it has to come before any other work (see
// CallContext::Ask).
Result<std::shared_ptr<const sandbox::Roots>> RootsOf(const FileServices& services,
                                                      CallContext& context);

// RootsOf, then Roots::Locate.
Result<Place> Resolve(const FileServices& services, CallContext& context, std::string_view path,
                      sandbox::Access access);

}  // namespace toolpost::tools::file
