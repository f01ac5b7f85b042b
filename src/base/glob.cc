// A program of single-character steps and forks, made from a pattern and run on all its states.
#include "base/glob.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace toolpost::base {
namespace {

constexpr std::uint32_t kNoCharacter = 0x110000;  // and above: bytes that are no UTF-8

// Takes one character off the front.
std::uint32_t TakeCharacter(std::string_view& text) {
  const char* const at = text.data();
  const std::size_t length = Utf8SequenceLength(at, at + text.size());
  const auto lead = static_cast<unsigned char>(*at);
  text.remove_prefix(std::max<std::size_t>(length, 1));
  if (length == 0) return kNoCharacter + lead;
  if (length == 1) return lead;
  std::uint32_t character = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    character = (character << 6) | (static_cast<unsigned char>(at[i]) & 0x3FU);
  return character;
}

}  // namespace

class GlobCompiler {
 public:
  explicit GlobCompiler(std::string_view pattern) : rest_(pattern) {}

  Result<Glob> Paths() {
    glob_.last_component_ = rest_.find('/') == rest_.npos;
    while (!rest_.empty()) RETURN_IF_ERROR(PathToken());
    if (!braces_.empty()) return Error::InvalidParams("The glob has a { without its }");
    Add(Glob::Kind::kMatch);
    return std::move(glob_);
  }

  Glob Names(std::span<const std::uint32_t> wildcards) {
    glob_.written_dot_ = true;
    glob_.has_dot_ = rest_.starts_with('.');
    const std::size_t size = rest_.size();
    while (!rest_.empty()) {
      const auto at = static_cast<std::uint32_t>(size - rest_.size());
      const char c = rest_.front();
      const bool active = std::ranges::binary_search(wildcards, at);
      if (active && c == '[' && AddClass().has_value()) continue;
      const std::uint32_t character = TakeCharacter(rest_);
      if (active && c == '*') {
        AddRepeated(Glob::Kind::kAnyInName);
      } else if (active && c == '?') {
        Add(Glob::Kind::kAnyInName);
      } else {
        Add(Glob::Kind::kCharacter, character);
      }
    }
    Add(Glob::Kind::kMatch);
    return std::move(glob_);
  }

 private:
  struct Brace {
    std::uint32_t fork = 0;            // before the alternative that is being read
    std::vector<std::uint32_t> exits;  // after those that were
  };

  std::uint32_t Here() const { return static_cast<std::uint32_t>(glob_.steps_.size()); }

  std::uint32_t Add(Glob::Kind kind, std::uint32_t value = 0) {
    const std::uint32_t at = Here();
    glob_.steps_.push_back({kind, value, at + 1, at + 1});
    return at;
  }
  void AddRepeated(Glob::Kind kind) {
    const std::uint32_t fork = Add(Glob::Kind::kFork);
    const std::uint32_t step = Add(kind);
    glob_.steps_[step].next = fork;
    glob_.steps_[fork].other = Here();
  }

  Result<void> PathToken() {
    switch (rest_.front()) {
      case '*':
        AddStars();
        return {};
      case '[':
        return AddClass();
      case '?':
        rest_.remove_prefix(1);
        Add(Glob::Kind::kAnyInName);
        return {};
      case '{':
        rest_.remove_prefix(1);
        braces_.push_back({Add(Glob::Kind::kFork), {}});
        return {};
      case ',':
      case '}':
        if (!braces_.empty()) {
          EndAlternative();
          return {};
        }
        break;
      case '\\':
        if (rest_.size() > 1) rest_.remove_prefix(1);
        break;
      default:
        break;
    }
    Add(Glob::Kind::kCharacter, TakeCharacter(rest_));
    return {};
  }

  void EndAlternative() {
    const bool last = rest_.front() == '}';
    rest_.remove_prefix(1);
    Brace& brace = braces_.back();
    if (!last) {
      brace.exits.push_back(Add(Glob::Kind::kFork));
      glob_.steps_[brace.fork].other = Here();
      brace.fork = Add(Glob::Kind::kFork);
      return;
    }
    for (const std::uint32_t exit : brace.exits)
      glob_.steps_[exit].next = glob_.steps_[exit].other = Here();
    braces_.pop_back();
  }

