// Folding of constants, by their size.
#include "db/select_guard_postgres_size.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/strings.h"

namespace toolpost::db {
namespace {

// Sorted, without those that end in "like". Regular expressions look for a cancel request, and
// similarity() and levenshtein() of the well-known extensions are bounded.
constexpr std::string_view kComparing[] = {"!~~",
                                           "!~~*",
                                           "&&",
                                           "-",
                                           "<@",
                                           "?&",
                                           "?|",
                                           "@>",
                                           "arraycontained",
                                           "arraycontains",
                                           "arrayoverlap",
                                           "btrim",
                                           "jsonb_contained",
                                           "jsonb_contains",
                                           "jsonb_delete",
                                           "jsonb_exists_all",
                                           "jsonb_exists_any",
                                           "ltrim",
                                           "position",
                                           "replace",
                                           "rtrim",
                                           "split_part",
                                           "string_to_array",
                                           "string_to_table",
                                           "strpos",
                                           "translate",
                                           "~~",
                                           "~~*"};
static_assert(std::is_sorted(std::begin(kComparing), std::end(kComparing)));

const Json* Member(const Json& object, std::string_view key) {
  return object.is_object() ? object.get_object().if_contains(key) : nullptr;
}

std::string_view LastName(const Json* names) {
  if (names == nullptr || !names->is_array() || names->get_array().empty()) return {};
  const Json* string = Member(names->get_array().back(), "String");
  const Json* text = string != nullptr ? Member(*string, "sval") : nullptr;
  return text != nullptr && text->is_string() ? std::string_view(text->get_string())
                                              : std::string_view();
}

double ReadDigits(std::string_view digits, int base) {
  double number = 0;
  for (const char c : digits) number = number * base + (c <= '9' ? c - '0' : c - 'a' + 10);
  return number;
}

// As PostgreSQL reads it, also a later one: " +1000", "0x3E8", "1_000".
std::optional<double> Parse(const Json* text) {
  if (text == nullptr || !text->is_string()) return std::nullopt;
  std::string digits = base::ToLower(std::string_view(text->get_string()));
  std::erase_if(digits, [](char c) { return c == '_' || c == ' ' || (c >= '\t' && c <= '\r'); });
  std::string_view rest = digits;
  const double sign = rest.starts_with('-') ? -1 : 1;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.starts_with("0x")) return sign * ReadDigits(rest.substr(2), 16);
  if (rest.starts_with("0o")) return sign * ReadDigits(rest.substr(2), 8);
  if (rest.starts_with("0b")) return sign * ReadDigits(rest.substr(2), 2);
  double number = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (read.ec == std::errc::result_out_of_range) return sign * HUGE_VAL;
  if (read.ec != std::errc()) return std::nullopt;
  return sign * number;
}

std::optional<double> Number(const Json& node);

std::optional<double> Constant(const Json& constant) {
  if (const Json* integer = Member(constant, "ival")) {
    const Json* value = Member(*integer, "ival");
    return value != nullptr && value->is_int64() ? static_cast<double>(value->get_int64()) : 0.0;
  }
  if (const Json* real = Member(constant, "fval")) return Parse(Member(*real, "fval"));
  if (const Json* text = Member(constant, "sval")) return Parse(Member(*text, "sval"));
  return std::nullopt;
}

std::optional<double> Arithmetic(const Json& expression) {
  const std::string_view name = LastName(Member(expression, "name"));
  const Json* right_node = Member(expression, "rexpr");
  const Json* left_node = Member(expression, "lexpr");
  const auto right = right_node != nullptr ? Number(*right_node) : std::nullopt;
  const auto left = left_node != nullptr ? Number(*left_node) : std::optional<double>(0);
  if (!left || !right) return std::nullopt;
  if (name == "+") return *left + *right;
  if (name == "-") return *left - *right;
  if (name == "*") return *left * *right;
  if (name == "/") return *right != 0 ? *left / *right : 0;
  if (name == "^") return std::pow(*left, *right);
  if (name == "@") return std::abs(*right);
  if (name == "<<") return std::ldexp(*left, static_cast<int>(std::clamp(*right, 0.0, 64.0)));
  return std::nullopt;
}

std::optional<double> Call(const Json& call) {
  const std::string_view name = LastName(Member(call, "funcname"));
  const Json* arguments = Member(call, "args");
  if (arguments == nullptr || !arguments->is_array()) return std::nullopt;
  const JsonArray& list = arguments->get_array();
  if ((name == "power" || name == "pow") && list.size() == 2) {
    const auto base = Number(list[0]), exponent = Number(list[1]);
    if (base && exponent) return std::pow(*base, *exponent);
  }
  if (name == "exp" && list.size() == 1) {
    const auto exponent = Number(list[0]);
    return exponent ? std::optional(std::exp(*exponent)) : std::nullopt;
  }
  if (list.size() != 1) return std::nullopt;
  const auto number = Number(list[0]);  // int4(…), ceil(…)
  return number && name.ends_with("abs") ? std::abs(*number) : number;
}

// Of those that are known.
std::optional<double> Extreme(const Json& expression) {
  const Json* arguments = Member(expression, "args");
  if (arguments == nullptr || !arguments->is_array()) return std::nullopt;
  const Json* op = Member(expression, "op");
  const bool least = op != nullptr && op->is_string() && op->get_string() == "IS_LEAST";
  std::optional<double> extreme;
  for (const Json& argument : arguments->get_array()) {
    const auto number = Number(argument);
    if (number && (!extreme || (least ? *number < *extreme : *number > *extreme))) extreme = number;
  }
  return extreme;
}

std::optional<double> NumberOrNan(const Json& node) {
  if (const Json* constant = Member(node, "A_Const")) return Constant(*constant);
  if (const Json* expression = Member(node, "A_Expr")) return Arithmetic(*expression);
  if (const Json* call = Member(node, "FuncCall")) return Call(*call);
  if (const Json* extreme = Member(node, "MinMaxExpr")) return Extreme(*extreme);
  if (const Json* first = Member(node, "CoalesceExpr")) return Extreme(*first);
  if (const Json* cast = Member(node, "TypeCast")) {
    const Json* inner = Member(*cast, "arg");
    return inner != nullptr ? Number(*inner) : std::nullopt;
  }
  return std::nullopt;
}

// PostgreSQL puts NaN behind all other numbers.
std::optional<double> Number(const Json& node) {
  const auto number = NumberOrNan(node);
  return number && std::isnan(*number) ? HUGE_VAL : number;
}

double Count(const Json& node) { return std::max(Number(node).value_or(1), 0.0); }

double Product(const Json& dimensions) {
  const Json* array = Member(dimensions, "A_ArrayExpr");
  const Json* elements = array != nullptr ? Member(*array, "elements") : nullptr;
  if (elements == nullptr || !elements->is_array()) return 1;
  double product = 1;
  for (const Json& element : elements->get_array()) product *= Count(element);
  return product;
}

double Sum(const Json& node) {
  double bytes = 0;
  if (node.is_array()) {
    for (const Json& element : node.get_array()) bytes += ConstantBytes(element);
  } else if (node.is_object()) {
    for (const auto& member : node.get_object()) bytes += ConstantBytes(member.value());
  }
  return bytes;
}

// The numbers in a constant format, of which some are widths: %10s, %1$-200s; and for each that is
// an argument (%*s) the largest.
double Widths(const JsonArray& arguments) {
  const Json* constant = Member(arguments[0], "A_Const");
  const Json* text = constant != nullptr ? Member(*constant, "sval") : nullptr;
  const Json* value = text != nullptr ? Member(*text, "sval") : nullptr;
  if (value == nullptr || !value->is_string()) return 1;
  double largest = 0;
  for (const Json& argument : arguments) {
    largest = std::max(largest, std::abs(Number(argument).value_or(0)));
  }
  double sum = 1, number = 0;
  for (const char c : value->get_string()) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) sum += number;
    if (c == '*') sum += largest;
    number = digit ? number * 10 + (c - '0') : 0;
  }
  return sum + number;
}

}  // namespace

