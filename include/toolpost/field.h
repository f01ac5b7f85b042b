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

namespace toolpost {

// The JSON spelling of an enum, by specialisation:
//   template <> struct EnumNames<Color> {
//     static constexpr std::pair<Color, std::string_view> kNames[] = {{Color::kRed, "red"}, …};
//   };
template <typename E>
struct EnumNames;

// A bound or default of a field: an integer or a real number.
struct FieldNumber {
  bool set = false;
  bool integral = false;
  std::int64_t integer = 0;
  double real = 0;

  constexpr FieldNumber() = default;
  template <typename N>
  requires std::is_arithmetic_v<N>
  constexpr FieldNumber(N value)
      : set(true),
        integral(std::is_integral_v<N>),
        integer(static_cast<std::int64_t>(value)),
        real(static_cast<double>(value)) {}
};

// What a field allows besides its type. On arrays and maps everything but the item counts is about
// the elements.
struct FieldRules {
  static constexpr std::size_t kMaxChoices = 16;

  FieldNumber minimum, maximum, exclusive_minimum;
  std::size_t min_length = 0;
  std::size_t max_length = 0;  // 0: unbounded
  std::size_t min_items = 0;
  std::size_t max_items = 0;  // 0: unbounded
  std::string_view pattern;
  std::array<std::string_view, kMaxChoices> choices{};
  std::size_t choice_count = 0;
  FieldNumber default_number;
  std::optional<std::string_view> default_text;
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
  constexpr Field OneOf(const std::string_view (&choices)[N]) const {
    static_assert(N <= FieldRules::kMaxChoices, "use an enum with EnumNames for more choices");
    return With([&](auto& r) {
      for (r.choice_count = 0; r.choice_count < N; ++r.choice_count) {
        r.choices[r.choice_count] = choices[r.choice_count];
      }
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
