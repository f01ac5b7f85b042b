// For tests only: certificates made on the spot, and a client that speaks TLS.
#pragma once

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/crypto.h"
#include "net/testing.h"

namespace toolpost::net::testing {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using PrivateKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using ClientContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;

// A directory with a self-signed certificate (cert.pem) and its key (key.pem).
class CertificateFiles {
 public:
  CertificateFiles()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("tls-" + base::RandomHex(8))) {
    std::filesystem::create_directories(directory_);
    Make("first.example");
  }
  ~CertificateFiles() { std::filesystem::remove_all(directory_); }
  CertificateFiles(const CertificateFiles&) = delete;
  CertificateFiles& operator=(const CertificateFiles&) = delete;

  std::string cert() const { return (directory_ / "cert.pem").string(); }
  std::string key() const { return (directory_ / "key.pem").string(); }
  std::string file(std::string_view name) const { return (directory_ / name).string(); }

  // Another pair under another name, put in place by rename. `days` from yesterday.
  void Make(const std::string& name, int days = 30) const {
    const PrivateKey pair(EVP_EC_gen("P-256"));
    const X509Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -2 * 86'400L);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), (days - 1) * 86'400L);
    X509_set_pubkey(certificate.get(), pair.get());
    X509_NAME* subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    ASSERT_GT(X509_sign(certificate.get(), pair.get(), EVP_sha256()), 0);
    WriteKey(key(), pair.get(), nullptr);
    BIO* out = BIO_new_file((cert() + ".new").c_str(), "w");
    PEM_write_bio_X509(out, certificate.get());
    BIO_free(out);
    std::filesystem::rename(cert() + ".new", cert());
  }
  // A key that belongs to no certificate.
  static void WriteStrayKey(const std::string& path, const char* passphrase = nullptr) {
    const PrivateKey pair(EVP_EC_gen("P-256"));
    WriteKey(path, pair.get(), passphrase);
  }

 private:
  static void WriteKey(const std::string& path, EVP_PKEY* pair, const char* passphrase) {
    BIO* out = BIO_new_file((path + ".new").c_str(), "w");
    PEM_write_bio_PKCS8PrivateKey(
        out, pair, passphrase == nullptr ? nullptr : EVP_aes_128_cbc(), passphrase,
        passphrase == nullptr ? 0 : static_cast<int>(std::string_view(passphrase).size()), nullptr,
        nullptr);
    BIO_free(out);
    std::filesystem::permissions(path + ".new", std::filesystem::perms(0600));
    std::filesystem::rename(path + ".new", path);
  }

  const std::filesystem::path directory_;
};

struct TlsOffer {
  int minimum = TLS1_2_VERSION;
  int maximum = TLS1_3_VERSION;
  std::string_view protocols = {};  // ALPN, as on the wire
};

class TlsClient : public Client {
 public:
  explicit TlsClient(std::uint16_t port, TlsOffer offer = {}, int receive_buffer = 0)
      : Client(port, receive_buffer), context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_security_level(context_.get(), 0);  // so that old versions are really offered
    SSL_CTX_set_min_proto_version(context_.get(), offer.minimum);
    SSL_CTX_set_max_proto_version(context_.get(), offer.maximum);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_AUTO_RETRY);
    ssl_.reset(SSL_new(context_.get()));
    if (!offer.protocols.empty()) {
      SSL_set_alpn_protos(ssl_.get(),
                          reinterpret_cast<const unsigned char*>(offer.protocols.data()),
                          static_cast<unsigned>(offer.protocols.size()));
    }
    SSL_set_fd(ssl_.get(), fd());
    ready_ = SSL_connect(ssl_.get()) == 1;
  }

  bool ready() const { return ready_; }
  std::string_view version() const { return SSL_get_version(ssl_.get()); }
  std::string_view protocol() const {
    const unsigned char* data = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &data, &size);
    return {reinterpret_cast<const char*>(data), size};
  }
  // The CN of the server's certificate.
  std::string Name() const {
    const X509Certificate certificate(SSL_get1_peer_certificate(ssl_.get()));
    if (!certificate) return {};
    char name[100] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                              sizeof name);
    return name;
  }

  bool Send(std::string_view bytes) override {
    return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
  }
  bool Fill() override {
    char chunk[16384];
    const int size = SSL_read(ssl_.get(), chunk, sizeof chunk);
    if (size > 0) Append({chunk, static_cast<std::size_t>(size)});
    return size > 0;
  }
  // close_notify in our direction only.
  void EndOutput() { SSL_shutdown(ssl_.get()); }
  // Whether the peer ended with close_notify, not by closing the socket alone.
  bool EndedProperly() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }

 private:
  ClientContext context_;
  std::unique_ptr<SSL, Freed<SSL_free>> ssl_;
  bool ready_ = false;
};

}  // namespace toolpost::net::testing
