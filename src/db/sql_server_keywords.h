// The keywords of SQL Server connection strings, of ADO.NET, Microsoft's ODBC driver and FreeTDS.
#pragma once

#include <string_view>

namespace toolpost::db {

struct SqlServerKeyword {
  enum class Use {
    kServer,
    kPort,
    kDatabase,
    kUser,
    kPassword,
    kEncryption,
    kTrustCertificate,
    kCertificateHost,
    kIntent,
    kApplication,
    kLoginTimeout,
    kQueryTimeout,
    kNone,  // accepted, because it is common and changes nothing here
    // Accepted with the values that change nothing here.
    kDriver,       // the name of one
    kSqlPassword,  // SqlPassword
    kDisabled,     // disabled
    kMustBeNo,     // false or no
    kRefused,
  };
  std::string_view spelled;  // lower case, without spaces and underscores
  std::string_view name;     // of all its synonyms, for people
  Use use = Use::kNone;
  std::string_view reason;  // why it is refused, and what to do
};

// Null: not known. Ignores case, spaces and underscores.
const SqlServerKeyword* FindSqlServerKeyword(std::string_view keyword);

}  // namespace toolpost::db
