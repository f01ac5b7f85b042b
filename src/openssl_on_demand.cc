// The functions of OpenSSL that this program calls, each forwarding to the shared library, which is
// opened by the first call.
//
// Linked the usual way OpenSSL costs a millisecond and several megabytes at every start, also of
// the many processes that never use it; linked statically it is a third of the executable and
// misses the distribution's updates. A test checks that the executable needs no OpenSSL at load
// time: a function that is missing here brings that back.
#define OPENSSL_SUPPRESS_DEPRECATED  // of SHA256_*, see base/crypto.cc
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <tuple>

namespace {

// As with a library that the loader cannot find: there is nothing to go on with.
void* Open(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "toolpost: %s. Install the Debian package libssl3.\n", dlerror());
    std::abort();
  }
  return library;
}

void* Find(std::string_view name) {
  static void* const kCrypto = Open("libcrypto.so.3");
  void* symbol = dlsym(kCrypto, name.data());
  if (symbol == nullptr) {
    static void* const kSsl = Open("libssl.so.3");
    symbol = dlsym(kSsl, name.data());
  }
  if (symbol == nullptr) {
    std::fprintf(stderr, "toolpost: OpenSSL lacks %s: version 3.0 or newer is needed\n",
                 name.data());
    std::abort();
  }
  return symbol;
}

template <typename Function>
struct Signature;
template <typename R, typename... A>
struct Signature<R(A...)> {
  using Returned = R;
  template <std::size_t kIndex>
  using Argument = std::tuple_element_t<kIndex, std::tuple<A...>>;
};

}  // namespace

#define TOOLPOST_RETURNED(name) Signature<decltype(name)>::Returned
#define TOOLPOST_ARGUMENT(name, index) Signature<decltype(name)>::Argument<index>
#define TOOLPOST_FORWARD(name, ...)                                                \
  {                                                                                \
    static auto* const kFunction = reinterpret_cast<decltype(&name)>(Find(#name)); \
    return kFunction(__VA_ARGS__);                                                 \
  }
#define IMPORT0(name) TOOLPOST_RETURNED(name) name() TOOLPOST_FORWARD(name)
#define IMPORT1(name) \
  TOOLPOST_RETURNED(name) name(TOOLPOST_ARGUMENT(name, 0) a) TOOLPOST_FORWARD(name, a)
#define IMPORT2(name)     \
  TOOLPOST_RETURNED(name) \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b) TOOLPOST_FORWARD(name, a, b)
#define IMPORT3(name)                                                                            \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c) \
      TOOLPOST_FORWARD(name, a, b, c)
#define IMPORT4(name)                                                                            \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c, \
       TOOLPOST_ARGUMENT(name, 3) d) TOOLPOST_FORWARD(name, a, b, c, d)
#define IMPORT5(name)                                                                            \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c, \
       TOOLPOST_ARGUMENT(name, 3) d, TOOLPOST_ARGUMENT(name, 4) e)                               \
      TOOLPOST_FORWARD(name, a, b, c, d, e)
#define IMPORT6(name)                                                                            \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c, \
       TOOLPOST_ARGUMENT(name, 3) d, TOOLPOST_ARGUMENT(name, 4) e, TOOLPOST_ARGUMENT(name, 5) f) \
      TOOLPOST_FORWARD(name, a, b, c, d, e, f)
#define IMPORT8(name)                                                                            \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c, \
       TOOLPOST_ARGUMENT(name, 3) d, TOOLPOST_ARGUMENT(name, 4) e, TOOLPOST_ARGUMENT(name, 5) f, \
       TOOLPOST_ARGUMENT(name, 6) g, TOOLPOST_ARGUMENT(name, 7) h)                               \
      TOOLPOST_FORWARD(name, a, b, c, d, e, f, g, h)
#define IMPORT10(name)                                                                           \
  TOOLPOST_RETURNED(name)                                                                        \
  name(TOOLPOST_ARGUMENT(name, 0) a, TOOLPOST_ARGUMENT(name, 1) b, TOOLPOST_ARGUMENT(name, 2) c, \
       TOOLPOST_ARGUMENT(name, 3) d, TOOLPOST_ARGUMENT(name, 4) e, TOOLPOST_ARGUMENT(name, 5) f, \
       TOOLPOST_ARGUMENT(name, 6) g, TOOLPOST_ARGUMENT(name, 7) h, TOOLPOST_ARGUMENT(name, 8) i, \
       TOOLPOST_ARGUMENT(name, 9) j) TOOLPOST_FORWARD(name, a, b, c, d, e, f, g, h, i, j)

