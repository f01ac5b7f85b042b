// ECMA-262 (unicode mode) patterns translated to RE2 syntax; see regex_translate.h for the
// translation.
#include "base/regex.h"

#include <re2/re2.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/regex_translate.h"
#include "base/strings.h"

namespace toolpost::base {

namespace {

constexpr std::size_t kMaxPatternBytes = std::size_t{32} * 1024;
constexpr std::int64_t kMaxProgramBytes = 1 << 20;

RE2::Options QuietOptions(Case letters, bool literal) {
  RE2::Options options;
  options.set_case_sensitive(letters == Case::kMatters);
  options.set_literal(literal);
  options.set_log_errors(false);
  options.set_max_mem(kMaxProgramBytes);
  options.set_never_capture(true);
  return options;
}

Error TooLong() {
  return Error::InvalidParams(
      StrCat("pattern is longer than the allowed ", kMaxPatternBytes, " bytes"));
}

}  // namespace

struct Regex::Compiled {
  Compiled(const std::string& pattern, const RE2::Options& options) : re(pattern, options) {}
  RE2 re;
};

Regex::Regex(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

Result<Regex> Regex::Compile(std::string_view pattern, Case letters) {
  if (pattern.size() > kMaxPatternBytes) return TooLong();
  ASSIGN_OR_RETURN(const std::string translated, TranslateRegex(pattern));
  return Build(translated, letters, false);
}

Result<Regex> Regex::Literal(std::string_view text, Case letters) {
  if (text.size() > kMaxPatternBytes) return TooLong();
  return Build(std::string(text), letters, true);
}

Result<Regex> Regex::Build(const std::string& pattern, Case letters, bool literal) {
  auto compiled = std::make_shared<const Compiled>(pattern, QuietOptions(letters, literal));
  if (!compiled->re.ok()) {
    if (compiled->re.error_code() == RE2::ErrorPatternTooLarge) {
      return Error::InvalidParams("pattern is too complex: use fewer or smaller repetitions");
    }
    return Error::InvalidParams(StrCat("pattern is not valid: ", compiled->re.error()));
  }
  return Regex(std::move(compiled));
}

bool Regex::Search(std::string_view text) const {
  const re2::StringPiece subject(text.data(), text.size());
  return compiled_->re.Match(subject, 0, subject.size(), RE2::UNANCHORED, nullptr, 0);
}

}  // namespace toolpost::base
