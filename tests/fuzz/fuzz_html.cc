// Any bytes as a page: decoded, tokenised in every mode, extracted in both formats. The work is
// linear, what comes out is UTF-8 and without invisible characters.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "html/charset.h"
#include "html/extract.h"
#include "html/tokenizer.h"

namespace {

using namespace toolpost;

void Require(bool condition) {
  if (!condition) std::abort();
}

void Tokenise(std::string_view page, html::Tokenizer::Mode mode) {
  html::Tokenizer tokenizer(page);
  tokenizer.SetMode(mode, "script");
  tokenizer.AllowCdata(page.size() % 2 == 0);
  html::Token token;
  while (tokenizer.Next(token)) {
    Require(token.attributes.size() <= html::Token::kMaxAttributes);
  }
  Require(tokenizer.steps() <= 16 * page.size() + 64);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  using Mode = html::Tokenizer::Mode;
  for (const Mode mode : {Mode::kData, Mode::kRcdata, Mode::kRawtext, Mode::kScript,
                          Mode::kPlaintext, Mode::kCdata}) {
    Tokenise(bytes, mode);
  }
  const html::Decoded decoded = html::Decode(bytes, {}, true);
  Require(base::IsValidUtf8(decoded.text));
  Require(decoded.text.size() <= 3 * size + 3);
  for (const bool markdown : {false, true}) {
    const html::Extract extract = html::ExtractText(
        decoded.text,
        {.markdown = markdown,
         .resolve = [](std::string_view, std::string_view link) { return std::string(link); }});
    Require(base::IsValidUtf8(extract.text) && base::IsValidUtf8(extract.title));
    Require(extract.text.find('\x1B') == std::string::npos);
    Require(extract.steps <= 64 * decoded.text.size() + 256);
  }
  return 0;
}
