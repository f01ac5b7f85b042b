// Any bytes as a path: what is accepted is normal, stays inside, and survives the way out and back.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/strings.h"
#include "sandbox/path_text.h"
#include "sandbox/protected_names.h"
#include "sandbox/roots.h"

namespace {

using namespace toolpost;

void Require(bool holds) {
  if (!holds) std::abort();
}

const sandbox::Roots& TheRoots() {
  static const auto kRoots = [] {
    auto opened = sandbox::Roots::Open({.roots = {"/usr"},
                                        .read_only_roots = {"/usr/share"},
                                        .working_directory = "/",
                                        .hidden = {"/usr/lib"}});
    Require(opened.has_value());
    return *opened;
  }();
  return *kRoots;
}

void CheckNormal(const std::string& relative) {
  Require(!relative.starts_with('/') && !relative.ends_with('/'));
  Require(relative.find('\0') == std::string::npos);
  for (const std::string_view part : base::Split(relative, '/'))
    Require(relative.empty() || (!part.empty() && part != "." && part != ".."));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string text = sandbox::EncodePath(bytes);
  Require(base::IsValidUtf8(text));
  if (const auto back = sandbox::DecodePath(text)) Require(*back == bytes);
  for (const auto access : {sandbox::Access::kRead, sandbox::Access::kWrite}) {
    const auto location = TheRoots().Locate(bytes, access);
    if (!location) {
      Require(location.error().message.find("/usr") == std::string::npos ||
              bytes.find("/usr") != std::string::npos);
      continue;
    }
    CheckNormal(location->relative);
    const std::string whole = sandbox::JoinPath(location->root->path, location->relative);
    Require(sandbox::IsWithin(whole, "/usr") && !sandbox::IsWithin(whole, "/usr/lib"));
    Require(location->root->read_only == sandbox::IsWithin(whole, "/usr/share"));
    if (access == sandbox::Access::kWrite)
      Require(!location->root->read_only && !sandbox::IsProtected(location->relative));
  }
  return 0;
}
