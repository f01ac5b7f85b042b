// The first rule that fits and is not used up.
#include "tds_server/rules.h"

namespace toolpost::tds_server {

Rules::Rules(Script script) : script_(std::move(script)) {
  for (const Rule& rule : script_.rules) left_.push_back(rule.times);
  unknown_.emplace_back(MessageStep{
      .message = {.number = 208, .severity = 16, .text = "The script has no reply to this."}});
}

Rules::Steps Rules::Choose(const Received& request) {
  Steps chosen;
  const std::string_view tag = TagOf(request.text);
  for (const auto& [name, steps] : script_.after) {
    if (name == tag) chosen.after = steps;
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < script_.rules.size(); ++i) {
    if (left_[i] == 0 || !Fits(script_.rules[i], request)) continue;
    if (left_[i] > 0) --left_[i];
    chosen.steps = script_.rules[i].steps;
    return chosen;
  }
  chosen.steps = script_.otherwise ? *script_.otherwise : unknown_;
  return chosen;
}

}  // namespace toolpost::tds_server
