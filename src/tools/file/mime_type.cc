// The table of media types.
#include "tools/file/mime_type.h"

#include <utility>

#include "base/strings.h"

namespace toolpost::tools::file {

std::string_view MimeTypeOf(std::string_view name, bool text) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"css", "text/css"},          {"csv", "text/csv"},          {"gif", "image/gif"},
      {"gz", "application/gzip"},   {"htm", "text/html"},         {"html", "text/html"},
      {"jpeg", "image/jpeg"},       {"jpg", "image/jpeg"},        {"js", "text/javascript"},
      {"json", "application/json"}, {"md", "text/markdown"},      {"mjs", "text/javascript"},
      {"pdf", "application/pdf"},   {"png", "image/png"},         {"svg", "image/svg+xml"},
      {"toml", "application/toml"}, {"wasm", "application/wasm"}, {"webp", "image/webp"},
      {"xml", "application/xml"},   {"yaml", "application/yaml"}, {"yml", "application/yaml"},
      {"zip", "application/zip"}};
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot > 0) {
    for (const auto& [ending, type] : kTypes)
      if (base::EqualIgnoringCase(name.substr(dot + 1), ending)) return type;
  }
  return text ? "text/plain" : "application/octet-stream";
}

}  // namespace toolpost::tools::file
