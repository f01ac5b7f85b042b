// Any bytes as a token, and as header and payload (one line each) of a token that is signed
// correctly: refused, or accepted with claims that keep their promises; and any bytes as a key set,
// a PEM file and the text of an API key.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "auth/api_key.h"
#include "auth/jwks.h"
#include "auth/jwt.h"
#include "base/crypto.h"
#include "base/log.h"

namespace {

using namespace toolpost;

const std::string kSecret(32, 's');

auth::KeySource& Keys() {
  static const auto kKeys = [] {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    base::SetNowForTest(base::WallTime(std::chrono::seconds(1'800'000'000)));
    return auth::FixedKeys({auth::VerificationKey::FromSecret(kSecret).value()});
  }();
  return *kKeys;
}

// True when accepted.
bool Verify(std::string_view token) {
  const auth::JwtRules rules{.issuer = "i", .audience = "a"};
  const auto claims = auth::VerifyJwt(token, Keys(), rules);
  if (!claims) {
    if (claims.error().code != Code::kUnauthenticated) std::abort();
    return false;
  }
  if (claims->subject.empty() || claims->expires <= base::Now() || !auth::LooksLikeJwt(token) ||
      claims->all.at("iss") != "i") {
    std::abort();
  }
  return true;
}

std::string Sign(std::string_view header, std::string_view payload) {
  std::string token = base::ToBase64Url(header) + "." + base::ToBase64Url(payload);
  const auto digest = base::HmacSha256(kSecret, token);
  return token + "." +
         base::ToBase64Url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // Nobody guesses an HMAC.
  if (Verify(input)) std::abort();
  const std::size_t line = input.find('\n');
  if (line != input.npos) {
    std::string token = Sign(input.substr(0, line), input.substr(line + 1));
    if (Verify(token)) {
      token.front() = token.front() == 'e' ? 'f' : 'e';
      if (Verify(token)) std::abort();
    }
  }
  (void)auth::ParseJwks(input);
  (void)auth::JwksUriIn(input, "i");
  (void)auth::VerificationKey::FromPem(input);
  const auto id = auth::ApiKeyId(input);
  if (id && id->size() != 12) std::abort();
  return 0;
}