  void AddStars() {
    const std::size_t stars = std::min(rest_.find_first_not_of('*'), rest_.size());
    rest_.remove_prefix(stars);
    if (stars == 1) return AddRepeated(Glob::Kind::kAnyInName);
    if (!rest_.starts_with('/')) return AddRepeated(Glob::Kind::kAny);
    // Folders, or none.
    rest_.remove_prefix(1);
    const std::uint32_t fork = Add(Glob::Kind::kFork);
    AddRepeated(Glob::Kind::kAny);
    Add(Glob::Kind::kCharacter, '/');
    glob_.steps_[fork].other = Here();
  }

  // Nothing is taken when there is an error.
  Result<void> AddClass() {
    std::string_view rest = rest_.substr(1);
    Glob::Class members;
    members.negated = rest.starts_with('!') || rest.starts_with('^');
    if (members.negated) rest.remove_prefix(1);
    // A ] right at the start is a member.
    for (bool first = true; !rest.empty() && (first || rest.front() != ']'); first = false) {
      const std::uint32_t low = TakeCharacter(rest);
      std::uint32_t high = low;
      if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
        rest.remove_prefix(1);
        high = TakeCharacter(rest);
      }
      if (high < low) return Error::InvalidParams("The glob has a range that goes backwards");
      members.ranges.emplace_back(low, high);
    }
    if (rest.empty()) return Error::InvalidParams("The glob has a [ without its ]");
    rest_ = rest.substr(1);
    Add(Glob::Kind::kClass, static_cast<std::uint32_t>(glob_.classes_.size()));
    glob_.classes_.push_back(std::move(members));
    return {};
  }

  std::string_view rest_;
  std::vector<Brace> braces_;
  Glob glob_;
};

namespace {

// The states a run is in; each once.
class States {
 public:
  explicit States(std::size_t count) : member_(count) {}

  bool Add(std::uint32_t state) {
    if (member_[state]) return false;
    member_[state] = true;
    list_.push_back(state);
    return true;
  }
  void Clear() {
    for (const std::uint32_t state : list_) member_[state] = false;
    list_.clear();
  }
  const std::vector<std::uint32_t>& list() const { return list_; }

 private:
  std::vector<bool> member_;
  std::vector<std::uint32_t> list_;
};

}  // namespace

Result<Glob> Glob::ForPaths(std::string_view pattern) {
  if (pattern.empty() || pattern.size() > kMaxLength)
    return Error::InvalidParams(StrCat("A glob has 1 to ", kMaxLength, " bytes"));
  return GlobCompiler(pattern).Paths();
}

Glob Glob::ForNames(std::string_view pattern, std::span<const std::uint32_t> wildcards) {
  return GlobCompiler(pattern).Names(wildcards);
}

bool Glob::Accepts(const Step& step, std::uint32_t character) const {
  switch (step.kind) {
    case Kind::kCharacter:
      return character == step.value;
    case Kind::kClass: {
      const Class& members = classes_[step.value];
      const bool listed = std::ranges::any_of(members.ranges, [&](const auto& range) {
        return character >= range.first && character <= range.second;
      });
      return listed != members.negated && character != '/';
    }
    case Kind::kAnyInName:
      return character != '/';
    case Kind::kAny:
      return true;
    default:
      return false;
  }
}

bool Glob::Matches(std::string_view text, std::size_t* steps) const {
  if (last_component_) text = text.substr(text.rfind('/') + 1);
  if (written_dot_ && text.starts_with('.') && !has_dot_) return false;
  States current(steps_.size());
  States next(steps_.size());
  std::size_t taken = 0;
  next.Add(0);
  for (;;) {
    // Forks add to the list that is being read.
    for (std::size_t i = 0; i < next.list().size(); ++i, ++taken) {
      const Step& step = steps_[next.list()[i]];
      if (step.kind != Kind::kFork) continue;
      next.Add(step.next);
      next.Add(step.other);
    }
    std::swap(current, next);
    next.Clear();
    if (text.empty() || current.list().empty()) break;
    const std::uint32_t character = TakeCharacter(text);
    for (const std::uint32_t state : current.list()) {
      if (Accepts(steps_[state], character)) next.Add(steps_[state].next);
    }
  }
  if (steps != nullptr) *steps += taken;
  const auto is_match = [&](std::uint32_t state) { return steps_[state].kind == Kind::kMatch; };
  return text.empty() && std::ranges::any_of(current.list(), is_match);
}

}  // namespace toolpost::base
