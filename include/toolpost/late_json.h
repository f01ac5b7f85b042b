// A JSON value that may be built when it is first read: a server starts without the schemas of
// tools that nobody has asked for yet.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <utility>

#include "toolpost/json.h"

namespace toolpost {

// Copies share one value. Reading is safe on any thread; whoever comes first builds.
class LateJson {
 public:
  LateJson() = default;  // null
  // A value that is there already, in the storage it was made in.
  template <typename T>
  requires(std::convertible_to<T, Json>) LateJson(T value)
      : LateJson(Ready{}, Json(std::move(value))) {}
  LateJson(std::initializer_list<boost::json::value_ref> value) : LateJson(Ready{}, Json(value)) {}
  // `build` always gives the same value.
  explicit LateJson(Json (*build)());

  // Whether the value comes, or came, from a builder.
  bool late() const;

  const Json& operator*() const;
  const Json* operator->() const { return &**this; }

 private:
  struct Ready {};
  struct State;
  LateJson(Ready, Json value);

  std::shared_ptr<State> state_;
};

}  // namespace toolpost
