// What each keyword of a connection string means, and which of its values are allowed.
#include "db/sql_server_login.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/strings.h"
#include "db/connection_string.h"
#include "db/sql_server_keywords.h"

namespace toolpost::db {
namespace {

using Use = SqlServerKeyword::Use;

constexpr std::size_t kLongestName = 128;  // what the login message has room for, in characters
constexpr std::size_t kLongestHost = 253;
constexpr int kLongestTimeout = 3600;

constexpr std::string_view kServerForms =
    "write host, host,port or host\\instance, with tcp: before it if you like";

Error Wrong(std::string_view keyword, std::string_view allowed) {
  return Error::InvalidParams(base::StrCat("The value of ", keyword, " is not allowed: ", allowed));
}

bool OneOf(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return base::EqualIgnoringCase(word, value); });
}

bool IsAlphanumeric(char c) {
  const char lower = base::ToLower(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

bool ConsistsOf(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return IsAlphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

Result<int> ReadNumber(std::string_view keyword, std::string_view value, int most) {
  int number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure != std::errc() || end != value.data() + value.size() || number < 1 || number > most) {
    return Wrong(keyword, base::StrCat("write a whole number from 1 to ", most));
  }
  return number;
}

Result<bool> ReadBoolean(std::string_view keyword, std::string_view value) {
  if (OneOf(value, {"true", "yes"})) return true;
  if (OneOf(value, {"false", "no"})) return false;
  return Wrong(keyword, "write true, yes, false or no");
}

Result<std::string> ReadName(std::string_view keyword, std::string&& value) {
  if (base::CountCodePoints(value) > kLongestName) {
    return Wrong(keyword, base::StrCat("it is longer than ", kLongestName, " characters"));
  }
  return std::move(value);
}

// As in odbcinst.ini; a file is none.
bool IsNameOfDriver(std::string_view value) {
  return ConsistsOf(value, " .-") && base::ToLower(value).find(".so") == std::string::npos;
}

// A name, an IPv4 address or an IPv6 address, in brackets or not.
Result<std::string> ReadHost(std::string_view keyword, std::string_view host) {
  if (OneOf(host, {".", "(local)"})) return std::string("localhost");
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (host.find(':') != std::string_view::npos || bracketed) {
    const bool address = host.find_first_not_of("0123456789abcdefABCDEF:.") == host.npos &&
                         std::count(host.begin(), host.end(), ':') >= 2 && host.size() <= 45;
    if (!address) return Wrong(keyword, kServerForms);
    return std::string(host);
  }
  if (host.empty() || host.size() > kLongestHost || !IsAlphanumeric(host.front()) ||
      !ConsistsOf(host, ".-_") || host.find("..") != host.npos) {
    return Wrong(keyword, kServerForms);
  }
  return std::string(host);
}

class Reader {
 public:
  Result<SqlServerLogin> Read(std::string_view connection_string) {
    ASSIGN_OR_RETURN(auto settings, SplitConnectionString(connection_string));
    for (ConnectionSetting& setting : settings) RETURN_IF_ERROR(Take(setting));
    if (login_.host.empty()) {
      return Error::InvalidParams("The connection string names no server: add Server=host");
    }
    if (login_.user.empty()) {
      return Error::InvalidParams(
          "The connection string names no user: add User ID and Password of a SQL Server login");
    }
    return std::move(login_);
  }

 private:
  Result<void> Take(ConnectionSetting& setting) {
    const SqlServerKeyword* keyword = FindSqlServerKeyword(setting.keyword);
    if (keyword == nullptr) return Unknown(setting.keyword);
    if (keyword->use == Use::kRefused) return Refused(*keyword);
    if (std::find(seen_.begin(), seen_.end(), keyword->name) != seen_.end()) {
      return Error::InvalidParams(base::StrCat(
          keyword->name,
          " or a synonym of it stands twice in the connection string: leave one of them out"));
    }
    seen_.push_back(keyword->name);
    if (setting.value.empty()) return {};
    return keyword->use < Use::kEncryption ? TakeLogin(*keyword, std::move(setting.value))
                                           : TakeOption(*keyword, std::move(setting.value));
  }

  static Error Refused(const SqlServerKeyword& keyword) {
    return Error::InvalidParams(
        base::StrCat(keyword.name, " is not allowed in a connection string: ", keyword.reason));
  }

  static Result<void> AcceptIf(bool harmless, const SqlServerKeyword& keyword) {
    if (harmless) return {};
    return Refused(keyword);
  }

  // What follows a password may be the rest of it, and what does not look like a keyword anything.
  Error Unknown(std::string_view keyword) const {
    const bool secret = !seen_.empty() && seen_.back() == "Password";
    const bool word = !keyword.empty() && keyword.size() <= 40 && ConsistsOf(keyword, " _");
    return Error::InvalidParams(base::StrCat(
        "Setting ", seen_.size() + 1, " of the connection string",
        secret || !word ? std::string() : base::StrCat(", ", keyword, ","),
        " is unknown: allowed are Server, Database, User ID, Password, Encrypt, "
        "TrustServerCertificate, HostNameInCertificate, ApplicationIntent, Application Name, "
        "Connect Timeout and Command Timeout. If it belongs to the value before, put that in "
        "double quotes"));
  }

  Result<void> TakeLogin(const SqlServerKeyword& keyword, std::string value) {
    switch (keyword.use) {
      case Use::kServer:
        return TakeServer(keyword.name, value);
      case Use::kPort:
        return TakePort(keyword.name, value);
      case Use::kDatabase:
        return Assign(login_.database, ReadName(keyword.name, std::move(value)));
      case Use::kUser:
        return Assign(login_.user, ReadName(keyword.name, std::move(value)));
      default:
        return Assign(login_.password, ReadName(keyword.name, std::move(value)));
    }
  }

  Result<void> TakeOption(const SqlServerKeyword& keyword, std::string value) {
    switch (keyword.use) {
      case Use::kEncryption:
        return TakeEncryption(keyword.name, value);
      case Use::kTrustCertificate:
        return Assign(login_.trust_certificate, ReadBoolean(keyword.name, value));
      case Use::kCertificateHost:
        return Assign(login_.certificate_host, ReadHost(keyword.name, value));
      case Use::kIntent:
        login_.read_only_intent = OneOf(value, {"ReadOnly"});
        if (login_.read_only_intent || OneOf(value, {"ReadWrite"})) return {};
        return Wrong(keyword.name, "write ReadOnly or ReadWrite");
      case Use::kApplication:
        return Assign(login_.application, ReadName(keyword.name, std::move(value)));
      case Use::kLoginTimeout:
        return TakeSeconds(login_.login_timeout, keyword.name, value);
      case Use::kQueryTimeout:
        return TakeSeconds(login_.query_timeout, keyword.name, value);
      case Use::kDriver:
        return AcceptIf(IsNameOfDriver(value), keyword);
      case Use::kSqlPassword:
        return AcceptIf(OneOf(value, {"SqlPassword", "Sql Password"}), keyword);
      case Use::kDisabled:
        return AcceptIf(OneOf(value, {"disabled"}), keyword);
      case Use::kMustBeNo:
        return AcceptIf(OneOf(value, {"false", "no"}), keyword);
      default:
        return {};
    }
  }

  Result<void> TakeServer(std::string_view keyword, std::string_view value) {
    if (base::EqualIgnoringCase(value.substr(0, 4), "tcp:")) value.remove_prefix(4);
    if (const std::size_t comma = value.find(','); comma != value.npos) {
      RETURN_IF_ERROR(TakePort(keyword, base::Trim(value.substr(comma + 1))));
      value = value.substr(0, comma);
    }
    if (const std::size_t slash = value.find('\\'); slash != value.npos) {
      const std::string_view instance = base::Trim(value.substr(slash + 1));
      if (instance.empty() || instance.size() > kLongestName || !ConsistsOf(instance, "_$#")) {
        return Wrong(keyword, kServerForms);
      }
      if (!OneOf(instance, {"MSSQLSERVER"})) login_.instance = instance;
      value = value.substr(0, slash);
    }
    return Assign(login_.host, ReadHost(keyword, base::Trim(value)));
  }

  Result<void> TakePort(std::string_view keyword, std::string_view value) {
    if (login_.port != 0) {
      return Error::InvalidParams(
          "The connection string has a port in Server and in Port: leave one of them out");
    }
    return Assign(login_.port, ReadNumber(keyword, value, 65535));
  }

  Result<void> TakeEncryption(std::string_view keyword, std::string_view value) {
    using Encryption = SqlServerLogin::Encryption;
    if (OneOf(value, {"true", "yes", "mandatory"})) {
      login_.encryption = Encryption::kRequired;
    } else if (OneOf(value, {"false", "no", "optional"})) {
      login_.encryption = Encryption::kNone;
    } else if (OneOf(value, {"strict"})) {
      login_.encryption = Encryption::kStrict;
    } else {
      return Wrong(keyword, "write yes, no, mandatory, optional or strict");
    }
    return {};
  }

  Result<void> TakeSeconds(std::optional<std::chrono::seconds>& out, std::string_view keyword,
                           std::string_view value) {
    ASSIGN_OR_RETURN(const int seconds, ReadNumber(keyword, value, kLongestTimeout));
    out = std::chrono::seconds(seconds);
    return {};
  }

  template <typename T>
  static Result<void> Assign(T& out, Result<T> read) {
    if (!read) return std::move(read).error();
    out = *std::move(read);
    return {};
  }

  SqlServerLogin login_;
  std::vector<std::string_view> seen_;  // names of keywords
};

}  // namespace

std::string WriteSqlServerLogin(const SqlServerLogin& login) {
  std::string server = login.host;
  if (!login.instance.empty()) server += "\\" + login.instance;
  if (login.port != 0) server += base::StrCat(",", login.port);
  std::string out;
  const auto add = [&](std::string_view keyword, std::string_view value) {
    if (value.empty()) return;
    out += base::StrCat(keyword, "=\"");
    for (const char c : value) out += c == '"' ? std::string(2, c) : std::string(1, c);
    out += "\";";
  };
  add("Server", server);
  add("Database", login.database);
  add("User ID", login.user);
  add("Password", login.password);
  return out;
}

Result<SqlServerLogin> ParseSqlServerLogin(std::string_view connection_string) {
  return Reader().Read(connection_string);
}

}  // namespace toolpost::db
