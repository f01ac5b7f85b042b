// Matching of URI templates by dynamic programming: no backtracking.
#include "mcp/uri_template.h"

#include <algorithm>
#include <utility>

#include "base/percent.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

std::optional<std::string> DecodeValue(std::string_view text) {
  std::optional<std::string> out = base::PercentDecode(text);
  return out && out->find('\0') == std::string::npos ? out : std::nullopt;
}

Error Bad(std::string_view why) {
  return Error::InvalidParams(base::StrCat("Bad URI template: ", why));
}

}  // namespace

Result<UriTemplate> UriTemplate::Parse(std::string_view text) {
  if (text.size() > kMaxTemplate) {
    return Bad(base::StrCat("longer than ", kMaxTemplate, " bytes"));
  }
  UriTemplate result;
  while (!text.empty()) {
    const std::size_t brace = text.find_first_of("{}");
    result.AddLiteral(text.substr(0, brace));
    if (brace == std::string_view::npos) break;
    if (text[brace] == '}') return Bad("'}' without '{'");
    text.remove_prefix(brace + 1);
    const std::size_t end = text.find_first_of("{}");
    if (end == std::string_view::npos || text[end] == '{') return Bad("'{' without '}'");
    RETURN_IF_ERROR(result.AddVariable(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  if (result.variables_.empty()) {
    return Bad("it has no {variable}; add it as a plain resource instead");
  }
  return result;
}

void UriTemplate::AddLiteral(std::string_view text) {
  if (!text.empty()) parts_.push_back({false, false, std::string(text)});
}

Result<void> UriTemplate::AddVariable(std::string_view expression) {
  const bool reserved = expression.starts_with('+');
  const std::string_view name = expression.substr(reserved ? 1 : 0);
  if (name.empty() || name.find_first_not_of(kNameCharacters) != std::string_view::npos) {
    return Bad(base::StrCat("{", expression,
                            "} is not supported; use {name} or {+name} with letters, digits, "
                            "'_', '.' and '-'"));
  }
  if (std::find(variables_.begin(), variables_.end(), name) != variables_.end()) {
    return Bad(base::StrCat("the variable ", name, " appears twice"));
  }
  if (!parts_.empty() && parts_.back().variable) {
    return Bad(base::StrCat("put a literal between {", parts_.back().text, "} and {", name, "}"));
  }
  if (variables_.size() == kMaxVariables) {
    return Bad(base::StrCat("more than ", kMaxVariables, " variables"));
  }
  parts_.push_back({true, reserved, std::string(name)});
  variables_.emplace_back(name);
  return {};
}

std::optional<UriVariables> UriTemplate::Match(std::string_view uri) const {
  if (uri.size() > kMaxUri) return std::nullopt;
  if (!parts_.front().variable && !uri.starts_with(parts_.front().text)) return std::nullopt;
  if (!parts_.back().variable && !uri.ends_with(parts_.back().text)) return std::nullopt;

  // matches[k * width + i]: the parts from k on match the URI from i on, exactly to its end.
  const std::size_t width = uri.size() + 1;
  std::vector<bool> matches((parts_.size() + 1) * width, false);
  matches[parts_.size() * width + uri.size()] = true;
  for (std::size_t k = parts_.size(); k-- > 0;) {
    const Part& part = parts_[k];
    if (!part.variable) {
      for (std::size_t i = 0; i + part.text.size() <= uri.size(); ++i) {
        matches[k * width + i] = matches[(k + 1) * width + i + part.text.size()] &&
                                 uri.substr(i, part.text.size()) == part.text;
      }
      continue;
    }
    bool reachable = false;  // some end to the right of i, without a forbidden '/' before it
    for (std::size_t i = uri.size(); i-- > 0;) {
      reachable =
          (part.reserved || uri[i] != '/') && (reachable || matches[(k + 1) * width + i + 1]);
      matches[k * width + i] = reachable;
    }
  }
  if (!matches[0]) return std::nullopt;

  UriVariables values;
  std::size_t at = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    if (!part.variable) {
      at += part.text.size();
      continue;
    }
    std::size_t end = at;
    for (std::size_t i = at; i < uri.size() && (part.reserved || uri[i] != '/'); ++i) {
      if (matches[(k + 1) * width + i + 1]) end = i + 1;
    }
    auto value = DecodeValue(uri.substr(at, end - at));
    if (!value) return std::nullopt;
    values.emplace(part.text, *std::move(value));
    at = end;
  }
  return values;
}

}  // namespace toolpost::mcp
