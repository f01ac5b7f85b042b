// A key, a name, a signature.
#include "tds_server/test_certificate.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cassert>
#include <cstdio>
#include <filesystem>

#include "base/crypto.h"

namespace toolpost::tds_server {
namespace {

void AddExtension(X509* certificate, int number, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, number, value.c_str());
  assert(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

bool IsAddress(const std::string& name) {
  return name.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

TestCertificate::TestCertificate(const std::string& name)
    : directory_(std::filesystem::temp_directory_path() / ("tds-tls-" + base::RandomHex(8))) {
  std::filesystem::create_directories(directory_);
  EVP_PKEY* pair = EVP_RSA_gen(2048);
  X509* x509 = X509_new();
  X509_set_version(x509, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -86'400);
  X509_gmtime_adj(X509_getm_notAfter(x509), 86'400);
  X509_set_pubkey(x509, pair);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(x509, X509_get_subject_name(x509));
  AddExtension(x509, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(x509, NID_subject_alt_name, (IsAddress(name) ? "IP:" : "DNS:") + name);
  X509_sign(x509, pair, EVP_sha256());
  BIO* out = BIO_new_file(certificate().c_str(), "w");
  PEM_write_bio_X509(out, x509);
  BIO_free(out);
  out = BIO_new_file(key().c_str(), "w");
  PEM_write_bio_PKCS8PrivateKey(out, pair, nullptr, nullptr, 0, nullptr, nullptr);
  BIO_free(out);
  X509_free(x509);
  EVP_PKEY_free(pair);
}

TestCertificate::~TestCertificate() { std::filesystem::remove_all(directory_); }

}  // namespace toolpost::tds_server
