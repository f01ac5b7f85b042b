// Wildcards, component by component.
#include "tools/shell/expand_globs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "base/glob.h"
#include "base/strings.h"
#include "sandbox/descriptor.h"
#include "sandbox/open_beneath.h"
#include "sandbox/path_text.h"

namespace toolpost::tools::shell {
namespace {

using base::Glob;
using base::StrCat;

constexpr std::size_t kLongestName = 255;  // bytes

struct Component {
  std::string_view text;
  std::vector<std::uint32_t> wildcards;  // in `text`
};

Error TooMuch(std::string_view what, std::size_t limit) {
  return Error::InvalidParams(StrCat("The wildcards of the command ", what, " more than ", limit,
                                     "; name the files more closely"));
}

class Expansion {
 public:
  Expansion(const GlobFolder& folder, std::size_t& scanned) : folder_(folder), scanned_(scanned) {}

  Result<std::vector<std::string>> Expand(const Word& word) {
    RETURN_IF_ERROR(Split(word));
    RETURN_IF_ERROR(Descend("", 0));
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  Result<void> Split(const Word& word) {
    std::size_t start = 0;
    auto wildcard = word.wildcards.begin();
    for (const std::string_view text : base::Split(word.text, '/')) {
      Component component{text, {}};
      for (; wildcard != word.wildcards.end() && *wildcard < start + text.size(); ++wildcard)
        component.wildcards.push_back(*wildcard - static_cast<std::uint32_t>(start));
      start += text.size() + 1;
      if (text == ".." || word.text.starts_with('/')) {
        return Error::InvalidParams(
            StrCat("The wildcard at position ", word.position,
                   " leads out of the working directory; set cwd instead, or quote it"));
      }
      if (text.size() > kLongestName) {
        return Error::InvalidParams(StrCat("The wildcard at position ", word.position,
                                           " is longer than a file name can be; quote it"));
      }
      if (!text.empty()) components_.push_back(std::move(component));
    }
    folders_only_ = word.text.ends_with('/');
    return {};
  }

  Result<void> Descend(const std::string& prefix, std::size_t depth) {
    if (depth == components_.size()) return Keep(prefix);
    const Component& component = components_[depth];
    if (component.wildcards.empty())
      return Descend(sandbox::JoinPath(prefix, component.text), depth + 1);
    const Glob glob = Glob::ForNames(component.text, component.wildcards);
    ASSIGN_OR_RETURN(const std::vector<std::string> names, Read(prefix, glob));
    for (const std::string& name : names)
      RETURN_IF_ERROR(Descend(sandbox::JoinPath(prefix, name), depth + 1));
    return {};
  }

  // Names in the folder that match; none where there is no folder to read.
  Result<std::vector<std::string>> Read(const std::string& prefix, const Glob& glob) {
    std::vector<std::string> names;
    sandbox::Opened opened =
        sandbox::OpenBeneath(folder_.directory, prefix, O_RDONLY | O_DIRECTORY, {});
    DIR* const stream = opened.descriptor ? fdopendir(opened.descriptor.get()) : nullptr;
    if (stream == nullptr) return names;
    opened.descriptor.Release();
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, closedir);
    while (const dirent* entry = readdir(stream)) {
      if (++scanned_ > kMaxScanned) return TooMuch("look at", kMaxScanned);
      const std::string_view name = entry->d_name;
      if (name != "." && name != ".." && glob.Matches(name)) names.emplace_back(name);
    }
    return names;
  }

  Result<void> Keep(const std::string& path) {
    const auto place = sandbox::NormalizePath(sandbox::JoinPath(folder_.relative, path));
    if (!place || sandbox::IsHidden(*folder_.root, *place)) return {};
    const sandbox::Opened there = sandbox::OpenBeneath(
        folder_.directory, path, O_PATH | O_NOFOLLOW | (folders_only_ ? O_DIRECTORY : 0), {});
    // A link in last place is an entry like any other.
    if (!there.descriptor && there.error != ELOOP) return {};
    if (found_.size() >= kMaxArguments) return TooMuch("match", kMaxArguments);
    found_.push_back(StrCat(path.starts_with('-') ? "./" : "", path, folders_only_ ? "/" : ""));
    return {};
  }

  const GlobFolder& folder_;
  std::size_t& scanned_;
  std::vector<Component> components_;
  std::vector<std::string> found_;
  bool folders_only_ = false;
};

}  // namespace

Result<std::vector<std::string>> ExpandGlobs(const ParsedStage& stage, const GlobFolder& folder,
                                             std::size_t& scanned) {
  std::vector<std::string> arguments;
  for (const Word& word : stage.words) {
    std::vector<std::string> names;
    // The program itself is never a pattern.
    if (!word.wildcards.empty() && &word != &stage.words.front()) {
      ASSIGN_OR_RETURN(names, Expansion(folder, scanned).Expand(word));
    }
    if (names.empty()) names.push_back(word.text);
    std::ranges::move(names, std::back_inserter(arguments));
  }
  if (arguments.size() > kMaxArguments) return TooMuch("match", kMaxArguments);
  std::size_t bytes = 0;
  for (const std::string& argument : arguments) bytes += argument.size() + 1;
  if (bytes > kMaxCommandBytes) return TooMuch("give arguments of bytes", kMaxCommandBytes);
  return arguments;
}

}  // namespace toolpost::tools::shell
