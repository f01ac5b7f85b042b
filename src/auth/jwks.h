// The keys an issuer publishes: a JWKS document (RFC 7517), found directly or through the issuer's
// metadata, fetched in the background.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/verification_key.h"
#include "net/address_class.h"
#include "toolpost/result.h"

namespace toolpost::auth {

// The usable keys of a JWKS document. A member that is no key for us (encryption, other curves,
// broken) is skipped with a log line. An error if the document is malformed, has more than 100
// members or no usable one.
Result<std::vector<VerificationKey>> ParseJwks(std::string_view document);

// Where the metadata of an issuer may be, in the order to try: RFC 8414 and OpenID Connect
// Discovery, with the issuer's path behind the well-known part, then before it. Empty for a URL
// with query or fragment.
std::vector<std::string> MetadataUrlsOf(std::string_view issuer);
// `jwks_uri` of a metadata document; an error unless its `issuer` is exactly this one.
Result<std::string> JwksUriIn(std::string_view document, std::string_view issuer);

struct JwksOptions {
  std::string url;     // of the JWKS; empty: found through the issuer
  std::string issuer;  // needed only without url
  net::AddressPolicy addresses;
  std::chrono::milliseconds fetch_timeout{10'000};
  std::chrono::seconds refresh_every{600};
};

// Keys are fetched by a thread of its own: when opened, every `refresh_every`, and when a token
// names a key that is not there, but then at most every 30 s. A failed fetch keeps the keys for up
// to 24 h and is repeated after 1 s, doubling to 30 s. https only, except to loopback addresses;
// redirects are not followed; at most 1 MiB.
//
// Candidates() looks into memory only. Code::kUnavailable while there are no keys, and for an
// unknown kid while a fetch that may bring it is under way: the caller answers 503 and the client
// keeps its token. An unknown kid without such a fetch gives an empty list. A token without kid
// fits only if the document has a single key.
class Jwks final : public KeySource {
 public:
  // Checks the URL and starts the thread; does not wait for the network. Code::kInvalidArgument, or
  // kUnavailable without libcurl.
  static Result<std::shared_ptr<Jwks>> Open(JwksOptions options);
  ~Jwks() override;  // cancels a fetch under way

  Result<std::vector<VerificationKey>> Candidates(std::string_view key_id) override;
  // Blocks until `count` fetches have ended, well or badly, or the time is over (false). Not for an
  // event loop.
  bool AwaitFetches(std::uint64_t count, std::chrono::milliseconds timeout);

 private:
  struct Impl;
  explicit Jwks(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::auth
