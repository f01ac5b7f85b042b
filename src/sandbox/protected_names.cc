// The protected names of git repositories.
#include "sandbox/protected_names.h"

#include <algorithm>

namespace toolpost::sandbox {
namespace {

std::string_view TakeComponent(std::string_view& path) {
  const std::size_t slash = std::min(path.find('/'), path.size());
  const std::string_view component = path.substr(0, slash);
  path.remove_prefix(std::min(slash + 1, path.size()));
  return component;
}

}  // namespace

bool IsProtected(std::string_view relative) {
  bool in_git = false;
  while (!relative.empty()) {
    const std::string_view component = TakeComponent(relative);
    if (component == ".git") {
      if (relative.empty()) return true;
      in_git = true;
    } else if (in_git) {
      if (component == "hooks") return true;
      const bool last = relative.empty();
      if (last && (component == "config" || component == "config.worktree")) return true;
      if (component == "info" && relative == "attributes") return true;
    }
  }
  return false;
}

bool IsInsideGit(std::string_view relative) {
  while (!relative.empty()) {
    if (TakeComponent(relative) == ".git" && !relative.empty()) return true;
  }
  return false;
}

}  // namespace toolpost::sandbox
