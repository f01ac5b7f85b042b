// Makes the links of a page absolute.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_url.h"

namespace toolpost::tools::web {

// For one page, on one thread.
class LinkResolver {
 public:
  // Further links lose their address and keep their text.
  static constexpr int kMaxLinks = 20'000;

  explicit LinkResolver(std::string_view page_url);

  // As html::ExtractOptions::resolve. Only http, https and mailto.
  std::string operator()(std::string_view base, std::string_view reference);

 private:
  std::optional<net::HttpUrl> page_;
  std::string base_text_;
  std::optional<net::HttpUrl> base_;
  int links_ = 0;
};

}  // namespace toolpost::tools::web
