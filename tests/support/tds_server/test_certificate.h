// Certificates made on the spot.
#pragma once

#include <string>

namespace toolpost::tds_server {

// A directory with a certificate (certificate.pem) that signs itself, for the name or address
// given, and its key (key.pem). Removed with the object.
class TestCertificate {
 public:
  explicit TestCertificate(const std::string& name);
  ~TestCertificate();
  TestCertificate(const TestCertificate&) = delete;
  TestCertificate& operator=(const TestCertificate&) = delete;

  std::string certificate() const { return directory_ + "/certificate.pem"; }
  std::string key() const { return directory_ + "/key.pem"; }

 private:
  std::string directory_;
};

}  // namespace toolpost::tds_server
