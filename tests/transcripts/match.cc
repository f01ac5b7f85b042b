// Expected against actual values.
#include <boost/json/serialize.hpp>

#include "transcript.h"

namespace toolpost::transcripts {
namespace {

constexpr std::string_view kMore = "...";

std::string Differs(const std::string& place, const std::string& wanted, const Json& actual) {
  return "at " + (place.empty() ? "/" : place) + ": wanted " + wanted + ", got " +
         boost::json::serialize(actual);
}

// "2026-07-28T12:00:00", then anything.
bool IsTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

std::string MismatchText(std::string_view expected, const Json& actual, Kept& kept,
                         const std::string& place) {
  if (expected == "*") return {};
  if (expected == "<string>") return actual.is_string() ? "" : Differs(place, "a string", actual);
  if (expected == "<number>") return actual.is_number() ? "" : Differs(place, "a number", actual);
  if (expected == "<time>") {
    return actual.is_string() && IsTime(actual.get_string())
               ? ""
               : Differs(place, "an ISO 8601 time", actual);
  }
  if (expected.starts_with('$')) {
    const auto [entry, added] = kept.try_emplace(std::string(expected.substr(1)), actual);
    const bool same = added || entry->second == actual;
    return same ? "" : Differs(place, boost::json::serialize(entry->second), actual);
  }
  const bool same = actual.is_string() && std::string_view(actual.get_string()) == expected;
  return same ? "" : Differs(place, boost::json::serialize(Json(expected)), actual);
}

std::string MismatchObject(const JsonObject& expected, const Json& actual, Kept& kept,
                           const std::string& place) {
  if (!actual.is_object()) return Differs(place, "an object", actual);
  const JsonObject& object = actual.get_object();
  for (const auto& [key, value] : expected) {
    if (key == kMore) continue;
    const std::string inside = place + "/" + std::string(key);
    const Json* member = object.if_contains(key);
    if (member == nullptr) return Differs(inside, "a value", actual);
    if (std::string difference = Mismatch(value, *member, kept, inside); !difference.empty())
      return difference;
  }
  if (expected.contains(kMore)) return {};
  for (const auto& [key, value] : object) {
    if (!expected.contains(key))
      return Differs(place + "/" + std::string(key), "no such key", value);
  }
  return {};
}

std::string MismatchArray(const JsonArray& expected, const Json& actual, Kept& kept,
                          const std::string& place) {
  if (!actual.is_array()) return Differs(place, "an array", actual);
  const bool open = !expected.empty() && expected.back() == Json(kMore);
  const std::size_t wanted = expected.size() - (open ? 1 : 0);
  const JsonArray& array = actual.get_array();
  if (open ? array.size() < wanted : array.size() != wanted) {
    return Differs(place, std::to_string(wanted) + " elements", actual);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    std::string difference = Mismatch(expected[i], array[i], kept, place + "/" + std::to_string(i));
    if (!difference.empty()) return difference;
  }
  return {};
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string Mismatch(const Json& expected, const Json& actual, Kept& kept,
                     const std::string& place) {
  if (expected.is_string()) return MismatchText(expected.get_string(), actual, kept, place);
  if (expected.is_object()) return MismatchObject(expected.get_object(), actual, kept, place);
  if (expected.is_array()) return MismatchArray(expected.get_array(), actual, kept, place);
  // 1 and 1.0 are the same number.
  const bool same = expected.is_number() && actual.is_number()
                        ? expected.to_number<double>() == actual.to_number<double>()
                        : expected == actual;
  return same ? "" : Differs(place, boost::json::serialize(expected), actual);
}

std::string Fill(std::string text, const Kept& kept) {
  for (const auto& [name, value] : kept) {
    const std::string json = boost::json::serialize(value);
    ReplaceAll(text, "\"$" + name + "\"", json);
    if (value.is_string()) ReplaceAll(text, "$" + name, std::string_view(value.get_string()));
  }
  return text;
}

}  // namespace toolpost::transcripts