extern "C" {
IMPORT4(BIO_ctrl)
IMPORT1(BIO_ctrl_pending)
IMPORT1(BIO_free)
IMPORT1(BIO_free_all)
IMPORT4(BIO_new_bio_pair)
IMPORT2(BIO_new_mem_buf)
IMPORT3(BIO_read)
IMPORT3(BIO_write)
IMPORT3(BN_bin2bn)
IMPORT1(BN_free)
IMPORT3(CRYPTO_memcmp)
IMPORT1(ECDSA_SIG_free)
IMPORT0(ECDSA_SIG_new)
IMPORT3(ECDSA_SIG_set0)
IMPORT0(ERR_clear_error)
IMPORT0(ERR_get_error)
IMPORT1(ERR_lib_error_string)
IMPORT1(ERR_reason_error_string)
IMPORT4(EVP_CIPHER_CTX_ctrl)
IMPORT1(EVP_CIPHER_CTX_free)
IMPORT0(EVP_CIPHER_CTX_new)
IMPORT3(EVP_DecryptFinal_ex)
IMPORT5(EVP_DecryptInit_ex)
IMPORT5(EVP_DecryptUpdate)
IMPORT5(EVP_DigestVerify)
IMPORT5(EVP_DigestVerifyInit)
IMPORT3(EVP_EncryptFinal_ex)
IMPORT5(EVP_EncryptInit_ex)
IMPORT5(EVP_EncryptUpdate)
IMPORT1(EVP_MD_CTX_free)
IMPORT0(EVP_MD_CTX_new)
IMPORT3(EVP_MD_fetch)
IMPORT10(EVP_PBE_scrypt)
IMPORT1(EVP_PKEY_CTX_free)
IMPORT3(EVP_PKEY_CTX_new_from_name)
IMPORT3(EVP_PKEY_CTX_new_from_pkey)
IMPORT1(EVP_PKEY_free)
IMPORT4(EVP_PKEY_fromdata)
IMPORT1(EVP_PKEY_fromdata_init)
IMPORT1(EVP_PKEY_get_base_id)
IMPORT1(EVP_PKEY_get_bits)
IMPORT4(EVP_PKEY_get_group_name)
IMPORT4(EVP_PKEY_new_raw_public_key)
IMPORT1(EVP_PKEY_public_check)
IMPORT0(EVP_aes_256_cbc)
IMPORT0(EVP_aes_256_gcm)
IMPORT0(EVP_sha256)
IMPORT2(OPENSSL_cleanse)
IMPORT1(OSSL_PARAM_BLD_free)
IMPORT0(OSSL_PARAM_BLD_new)
IMPORT3(OSSL_PARAM_BLD_push_BN)
IMPORT4(OSSL_PARAM_BLD_push_octet_string)
IMPORT4(OSSL_PARAM_BLD_push_utf8_string)
IMPORT1(OSSL_PARAM_BLD_to_param)
IMPORT1(OSSL_PARAM_free)
IMPORT4(PEM_read_bio_PUBKEY)
IMPORT4(PEM_read_bio_X509)
IMPORT8(PKCS5_PBKDF2_HMAC)
IMPORT2(SHA256_Final)
IMPORT1(SHA256_Init)
IMPORT3(SHA256_Update)
IMPORT1(SSL_CTX_check_private_key)
IMPORT4(SSL_CTX_ctrl)
IMPORT1(SSL_CTX_free)
IMPORT1(SSL_CTX_get0_certificate)
IMPORT1(SSL_CTX_get_default_passwd_cb_userdata)
IMPORT2(SSL_CTX_get_ex_data)
IMPORT1(SSL_CTX_new)
IMPORT3(SSL_CTX_set_alpn_select_cb)
IMPORT2(SSL_CTX_set_cipher_list)
IMPORT2(SSL_CTX_set_default_passwd_cb)
IMPORT2(SSL_CTX_set_default_passwd_cb_userdata)
IMPORT3(SSL_CTX_set_ex_data)
IMPORT2(SSL_CTX_set_options)
IMPORT3(SSL_CTX_use_PrivateKey_file)
IMPORT2(SSL_CTX_use_certificate_chain_file)
IMPORT1(SSL_accept)
IMPORT1(SSL_connect)
IMPORT4(SSL_ctrl)
IMPORT1(SSL_free)
IMPORT2(SSL_get_error)
IMPORT2(SSL_get_ex_data)
IMPORT1(SSL_get_shutdown)
IMPORT1(SSL_new)
IMPORT3(SSL_read)
IMPORT6(SSL_select_next_proto)
IMPORT3(SSL_set_bio)
IMPORT3(SSL_set_ex_data)
IMPORT1(SSL_shutdown)
IMPORT3(SSL_write)
IMPORT0(TLS_client_method)
IMPORT0(TLS_method)
IMPORT0(TLS_server_method)
IMPORT1(X509_cmp_current_time)
IMPORT1(X509_free)
IMPORT1(X509_get0_notAfter)
IMPORT1(X509_get0_notBefore)
IMPORT1(X509_get_pubkey)
IMPORT2(i2d_ECDSA_SIG)
}  // extern "C"