double CallBytes(const Json& call) {
  const std::string_view name = LastName(Member(call, "funcname"));
  const Json* arguments = Member(call, "args");
  if (arguments == nullptr || !arguments->is_array()) return 1;
  const JsonArray& list = arguments->get_array();
  if (name == "repeat" && list.size() == 2) return ConstantBytes(list[0]) * Count(list[1]);
  if ((name == "lpad" || name == "rpad") && list.size() >= 2) return Count(list[1]);
  if (name == "array_fill" && list.size() >= 2) {
    return std::max(ConstantBytes(list[0]), 8.0) * Product(list[1]);
  }
  if ((name == "replace" || name == "regexp_replace") && list.size() >= 3) {
    const double pattern = name == "replace" ? std::max(ConstantBytes(list[1]), 1.0) : 1.0;
    return ConstantBytes(list[0]) * std::max(ConstantBytes(list[2]) / pattern, 1.0);
  }
  if (name == "format" && !list.empty()) return Sum(*arguments) + Widths(list);
  return std::max(Sum(*arguments), 1.0);
}

double ConstantBytes(const Json& expression) {
  if (const Json* constant = Member(expression, "A_Const")) {
    const Json* text = Member(*constant, "sval");
    const Json* value = text != nullptr ? Member(*text, "sval") : nullptr;
    return value != nullptr && value->is_string()
               ? std::max(1.0, static_cast<double>(value->get_string().size()))
               : 1.0;
  }
  if (const Json* call = Member(expression, "FuncCall")) return CallBytes(*call);
  if (expression.is_object() && expression.get_object().contains("ColumnRef")) return 1;
  return Sum(expression);
}

bool ComparesBytes(std::string_view name) {
  return name.ends_with("like") ||
         std::binary_search(std::begin(kComparing), std::end(kComparing), name);
}

double Comparisons(const Json& left, const Json& right) {
  const double bytes = ConstantBytes(right);
  // Long chains of operators lean to the left and are not measured again at each of them.
  if (bytes * kLargestConstant <= kMostComparisons) return bytes;
  return bytes * ConstantBytes(left);
}

double SeriesRows(const Json& arguments) {
  if (!arguments.is_array() || arguments.get_array().size() < 2) return 0;
  const JsonArray& list = arguments.get_array();
  const auto first = Number(list[0]), last = Number(list[1]);
  const auto step = list.size() > 2 ? Number(list[2]) : std::optional<double>(1);
  if (!first || !last || !step || *step == 0) return 0;
  return std::max((*last - *first) / *step, 0.0);
}

}  // namespace toolpost::db
