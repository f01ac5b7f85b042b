#pragma once

#include <string_view>

namespace toolpost {

// What each request of the newest protocol carries.
inline constexpr std::string_view kModern =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

}  // namespace toolpost
