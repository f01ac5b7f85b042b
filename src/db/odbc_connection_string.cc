// Values in braces, by the rules of the driver that reads them.
#include "db/odbc_connection_string.h"

#include <string_view>

#include "base/strings.h"
#include "db/freetds_conf.h"

namespace toolpost::db {
namespace {

using Kind = OdbcDriver::Kind;

constexpr std::string_view kPassword = "PWD";

class Writer {
 public:
  explicit Writer(Kind kind) : kind_(kind) {}

  // One of ours, without anything special in it.
  void Plain(std::string_view keyword, std::string_view value) {
    out_ += base::StrCat(keyword, "=", value, ";");
  }

  Result<void> Value(std::string_view keyword, std::string_view value) {
    if (value.find('\0') != std::string_view::npos) {
      return Error::InvalidParams(base::StrCat(keyword, " contains a NUL character"));
    }
    out_ += base::StrCat(keyword, "={");
    if (kind_ == Kind::kFreeTds) {
      RETURN_IF_ERROR(CheckForFreeTds(keyword, value));
      out_ += value;
    } else {
      for (const char c : value) {
        out_ += c;
        if (c == '}') out_ += c;
      }
    }
    out_ += "};";
    return {};
  }

  std::string Take() { return std::move(out_); }

 private:
  // Neither reader knows an escape. FreeTDS ends a value at `};`, unixODBC before it at any `}`,
  // and takes what follows up to a `=` for a keyword: a second Driver would be loaded. The password
  // comes last, so that nothing follows it but what is in it.
  static Result<void> CheckForFreeTds(std::string_view keyword, std::string_view value) {
    const std::size_t brace = value.find('}');
    if (brace == std::string_view::npos) return {};
    const bool harmless = keyword == kPassword && value.find("};") == std::string_view::npos &&
                          value.find('=', brace) == std::string_view::npos;
    if (harmless) return {};
    return Error::InvalidParams(
        base::StrCat(keyword, " contains `}`",
                     keyword == kPassword ? " with a `;` right behind it or a `=` after it" : "",
                     ", which the driver FreeTDS cannot take: choose another one"));
  }

  const Kind kind_;
  std::string out_;
};

Result<void> AddFreeTds(Writer& out, const SqlServerLogin& login, const std::string& authorities) {
  using Encryption = SqlServerLogin::Encryption;
  if (login.encryption == Encryption::kStrict) {
    return Error::InvalidParams(
        "Encrypt=Strict needs Microsoft's driver msodbcsql18, which is not installed: install it, "
        "or use Encrypt=Mandatory");
  }
  if (!login.certificate_host.empty() && !login.trust_certificate &&
      !base::EqualIgnoringCase(login.certificate_host, login.host)) {
    return Error::InvalidParams(
        "HostNameInCertificate needs Microsoft's driver msodbcsql18, which is not installed: "
        "install it, or connect by the name in the certificate");
  }
  FreetdsSection section{.host = login.host, .encrypted = login.encryption != Encryption::kNone};
  if (section.encrypted && !login.trust_certificate) section.authorities = authorities;
  ASSIGN_OR_RETURN(const std::string name, AddFreetdsSection(section));
  out.Plain("Servername", name);
  out.Plain("Port", std::to_string(login.port == 0 ? 1433 : login.port));
  return {};
}

Result<void> AddMicrosoft(Writer& out, const SqlServerLogin& login) {
  using Encryption = SqlServerLogin::Encryption;
  std::string server = "tcp:" + login.host;
  if (login.port != 0) {
    server += base::StrCat(",", login.port);
  } else if (!login.instance.empty()) {
    server += "\\" + login.instance;
  }
  RETURN_IF_ERROR(out.Value("Server", server));
  out.Plain("Encrypt", login.encryption == Encryption::kNone     ? "no"
                       : login.encryption == Encryption::kStrict ? "strict"
                                                                 : "yes");
  out.Plain("TrustServerCertificate", login.trust_certificate ? "yes" : "no");
  if (!login.certificate_host.empty()) {
    RETURN_IF_ERROR(out.Value("HostNameInCertificate", login.certificate_host));
  }
  // As FreeTDS says by itself: otherwise the login's own decides what '2024-02-01' means.
  out.Plain("Language", "us_english");
  return {};
}

}  // namespace

Result<std::string> OdbcConnectionString(const OdbcDriver& driver, const SqlServerLogin& login,
                                         const std::string& authorities) {
  Writer out(driver.kind);
  RETURN_IF_ERROR(out.Value("Driver", driver.file));
  if (driver.kind == Kind::kFreeTds) {
    RETURN_IF_ERROR(AddFreeTds(out, login, authorities));
  } else {
    RETURN_IF_ERROR(AddMicrosoft(out, login));
  }
  if (!login.database.empty()) RETURN_IF_ERROR(out.Value("Database", login.database));
  RETURN_IF_ERROR(out.Value("APP", login.application.empty() ? "toolpost" : login.application));
  if (login.read_only_intent) out.Plain("ApplicationIntent", "ReadOnly");
  RETURN_IF_ERROR(out.Value("UID", login.user));
  RETURN_IF_ERROR(out.Value(kPassword, login.password));
  return out.Take();
}

}  // namespace toolpost::db
