// The value under validation: where it is, and what it is, without copying it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "toolpost/json.h"

namespace toolpost::schema {

// A value, a bare object (the arguments of a call) or a member's name (for propertyNames), with the
// way to it from the root. Lives on the stack of the evaluation; `parent` is an outer frame.
struct Instance {
  explicit Instance(const Json& json) : kind(json.kind()), value(&json) {
    if (kind == boost::json::kind::object) object = &json.get_object();
  }
  explicit Instance(const JsonObject& bare) : kind(boost::json::kind::object), object(&bare) {}
  // A member or item of `outer`.
  Instance(const Json& json, const Instance& outer, std::string_view key, std::size_t index)
      : Instance(json) {
    parent = &outer;
    name = key;
    position = index;
  }
  // The name `key` of a member of `outer`, as a string value.
  static Instance OfName(std::string_view key, const Instance& outer, std::size_t index) {
    Instance instance(key);
    instance.parent = &outer;
    instance.name = key;
    instance.position = index;
    return instance;
  }

  std::string_view Text() const { return value != nullptr ? value->get_string() : text; }

  boost::json::kind kind;
  const Json* value = nullptr;         // null for a bare object or a name
  const JsonObject* object = nullptr;  // set if kind is object
  std::string_view text;               // the string, if this is a name
  const Instance* parent = nullptr;
  std::string_view name;     // the key, if the parent is an object
  std::size_t position = 0;  // among the members or items of the parent

 private:
  explicit Instance(std::string_view key) : kind(boost::json::kind::string), text(key) {}
};

// The JSON pointer of the instance. Overlong names are cut, since they come from the caller.
std::string PointerOf(const Instance& instance);

}  // namespace toolpost::schema
