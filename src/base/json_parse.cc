// Strict JSON parsing on Boost.JSON's event parser, with our own number and duplicate rules.
#include "base/json_parse.h"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

namespace json = boost::json;
using json::error_code;

constexpr std::size_t kMaxKeyInMessage = 64;

struct Limits {
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
};

// Builds the value. The whole text arrives in one piece, so number texts are always complete.
class Builder : public Limits {
 public:
  explicit Builder(json::storage_ptr storage) : stack_({}, scratch_, sizeof scratch_) {
    stack_.reset(std::move(storage));
  }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_object_end(std::size_t size, error_code&) {
    keys_ += size;
    stack_.push_object(size);
    return true;
  }
  bool on_array_end(std::size_t size, error_code&) {
    stack_.push_array(size);
    return true;
  }
  bool on_key_part(std::string_view part, std::size_t, error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_key(std::string_view part, std::size_t, error_code&) {
    stack_.push_key(part);
    return true;
  }
  bool on_string_part(std::string_view part, std::size_t, error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(std::string_view part, std::size_t, error_code&) {
    stack_.push_string(part);
    return true;
  }
  bool on_number_part(std::string_view, error_code&) { return true; }
  bool on_int64(std::int64_t value, std::string_view text, error_code&) {
    if (value == 0 && text.front() == '-') {
      stack_.push_double(-0.0);
    } else {
      stack_.push_int64(value);
    }
    return true;
  }
  bool on_uint64(std::uint64_t value, std::string_view, error_code&) {
    stack_.push_uint64(value);
    return true;
  }
  bool on_double(double estimate, std::string_view text, error_code& error);
  bool on_bool(bool value, error_code&) {
    stack_.push_bool(value);
    return true;
  }
  bool on_null(error_code&) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

  Json Release() { return stack_.release(); }
  std::size_t keys() const { return keys_; }
  std::string_view refusal() const { return refusal_; }

 private:
  bool Refuse(std::string_view why, error_code& error) {
    refusal_ = why;
    error = json::error::not_number;
    return false;
  }

  alignas(json::value) unsigned char scratch_[4096];
  json::value_stack stack_;
  std::size_t keys_ = 0;
  std::string_view refusal_;
};

bool Builder::on_double(double estimate, std::string_view text, error_code& error) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    return Refuse("integer outside the 64-bit range; send it as a string", error);
  }
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) {
    if (std::abs(estimate) >= 1) return Refuse("number outside the range of a double", error);
    value = std::copysign(0.0, estimate);
  }
  stack_.push_double(value);
  return true;
}

// Looks for the first repeated key; runs only on texts known to hold one.
class DuplicateFinder : public Limits {
 public:
  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) {
    keys_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t, error_code&) {
    keys_.pop_back();
    return true;
  }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t, error_code&) { return true; }
  bool on_key_part(std::string_view part, std::size_t, error_code&) {
    key_.append(part);
    return true;
  }
  bool on_key(std::string_view part, std::size_t, error_code& error) {
    key_.append(part);
    if (!keys_.back().insert(key_).second) {
      error = json::error::syntax;
      return false;
    }
    key_.clear();
    return true;
  }
  bool on_string_part(std::string_view, std::size_t, error_code&) { return true; }
  bool on_string(std::string_view, std::size_t, error_code&) { return true; }
  bool on_number_part(std::string_view, error_code&) { return true; }
  bool on_int64(std::int64_t, std::string_view, error_code&) { return true; }
  bool on_uint64(std::uint64_t, std::string_view, error_code&) { return true; }
  bool on_double(double, std::string_view, error_code&) { return true; }
  bool on_bool(bool, error_code&) { return true; }
  bool on_null(error_code&) { return true; }
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

  std::string_view key() const { return key_; }

 private:
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
};

// Boost keeps one of several equal keys, so a text without duplicates is one whose values hold as
// many keys as it has.
std::size_t CountKeys(const Json& value) {
  std::size_t count = 0;
  if (const auto* object = value.if_object()) {
    count = object->size();
    for (const auto& member : *object) {
      if (member.value().is_structured()) count += CountKeys(member.value());
    }
  } else if (const auto* array = value.if_array()) {
    for (const auto& element : *array) {
      if (element.is_structured()) count += CountKeys(element);
    }
  }
  return count;
}

Error ErrorAt(std::size_t offset, std::string_view reason) {
  return Error::Parse(StrCat("Invalid JSON at byte ", offset, ": ", reason));
}

Error DuplicateError(std::string_view text, const json::parse_options& options) {
  json::basic_parser<DuplicateFinder> parser(options);
  error_code error;
  const std::size_t offset = parser.write_some(false, text.data(), text.size(), error);
  std::string reason = "duplicate key ";
  AppendJsonString(reason, parser.handler().key().substr(0, kMaxKeyInMessage));
  return ErrorAt(offset, reason);
}

std::string Reason(const error_code& error, std::string_view text, std::size_t max_depth) {
  if (error == json::error::too_deep) {
    return StrCat("nested deeper than ", max_depth, " levels");
  }
  if (error == json::error::incomplete) return "unexpected end of text";
  if (error == json::error::extra_data) return "text after the value";
  if (error == json::error::exponent_overflow) return "number outside the range of a double";
  if (text.starts_with("\xEF\xBB\xBF")) return "byte order mark; send UTF-8 without one";
  if (error == json::error::syntax && !IsValidUtf8(text)) return "invalid UTF-8";
  return error.message();
}

Result<Json> Parse(std::string_view text, json::storage_ptr storage, std::size_t max_depth) {
  json::parse_options options;
  options.max_depth = max_depth;
  json::basic_parser<Builder> parser(options, std::move(storage));
  error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  Builder& builder = parser.handler();
  if (error) {
    if (!builder.refusal().empty()) return ErrorAt(used, builder.refusal());
    return ErrorAt(used, Reason(error, text, max_depth));
  }
  if (used < text.size()) return ErrorAt(used, "text after the value");
  Json value = builder.Release();
  if (builder.keys() > 1 && CountKeys(value) != builder.keys()) {
    return DuplicateError(text, options);
  }
  return value;
}

}  // namespace

Result<Json> ParseJson(std::string_view text, json::storage_ptr storage, std::size_t max_depth) {
  try {
    return Parse(text, std::move(storage), max_depth);
  } catch (const std::bad_alloc&) {
    return Error{Code::kTooLarge, "Not enough memory for this JSON text; send a smaller one", {}};
  } catch (const std::length_error&) {
    return Error{Code::kTooLarge, "This JSON text is too large; send a smaller one", {}};
  }
}

}  // namespace toolpost::base
