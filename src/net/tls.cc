// Certificates from files, and their renewal.
#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::net {
namespace {

namespace ssl = boost::asio::ssl;

constexpr unsigned char kHttp11[] = "\x08http/1.1";
constexpr char kCiphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20";  // TLS 1.2; those of 1.3 are all good
constexpr std::int64_t kRefreshMilliseconds = 900;

// A client that speaks other protocols only is told so (RFC 7301, 3.2).
int SelectProtocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offer,
                   unsigned int offer_size, void*) {
  unsigned char* chosen = nullptr;
  const int outcome =
      SSL_select_next_proto(&chosen, size, kHttp11, sizeof kHttp11 - 1, offer, offer_size);
  *out = chosen;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// Without it OpenSSL asks on the terminal.
int NoPassphrase(char*, int, int, void*) { return 0; }

// The oldest error of the thread: the cause of those that follow.
std::string Reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  return text == nullptr ? "it cannot be read" : text;
}

Error Unusable(std::string_view what, const std::string& file, std::string_view why) {
  return Error::InvalidParams(base::StrCat("Cannot use the TLS ", what, " ", file, ": ", why));
}

// OpenSSL would wait for the writer of a FIFO.
Result<struct stat> Look(std::string_view what, const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0)
    return Unusable(what, file, std::generic_category().message(errno));
  if (!S_ISREG(info.st_mode)) return Unusable(what, file, "it is not a regular file");
  return info;
}

Result<void> Restrict(SSL_CTX* context) {
  const bool done = SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
                    SSL_CTX_set_cipher_list(context, kCiphers) == 1;
  if (!done) return Error::Internal(base::StrCat("TLS cannot be set up: ", Reason()));
  SSL_CTX_set_options(
      context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory of ours
  SSL_CTX_set_alpn_select_cb(context, SelectProtocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, NoPassphrase);
  return {};
}

void WarnOfValidity(SSL_CTX* context, const std::string& file) {
  const X509* certificate = SSL_CTX_get0_certificate(context);
  const bool early = X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0;
  const bool late = X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0;
  if (!early && !late) return;
  base::Log(base::Severity::kWarning,
            late ? "the TLS certificate has expired" : "the TLS certificate is not valid yet",
            {{"file", std::string_view(file)}});
}

}  // namespace

TlsCredentials::TlsCredentials(std::string certificate_file, std::string key_file)
    : certificate_file_(std::move(certificate_file)), key_file_(std::move(key_file)) {}

Result<std::unique_ptr<TlsCredentials>> TlsCredentials::Load(std::string certificate_file,
                                                             std::string key_file) {
  std::unique_ptr<TlsCredentials> credentials(
      new TlsCredentials(std::move(certificate_file), std::move(key_file)));
  credentials->seen_ = credentials->Fingerprint();
  ASSIGN_OR_RETURN(credentials->current_, credentials->Read());
  return credentials;
}

Result<TlsCredentials::Context> TlsCredentials::Read() const {
  RETURN_IF_ERROR(Look("certificate", certificate_file_));
  ASSIGN_OR_RETURN(const struct stat key, Look("private key", key_file_));
  Context context;
  try {
    context = std::make_shared<ssl::context>(ssl::context::tls_server);
  } catch (const std::exception& failure) {
    return Error::Internal(base::StrCat("TLS cannot be set up: ", failure.what()));
  }
  SSL_CTX* native = context->native_handle();
  ERR_clear_error();
  RETURN_IF_ERROR(Restrict(native));
  if (SSL_CTX_use_certificate_chain_file(native, certificate_file_.c_str()) != 1)
    return Unusable("certificate", certificate_file_,
                    base::StrCat(Reason(), "; a PEM file is needed"));
  if (SSL_CTX_use_PrivateKey_file(native, key_file_.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Unusable("private key", key_file_,
                    base::StrCat(Reason(), "; the PEM file of the key that belongs to ",
                                 certificate_file_, " is needed, without a passphrase"));
  }
  if (SSL_CTX_check_private_key(native) != 1)
    return Unusable("private key", key_file_,
                    base::StrCat("it does not belong to ", certificate_file_));
  if ((key.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    base::Log(base::Severity::kWarning,
              "other users may read the private key of TLS; chmod 600 the file",
              {{"file", std::string_view(key_file_)}});
  }
  WarnOfValidity(native, certificate_file_);
  return context;
}

std::string TlsCredentials::Fingerprint() const {
  std::string out;
  for (const std::string* file : {&certificate_file_, &key_file_}) {
    struct stat info {};
    if (::stat(file->c_str(), &info) != 0) continue;
    for (const auto part :
         {static_cast<std::int64_t>(info.st_ino), static_cast<std::int64_t>(info.st_size),
          static_cast<std::int64_t>(info.st_mtim.tv_sec),
          static_cast<std::int64_t>(info.st_mtim.tv_nsec),
          static_cast<std::int64_t>(info.st_ctim.tv_sec),
          static_cast<std::int64_t>(info.st_ctim.tv_nsec)}) {
      out.append(base::StrCat(part, " "));
    }
    out.push_back(';');
  }
  return out;
}

TlsCredentials::Context TlsCredentials::Current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

void TlsCredentials::Refresh() {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  // Whoever moves the mark to "never" does the work; the others leave.
  std::int64_t due = next_.load(std::memory_order_relaxed);
  if (now < due || !next_.compare_exchange_strong(due, std::numeric_limits<std::int64_t>::max(),
                                                  std::memory_order_acquire))
    return;
  std::string found = Fingerprint();
  if (found != seen_) {
    Result<Context> renewed = Read();
    if (renewed) {
      base::Log(base::Severity::kInfo, "the TLS certificate was renewed",
                {{"file", std::string_view(certificate_file_)}});
      seen_ = std::move(found);
      refused_.clear();
      std::lock_guard lock(mutex_);
      current_ = *std::move(renewed);
    } else if (found != refused_) {
      // Tried again every time, since the files may be half written; told once.
      base::Log(base::Severity::kError, "the TLS certificate was not renewed, the old one stays",
                {{"reason", std::string_view(renewed.error().message)}});
      refused_ = std::move(found);
    }
  }
  next_.store(now + kRefreshMilliseconds, std::memory_order_release);
}

}  // namespace toolpost::net
