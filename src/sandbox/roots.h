// The folders tools may work in, and how the path a caller names becomes a place below one of them.
//
// A root is opened once, as an O_PATH descriptor; everything afterwards is relative to that
// descriptor and resolved by the kernel (open_beneath.h), never by comparing resolved paths. Locate
// only decides which root is meant and turns the rest into a relative path without `.` and `..`.
//
// A Roots is immutable and shared: any number of threads may use it. Locations point into it and
// must not outlive it. Messages name the path as the caller wrote it, never a resolved one and
// never a root.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/descriptor.h"
#include "toolpost/result.h"

namespace toolpost::sandbox {

struct Root {
  std::string path;                    // canonical and absolute when it was opened
  std::vector<std::string> spellings;  // absolute paths callers may use for it; `path` is one
  bool read_only = false;
  Descriptor directory;             // O_PATH
  std::uint64_t device = 0;         // the file system it is on
  std::vector<std::string> hidden;  // places below it that no tool may see or change; relative
  std::vector<std::string> nested;  // other roots below it; relative
};

struct RootsOptions {
  // Folders as the operator wrote them; relative ones are relative to `working_directory`.
  std::vector<std::string> roots;
  std::vector<std::string> read_only_roots;
  // The root when both lists are empty, unless it is `/`, the home directory or above it, or lies
  // in a hidden path.
  std::string working_directory;
  std::string home;  // empty: unknown
  // Files and folders of our own (state directory, key files) that no tool may see or change.
  std::vector<std::string> hidden;
  bool follow_links = false;  // symbolic links that stay inside their root
  bool walk = false;          // tests: resolve as on kernels without openat2
};

enum class Access { kRead, kWrite };

// A place below a root; it need not exist.
struct Location {
  const Root* root = nullptr;
  std::string relative;  // bytes of the file system; "" is the root itself; no `.`, `..` or `//`
  std::string given;     // as the caller wrote it

  // Last component; empty for the root.
  std::string_view name() const;
  // Everything before the last component; empty when that is the root.
  std::string_view parent() const;
};

class Roots {
 public:
  // Code::kInvalidArgument naming the setting when a configured folder is missing or no folder. An
  // implicit root that is refused is no error: the Roots is then empty, and says why.
  static Result<std::shared_ptr<const Roots>> Open(const RootsOptions& options);

  // In the order of configuration, writable ones first. Relative paths are below the first.
  const std::vector<Root>& all() const { return roots_; }
  // Why there are no roots; empty when there are.
  const std::string& problem() const { return problem_; }
  bool follow_links() const { return follow_links_; }
  bool walk() const { return walk_; }

  // Which place `path` means. kInvalidArgument: not a path (see path_text.h). kPermissionDenied:
  // outside every root, hidden, and for kWrite: in a read-only root or protected (see
  // protected_names.h). kUnavailable: there are no roots.
  Result<Location> Locate(std::string_view path, Access access) const;

  // The part of these roots that lies below `folders`: absolute paths, or relative to the first
  // root. Folders that are missing or outside are left out. When nothing remains, `problem` is what
  // Locate says.
  std::shared_ptr<const Roots> Narrow(const std::vector<std::string>& folders,
                                      std::string problem) const;

  // What Locate checks once the place is known: `absolute` is normal and without links. For places
  // reached through links, whose name says nothing.
  Result<Location> Place(const std::string& absolute, std::string_view given, Access access) const;

 private:
  Result<void> AddConfigured(const RootsOptions& options);
  void AddImplicit(const RootsOptions& options);
  void Adopt(Root root);
  // Fills Root::hidden and Root::nested.
  void Relate();

  std::vector<Root> roots_;
  std::vector<std::string> hidden_;      // canonical
  std::vector<std::string> configured_;  // paths of the roots before they were narrowed
  std::string problem_;
  bool follow_links_ = false;
  bool walk_ = false;
};

// True for hidden files and folders and everything below them, by name.
bool IsHidden(const Root& root, std::string_view relative);
// True if the place is a root, or another root or something hidden lies below it: moving or
// deleting it would take that along.
bool HoldsOther(const Root& root, std::string_view relative);

}  // namespace toolpost::sandbox
