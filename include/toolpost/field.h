// One member of a typed struct: its JSON name, where it lives, what the model reads about it, and
// its rules.
//
// Used through Fields(), see schema.h. Everything is constexpr and a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace toolpost {

// The JSON spelling of an enum, by specialisation:
//   template <> struct EnumNames<Color> {
//     static constexpr std::pair<Color, std::string_view> kNames[] = {{Color::kRed, "red"}, …};
//   };
template <typename E>
struct EnumNames;

// A bound or default of a field: an integer or a real number.
class FieldNumber {
 public:
  constexpr FieldNumber() = default;
  template <typename N>
  requires std::is_arithmetic_v<N>
  constexpr FieldNumber(N value)
      : value_(std::in_place_type<std::conditional_t<std::is_integral_v<N>, std::int64_t, double>>,
               value) {}

  constexpr bool set() const { return value_.index() != 0; }
  constexpr bool integral() const { return std::holds_alternative<std::int64_t>(value_); }
  // Of a number that is set, as N.
  template <typename N>
  constexpr N as() const {
    return integral() ? static_cast<N>(std::get<std::int64_t>(value_))
                      : static_cast<N>(std::get<double>(value_));
  }

 private:
  std::variant<std::monostate, std::int64_t, double> value_;
};

// What a field allows besides its type. On arrays and maps everything but the item counts is about
// the elements. There are hundreds of these in a program, and a start touches all of them: small.
struct FieldRules {
  static constexpr std::size_t kMaxChoices = 8;

  FieldNumber minimum, maximum, exclusive_minimum;
  std::size_t min_length = 0;
  std::size_t max_length = 0;  // 0: unbounded
  std::size_t min_items = 0;
  std::size_t max_items = 0;  // 0: unbounded
  std::string_view pattern;
  std::array<const char*, kMaxChoices> choices{};  // null after the last
  FieldNumber default_number;
  std::string_view default_text;  // without data: none
  std::optional<bool> default_bool;
  std::string_view header;
};

namespace fields {

template <typename T>
struct Bare {
  using type = T;
};
template <typename T>
struct Bare<std::optional<T>> {
  using type = T;
};

}  // namespace fields

// One member of a struct: its JSON name, where it lives, what the model reads about it, and its
// rules.
template <typename Owner, typename T>
struct Field {
  using Value = T;
  using Bare = typename fields::Bare<T>::type;

  std::string_view name;
  T Owner::*member;
  std::string_view description;
  bool required;
  FieldRules rules{};

  constexpr Field Min(FieldNumber least) const {
    return With([&](auto& r) { r.minimum = least; });
  }
  constexpr Field Max(FieldNumber most) const {
    return With([&](auto& r) { r.maximum = most; });
  }
  constexpr Field Range(FieldNumber least, FieldNumber most) const { return Min(least).Max(most); }
  constexpr Field Positive() const {
    if constexpr (std::is_floating_point_v<Bare>)
      return With([](auto& r) { r.exclusive_minimum = 0; });
    return Min(1);
  }
  constexpr Field MinLength(std::size_t n) const {
    return With([&](auto& r) { r.min_length = n; });
  }
  constexpr Field MaxLength(std::size_t n) const {
    return With([&](auto& r) { r.max_length = n; });
  }
  constexpr Field MinItems(std::size_t n) const {
    return With([&](auto& r) { r.min_items = n; });
  }
  constexpr Field MaxItems(std::size_t n) const {
    return With([&](auto& r) { r.max_items = n; });
  }
  constexpr Field Pattern(std::string_view regex) const {
    return With([&](auto& r) { r.pattern = regex; });
  }
  template <std::size_t N>
  constexpr Field OneOf(const char* const (&choices)[N]) const {
    static_assert(N <= FieldRules::kMaxChoices, "use an enum with EnumNames for more choices");
    return With([&](auto& r) {
      r.choices = {};
      for (std::size_t i = 0; i < N; ++i) r.choices[i] = choices[i];
    });
  }
  // The value of an absent optional field; listed in the schema.
  template <typename V>
  constexpr Field Default(V value) const {
    return With([&](auto& r) {
      if constexpr (std::is_same_v<V, bool>) {
        r.default_bool = value;
      } else if constexpr (std::is_enum_v<V>) {
        for (const auto& [each, text] : EnumNames<V>::kNames) {
          if (each == value) r.default_text = text;
        }
      } else if constexpr (std::is_arithmetic_v<V>) {
        r.default_number = value;
      } else {
        r.default_text = std::string_view(value);
      }
    });
  }
  // The argument must also be sent as the header `Mcp-Param-<header>` (2026-07-28). Never for
  // secrets.
  constexpr Field Header(std::string_view header) const {
    return With([&](auto& r) { r.header = header; });
  }

 private:
  template <typename Change>
  constexpr Field With(Change change) const {
    Field copy = *this;
    change(copy.rules);
    return copy;
  }
};

// A field that must be there. A required std::optional member may be null.
template <typename Owner, typename T>
constexpr Field<Owner, T> Req(std::string_view name, T Owner::*member,
                              std::string_view description = {}) {
  return {name, member, description, true};
}
// A field that may be absent or null: the member then keeps its initial value, or takes Default().
template <typename Owner, typename T>
constexpr Field<Owner, T> Opt(std::string_view name, T Owner::*member,
                              std::string_view description = {}) {
  return {name, member, description, false};
}

}  // namespace toolpost
