// Globs as regular expressions.
#include "tools/file/glob.h"

#include <string>

#include "base/strings.h"

namespace toolpost::tools::file {
namespace {

constexpr std::string_view kSpecial = R"(\^$.|?*+()[]{}/-)";

void AppendLiteral(std::string& out, char c) {
  if (kSpecial.find(c) != std::string_view::npos) out.push_back('\\');
  out.push_back(c);
}

class Translator {
 public:
  explicit Translator(std::string_view glob) : glob_(glob) {}

  Result<std::string> Run() {
    out_ = "^";
    while (at_ < glob_.size()) RETURN_IF_ERROR(One());
    if (depth_ > 0) return Error::InvalidParams("The glob has a { without its }");
    out_.push_back('$');
    return std::move(out_);
  }

 private:
  Result<void> One() {
    const char c = glob_[at_++];
    switch (c) {
      case '*':
        Stars();
        return {};
      case '?':
        out_.append("[^/]");
        return {};
      case '[':
        return Class();
      case '{':
        ++depth_;
        out_.append("(?:");
        return {};
      case '}':
        if (depth_ == 0) break;
        --depth_;
        out_.push_back(')');
        return {};
      case ',':
        if (depth_ == 0) break;
        out_.push_back('|');
        return {};
      case '\\':
        if (at_ < glob_.size()) {
          AppendLiteral(out_, glob_[at_++]);
          return {};
        }
        break;
      default:
        break;
    }
    AppendLiteral(out_, c);
    return {};
  }

  void Stars() {
    if (at_ >= glob_.size() || glob_[at_] != '*') {
      out_.append("[^/]*");
      return;
    }
    while (at_ < glob_.size() && glob_[at_] == '*') ++at_;
    if (at_ < glob_.size() && glob_[at_] == '/') {
      ++at_;
      out_.append(R"((?:[\s\S]*\/)?)");
    } else {
      out_.append(R"([\s\S]*)");
    }
  }

  Result<void> Class() {
    const std::size_t start = at_;
    const bool negated = at_ < glob_.size() && (glob_[at_] == '!' || glob_[at_] == '^');
    const std::size_t first = start + (negated ? 1 : 0);
    // A ] right at the start is a member.
    const std::size_t close = glob_.find(']', first + 1);
    if (close == std::string_view::npos)
      return Error::InvalidParams("The glob has a [ without its ]");
    out_.append(negated ? "[^/" : "[");
    for (std::size_t at = first; at < close; ++at) {
      const bool range = glob_[at] == '-' && at > first && at + 1 < close;
      if (range) {
        out_.push_back('-');
      } else {
        AppendLiteral(out_, glob_[at]);
      }
    }
    out_.push_back(']');
    at_ = close + 1;
    return {};
  }

  const std::string_view glob_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

Result<Glob> Glob::Compile(std::string_view pattern) {
  if (pattern.empty() || pattern.size() > kMaxLength)
    return Error::InvalidParams(base::StrCat("A glob has 1 to ", kMaxLength, " bytes"));
  ASSIGN_OR_RETURN(const std::string translated, Translator(pattern).Run());
  auto regex = base::Regex::Compile(translated);
  if (!regex) {
    return Error::InvalidParams(base::StrCat("The glob is not valid: ", regex.error().message,
                                             "; it may use * ? [abc] {a,b} and ** for any depth"));
  }
  return Glob(*std::move(regex), pattern.find('/') != std::string_view::npos);
}

bool Glob::Matches(std::string_view relative) const {
  if (whole_) return regex_.Search(relative);
  return regex_.Search(relative.substr(relative.rfind('/') + 1));
}

}  // namespace toolpost::tools::file
