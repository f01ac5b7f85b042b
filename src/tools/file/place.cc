// Narrowing of roots per call.
#include "tools/file/place.h"

#include <string>
#include <utility>
#include <vector>

#include "tools/file/file_uri.h"

namespace toolpost::tools::file {
namespace {

constexpr std::size_t kMaxClientRoots = 100;

// The folders of a roots/list result.
std::vector<std::string> FoldersOf(const JsonObject& answer) {
  std::vector<std::string> folders;
  const Json* roots = answer.if_contains("roots");
  if (roots == nullptr || !roots->is_array()) return folders;
  for (const Json& root : roots->get_array()) {
    const Json* uri = root.is_object() ? root.get_object().if_contains("uri") : nullptr;
    if (uri == nullptr || !uri->is_string() || folders.size() >= kMaxClientRoots) continue;
    if (auto path = PathOfUri(uri->get_string())) folders.push_back(*std::move(path));
  }
  return folders;
}

}  // namespace

std::shared_ptr<const sandbox::Roots> GrantedRoots(const FileServices& services,
                                                   const Principal& principal) {
  const auto& credential = principal.credential;
  if (!credential || !credential->grants.roots) return services.roots;
  return services.roots->Narrow(*credential->grants.roots,
                                "This credential allows no folder of this server; its "
                                "allowedRoots say which");
}

Result<std::shared_ptr<const sandbox::Roots>> RootsOf(const FileServices& services,
                                                      CallContext& context) {
  std::shared_ptr<const sandbox::Roots> roots = GrantedRoots(services, context.principal());
  if (services.client_roots && context.ClientHas("roots")) {
    ASSIGN_OR_RETURN(const InputResponses answers, context.Ask({InputRequest::Roots("roots")}));
    const auto answer = answers.find("roots");
    if (answer != answers.end()) {
      roots = roots->Narrow(FoldersOf(answer->second),
                            "None of the folders this client declares (roots/list) is one this "
                            "server may use");
    }
  }
  return roots;
}

Result<Place> Resolve(const FileServices& services, CallContext& context, std::string_view path,
                      sandbox::Access access) {
  Place place;
  ASSIGN_OR_RETURN(place.roots, RootsOf(services, context));
  ASSIGN_OR_RETURN(place.location, place.roots->Locate(path, access));
  return place;
}

}  // namespace toolpost::tools::file
