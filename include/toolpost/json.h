// The JSON value type of the whole project: the one library type in public headers.
//
// Values are Boost.JSON values. Incoming messages are parsed into a per-request arena, so a value
// that has to outlive its call must be copied (`Json copy(value, {})`), never moved.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

namespace toolpost {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

}  // namespace toolpost
