// Building once, whoever comes first.
#include "toolpost/late_json.h"

#include <mutex>
#include <optional>

namespace toolpost {

struct LateJson::State {
  Json (*build)() = nullptr;
  std::once_flag once{};
  std::optional<Json> value{};  // constructed, never assigned: it keeps its storage
};

LateJson::LateJson(Ready, Json value) : state_(std::make_shared<State>()) {
  state_->value.emplace(std::move(value));
}
LateJson::LateJson(Json (*build)()) : state_(std::make_shared<State>()) { state_->build = build; }

bool LateJson::late() const { return state_ != nullptr && state_->build != nullptr; }

const Json& LateJson::operator*() const {
  static const Json kNull;
  if (state_ == nullptr) return kNull;
  if (state_->build != nullptr) {
    std::call_once(state_->once, [this] { state_->value.emplace(state_->build()); });
  }
  return *state_->value;
}

}  // namespace toolpost
