// Opening, narrowing and matching of roots.
#include "sandbox/roots.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/strings.h"
#include "sandbox/confined_open.h"
#include "sandbox/file_error.h"
#include "sandbox/open_beneath.h"
#include "sandbox/path_text.h"
#include "sandbox/protected_names.h"

namespace toolpost::sandbox {
namespace {

// `path` as an absolute path without dots; `base` must be absolute. Empty when it climbs above `/`.
std::string Absolute(std::string_view path, std::string_view base) {
  const auto normal =
      path.starts_with('/') ? NormalizePath(path) : NormalizePath(base::StrCat(base, "/", path));
  return normal ? "/" + *normal : std::string();
}

// The path without links, of as much of it as exists.
std::string Canonical(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  if (real != nullptr) {
    std::string found(real);
    free(real);
    return found;
  }
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || path.size() <= 1) return path;
  return JoinPath(Canonical(slash == 0 ? "/" : path.substr(0, slash)), path.substr(slash + 1));
}

std::optional<Root> OpenRoot(const std::string& absolute, bool read_only) {
  Root root;
  root.directory = Descriptor(open(absolute.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat at {};
  if (!root.directory || fstat(root.directory.get(), &at) != 0) return std::nullopt;
  root.path = Canonical(absolute);
  root.spellings = {root.path};
  if (absolute != root.path) root.spellings.push_back(absolute);
  root.read_only = read_only;
  root.device = at.st_dev;
  return root;
}

// What is left of `path` below `folder`, which holds it.
std::string_view Below(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.substr(1);
  return path.size() == folder.size() ? std::string_view() : path.substr(folder.size() + 1);
}

// What makes a working directory more than anyone meant to share; empty if nothing.
std::string_view TooMuch(const Root& root, const std::string& home,
                         const std::vector<std::string>& hidden) {
  if (root.path == "/") return "/, which is not used unless it is named";
  if (!home.empty() && IsWithin(Canonical(home), root.path))
    return "the home directory, which is not used unless it is named";
  const bool own = std::ranges::any_of(
      hidden, [&](const std::string& place) { return IsWithin(root.path, place); });
  return own ? "this server's own state directory" : std::string_view();
}

// Container filters of some years ago answer EPERM to system calls they do not know.
bool KernelRefuses(const Root& root) {
  return OpenBeneath(root.directory.get(), "", O_PATH | O_DIRECTORY, {}).error == EPERM;
}

}  // namespace

std::string_view Location::name() const {
  const std::string_view path = relative;
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view Location::parent() const {
  const std::string_view path = relative;
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool IsHidden(const Root& root, std::string_view relative) {
  return std::ranges::any_of(root.hidden,
                             [&](const std::string& hidden) { return IsWithin(relative, hidden); });
}

bool HoldsOther(const Root& root, std::string_view relative) {
  if (relative.empty()) return true;
  const auto below = [&](const std::string& other) { return IsWithin(other, relative); };
  return std::ranges::any_of(root.nested, below) || std::ranges::any_of(root.hidden, below);
}

Result<std::shared_ptr<const Roots>> Roots::Open(const RootsOptions& options) {
  auto roots = std::make_shared<Roots>();
  roots->follow_links_ = options.follow_links;
  roots->walk_ = options.walk;
  for (const std::string& hidden : options.hidden) {
    const std::string absolute = Absolute(hidden, options.working_directory);
    if (!hidden.empty() && !absolute.empty()) roots->hidden_.push_back(Canonical(absolute));
  }
  if (options.roots.empty() && options.read_only_roots.empty()) {
    roots->AddImplicit(options);
  } else {
    RETURN_IF_ERROR(roots->AddConfigured(options));
  }
  for (const Root& root : roots->roots_) roots->configured_.push_back(root.path);
  if (!roots->roots_.empty() && KernelRefuses(roots->roots_.front())) roots->walk_ = true;
  roots->Relate();
  return std::shared_ptr<const Roots>(std::move(roots));
}

Result<void> Roots::AddConfigured(const RootsOptions& options) {
  const auto add = [&](const std::vector<std::string>& folders, bool read_only,
                       std::string_view setting) -> Result<void> {
    for (const std::string& folder : folders) {
      auto root = OpenRoot(Absolute(folder, options.working_directory), read_only);
      if (!root) {
        return Error::InvalidParams(base::StrCat(
            setting, " names \"", folder,
            "\", which is no folder this server can open; create it or remove the entry"));
      }
      Adopt(*std::move(root));
    }
    return {};
  };
  RETURN_IF_ERROR(add(options.roots, false, "files.roots"));
  return add(options.read_only_roots, true, "files.read_only_roots");
}

void Roots::AddImplicit(const RootsOptions& options) {
  auto root = OpenRoot(options.working_directory, false);
  const std::string_view reason = root ? TooMuch(*root, options.home, hidden_) : "not readable";
  if (reason.empty()) return Adopt(*std::move(root));
  problem_.append("No folder is configured for files, and the working directory is ")
      .append(reason)
      .append(". Set files.roots to the folders to work in");
}

// The same folder twice: the spellings of both, and read-only wins.
void Roots::Adopt(Root root) {
  for (Root& known : roots_) {
    if (known.path != root.path) continue;
    known.read_only = known.read_only || root.read_only;
    for (std::string& spelling : root.spellings) {
      if (std::ranges::find(known.spellings, spelling) == known.spellings.end())
        known.spellings.push_back(std::move(spelling));
    }
    return;
  }
  roots_.push_back(std::move(root));
}

void Roots::Relate() {
  for (Root& root : roots_) {
    for (const std::string& hidden : hidden_) {
      if (IsWithin(root.path, hidden)) {
        root.hidden.emplace_back();
      } else if (IsWithin(hidden, root.path)) {
        root.hidden.emplace_back(Below(hidden, root.path));
      }
    }
    for (const std::string& other : configured_) {
      if (other != root.path && IsWithin(other, root.path))
        root.nested.emplace_back(Below(other, root.path));
    }
  }
}

Result<Location> Roots::Locate(std::string_view path, Access access) const {
  if (roots_.empty()) return Error{Code::kUnavailable, problem_, {}};
  ASSIGN_OR_RETURN(const std::string bytes, DecodePath(path));
  const std::string absolute = Absolute(bytes, roots_.front().path);
  if (absolute.empty()) return OutsideRoots(path);
  return Place(absolute, path, access);
}

Result<Location> Roots::Place(const std::string& absolute, std::string_view given,
                              Access access) const {
  Location location;
  std::size_t longest = 0;
  for (const Root& root : roots_) {
    for (const std::string& spelling : root.spellings) {
      if (spelling.size() <= longest || !IsWithin(absolute, spelling)) continue;
      longest = spelling.size();
      location.root = &root;
      location.relative = Below(absolute, spelling);
    }
  }
  if (location.root == nullptr || IsHidden(*location.root, location.relative))
    return OutsideRoots(given);
  location.given = given;
  if (access == Access::kRead) return location;
  if (location.root->read_only) {
    return Error{Code::kPermissionDenied,
                 base::StrCat(given, " is in a folder this server may only read"),
                 {}};
  }
  if (IsProtected(location.relative)) {
    return Error{Code::kPermissionDenied,
                 base::StrCat(given,
                              " is protected: git obeys or runs it, so the file tools never "
                              "change it"),
                 {}};
  }
  return location;
}

std::shared_ptr<const Roots> Roots::Narrow(const std::vector<std::string>& folders,
                                           std::string problem) const {
  auto narrowed = std::make_shared<Roots>();
  narrowed->hidden_ = hidden_;
  narrowed->configured_ = configured_;
  narrowed->follow_links_ = follow_links_;
  narrowed->walk_ = walk_;
  if (roots_.empty()) problem = problem_;
  narrowed->problem_ = std::move(problem);
  for (const std::string& folder : folders) {
    if (roots_.empty()) break;
    const std::string absolute = Absolute(folder, roots_.front().path);
    const auto part = Place(absolute, folder, Access::kRead);
    if (!absolute.empty() && part) {
      auto opened = OpenDirectory(*this, *part, O_PATH);
      if (!opened) continue;
      Root root{.path = JoinPath(part->root->path, part->relative),
                .read_only = part->root->read_only,
                .directory = std::move(opened->descriptor),
                .device = part->root->device};
      for (const std::string& spelling : part->root->spellings)
        root.spellings.push_back(JoinPath(spelling, part->relative));
      narrowed->Adopt(std::move(root));
    }
    for (const Root& whole : roots_) {
      if (absolute.empty() || !IsWithin(whole.path, absolute)) continue;
      narrowed->Adopt({.path = whole.path,
                       .spellings = whole.spellings,
                       .read_only = whole.read_only,
                       .directory = Descriptor(fcntl(whole.directory.get(), F_DUPFD_CLOEXEC, 3)),
                       .device = whole.device});
    }
  }
  std::ranges::stable_sort(narrowed->roots_, {}, &Root::read_only);
  narrowed->Relate();
  return narrowed;
}

}  // namespace toolpost::sandbox
