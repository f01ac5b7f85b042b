// The certificate of a server, and the TLS settings that go with it.
//
// TLS 1.2 and 1.3, forward secret authenticated ciphers only, no renegotiation, ALPN http/1.1. The
// files are read again when they change: connections that exist keep what they have, new ones get
// the new certificate. A new pair that cannot be used is logged and the old one stays.
#pragma once

#include <atomic>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <mutex>
#include <string>

#include "toolpost/result.h"

namespace toolpost::net {

// Thread-safe.
class TlsCredentials {
 public:
  using Context = std::shared_ptr<boost::asio::ssl::context>;

  // PEM files: the certificate chain, the server's own first, and the private key without a
  // passphrase. Code::kInvalidArgument says which file is wrong and why. A key file that group or
  // others may read, and a certificate that is not valid now, are logged as warnings.
  static Result<std::unique_ptr<TlsCredentials>> Load(std::string certificate_file,
                                                      std::string key_file);
  TlsCredentials(const TlsCredentials&) = delete;
  TlsCredentials& operator=(const TlsCredentials&) = delete;

  // For new connections. Never null.
  Context Current() const;
  // Looks at the files, at most once a second however often it is called, and takes them over if
  // they changed. Called by every loop's tick.
  void Refresh();

 private:
  TlsCredentials(std::string certificate_file, std::string key_file);
  Result<Context> Read() const;
  std::string Fingerprint() const;

  const std::string certificate_file_;
  const std::string key_file_;
  mutable std::mutex mutex_;
  Context current_;                    // guarded by mutex_
  std::string seen_;                   // the files as they were last read; only inside Refresh
  std::string refused_;                // a change that was logged as unusable; only inside Refresh
  std::atomic<std::int64_t> next_{0};  // steady milliseconds from which Refresh looks again
};

}  // namespace toolpost::net
