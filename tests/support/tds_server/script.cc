// Which rule a request meets.
#include "tds_server/script.h"

#include <charconv>

namespace toolpost::tds_server {
namespace {

const Parameter* Find(const std::vector<Parameter>& parameters, std::string_view key) {
  std::size_t number = 0;
  std::from_chars(key.data(), key.data() + key.size(), number);
  if (number > 0) return number <= parameters.size() ? &parameters[number - 1] : nullptr;
  for (const Parameter& parameter : parameters) {
    if (parameter.name == key) return &parameter;
  }
  return nullptr;
}

}  // namespace

bool Fits(const Rule& rule, const Received& request) {
  if (!rule.tag.empty() && rule.tag != TagOf(request.text)) return false;
  if (rule.text && *rule.text != request.text) return false;
  if (!request.text.starts_with(rule.prefix)) return false;
  if (!rule.procedure.empty() && rule.procedure != request.procedure) return false;
  for (const auto& [key, value] : rule.parameters) {
    const Parameter* parameter = Find(request.parameters, key);
    if (parameter == nullptr || parameter->value != value) return false;
  }
  return true;
}

}  // namespace toolpost::tds_server
