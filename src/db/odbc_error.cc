// Numbers of SQL Server's sys.messages as codes.
#include "db/odbc_error.h"

#include <algorithm>
#include <initializer_list>

#include "base/log.h"
#include "base/strings.h"
#include "db/odbc_text.h"

namespace toolpost::db {
namespace {

constexpr SQLSMALLINT kMostRecords = 100;
constexpr SQLSMALLINT kLongestMessage = 2048;  // SQL Server's have this many characters
// Fields of Microsoft's drivers that FreeTDS has too; it gives the class where they give the state.
constexpr SQLSMALLINT kMessageState = -1150, kMessageClass = -1151, kMessageLine = -1154;

bool OneOf(int number, std::initializer_list<int> numbers) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// [unixODBC][FreeTDS][SQL Server]Invalid object name 'x'. What follows may begin like that, too.
std::string WithoutNames(const std::string& text) {
  std::string_view message = text;
  while (message.starts_with('[')) {
    const std::size_t end = message.find(']');
    if (end == std::string_view::npos || end > 60) break;
    const bool last = message.starts_with("[SQL Server]");
    message.remove_prefix(end + 1);
    if (last) break;
  }
  return std::string(message);
}

int Field(const Libodbc& odbc, SQLSMALLINT kind, SQLHANDLE handle, SQLSMALLINT record,
          SQLSMALLINT field) {
  SQLINTEGER value = 0;
  SQLSMALLINT size = 0;
  if (!SQL_SUCCEEDED(
          odbc.get_diag_field(kind, handle, record, field, &value, sizeof value, &size))) {
    return 0;
  }
  return field == kMessageLine ? value & 0xffff : value;  // FreeTDS writes two bytes of it
}

std::string Words(const OdbcDiagnosis& diagnosis) {
  std::string words = base::StrCat("SQL Server: ", diagnosis.message);
  if (diagnosis.line > 1) words += base::StrCat(" (line ", diagnosis.line, ")");
  return words;
}

// What to do, where the server's own words leave it open.
std::string_view AdviceFor(int number) {
  // Memory-optimized tables, read inside a transaction: the container's.
  if (number == 41368) {
    return " Write WITH (SNAPSHOT) behind each memory-optimized table, as in FROM t WITH "
           "(SNAPSHOT), or have an administrator run ALTER DATABASE CURRENT SET "
           "MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON once";
  }
  // CREATE and ALTER DATABASE, full-text DDL and RECONFIGURE, BACKUP.
  if (OneOf(number, {226, 574, 3021})) {
    return " Every batch runs inside a transaction here: run this statement with another program, "
           "such as sqlcmd";
  }
  // A linked server behind a view or synonym: the guard refuses its name.
  if (number == 7391) {
    return " Statements run inside a transaction here, which another server can be part of only "
           "with MSDTC on both: read that server through a connection of its own";
  }
  return {};
}

Json Data(const OdbcDiagnosis& diagnosis) {
  JsonObject data{{"message", diagnosis.message}, {"number", diagnosis.number}};
  if (diagnosis.severity > 0) data["class"] = diagnosis.severity;
  if (diagnosis.message_state > 0) data["state"] = diagnosis.message_state;
  if (diagnosis.line > 0) data["line"] = diagnosis.line;
  return data;
}

Code CodeOf(const OdbcDiagnosis& diagnosis) {
  const int number = diagnosis.number;
  if (OneOf(number, {229, 230, 262, 297, 300, 371, 916, 4604, 6004, 10011, 14260, 15247, 15562})) {
    return Code::kPermissionDenied;
  }
  if (OneOf(number, {208, 911, 2812, 15009, 15151, 4902, 3701, 14262, 40515}))
    return Code::kNotFound;
  return Code::kExecutionFailed;
}

Error Unreachable(bool unknown_host, bool hung_up) {
  if (unknown_host) return SqlServerHostUnknown();
  if (hung_up) return Error::Unavailable("The SQL Server ended the connection during the login");
  return Error::Unavailable(
      "The SQL Server cannot be reached: nothing listens there. Check host, port and firewall");
}

// Why a server refuses a login, and what to do.
struct LoginRefusal {
  std::initializer_list<int> numbers;
  std::string_view advice;
};

constexpr LoginRefusal kLoginRefusals[] = {
    {{4060, 4063, 4064, 911, 916},
     "SQL Server cannot open the database of the connection: check its name and the rights of the "
     "login"},
    {{18470, 18486, 18487, 18488},
     "SQL Server refused the login: it is disabled or locked, or its password has expired"},
    {{40615, 40914},
     "The firewall of the SQL Server does not let this machine in: add this machine's address to "
     "the server's firewall"},
    {{40532}, "There is no SQL Server of that name: check the host, which must be a name there"},
    {{976, 983, 10928, 10929, 17142, 18401, 18451, 18461, 40197, 40501, 40613, 49918, 49919, 49920},
     "The SQL Server or its database is not available at present: it starts, is paused or busy, is "
     "in single-user mode, or is a replica that cannot be read. Try again in a minute"},
    {{18450, 18452, 18456}, "SQL Server refused the login: check the user name and the password"},
};

// Microsoft's driver has the numbers of Winsock, on Linux too. 10054, a connection that was ended,
// is not among them: that is how servers answer a TLS that they do not speak.
bool IsUnreachableForMicrosoft(const OdbcDiagnosis& diagnosis) {
  return diagnosis.state == "08001" &&
         OneOf(diagnosis.number, {2, 53, 10051, 10057, 10060, 10061, 10065, 11001});
}

bool IsOfTheServer(const OdbcDiagnosis& diagnosis) {
  return !diagnosis.is_message() && diagnosis.number > 0 && !IsDriverNumber(diagnosis.number) &&
         !diagnosis.state.starts_with("08");
}

// Numbers from 50000 on, and their severity, are of whoever wrote the RAISERROR.
bool IsFaultOfTheServer(const OdbcDiagnosis& diagnosis) {
  return (diagnosis.severity >= 17 && diagnosis.number < 50'000) ||
         OneOf(diagnosis.number, {701, 802, 844, 845, 847, 1101, 1105, 8645, 8651, 8902, 9002,
                                  10928, 10929, 40197, 40501, 40613, 49918, 49919, 49920});
}

}  // namespace

std::vector<OdbcDiagnosis> ReadDiagnoses(const Libodbc& odbc, SQLSMALLINT kind, SQLHANDLE handle) {
  std::vector<OdbcDiagnosis> out;
  for (SQLSMALLINT record = 1; record <= kMostRecords; ++record) {
    SQLWCHAR state[6] = {};
    SQLWCHAR text[kLongestMessage] = {};
    SQLINTEGER number = 0;
    SQLSMALLINT size = 0;
    if (!SQL_SUCCEEDED(odbc.get_diag_rec(kind, handle, record, state, &number, text,
                                         kLongestMessage, &size))) {
      break;
    }
    OdbcDiagnosis& diagnosis = out.emplace_back();
    diagnosis.state = FromWide(state);
    diagnosis.number = number;
    diagnosis.message = WithoutNames(FromWide(text));
    diagnosis.severity = Field(odbc, kind, handle, record, kMessageClass);
    int& given = diagnosis.severity == 0 ? diagnosis.severity : diagnosis.message_state;
    given = Field(odbc, kind, handle, record, kMessageState);
    diagnosis.line = Field(odbc, kind, handle, record, kMessageLine);
  }
  return out;
}

const OdbcDiagnosis* MainDiagnosis(const std::vector<OdbcDiagnosis>& diagnoses) {
  for (const OdbcDiagnosis& diagnosis : diagnoses) {
    if (!diagnosis.is_message()) return &diagnosis;
  }
  return diagnoses.empty() ? nullptr : &diagnoses.front();
}

bool IsDriverNumber(int number) { return number == 0 || (number >= 20'000 && number < 21'000); }

Error SqlServerTimeout() {
  return {Code::kTimeout,
          "The statement took too long and was cancelled: narrow it, or allow it more time",
          {}};
}

Error SqlServerGone() {
  return Error::Unavailable(
      "The connection to SQL Server was lost while the statement ran: try again");
}

Error SqlServerHostUnknown() {
  return Error::Unavailable(
      "The SQL Server cannot be reached: no host has its name. Check the connection string");
}

Error SqlServerStatementError(const OdbcDiagnosis& diagnosis) {
  if (diagnosis.state == "HYT00" || diagnosis.state == "HYT01") return SqlServerTimeout();
  if (diagnosis.number == 1222) {
    return {Code::kUnavailable,
            "Another session holds a lock that the statement waits for: try again",
            Data(diagnosis)};
  }
  if (diagnosis.number == 1205) {
    return {Code::kUnavailable,
            "SQL Server had to end the statement because of a deadlock: try again",
            Data(diagnosis)};
  }
  if (OneOf(diagnosis.number, {3960, 3961})) {
    return {Code::kUnavailable,
            "Another session changed what the statement works on in its snapshot: try again",
            Data(diagnosis)};
  }
  if (IsFaultOfTheServer(diagnosis)) {
    base::Log(base::Severity::kWarning, "sql server error",
              {{"number", std::int64_t{diagnosis.number}}, {"detail", diagnosis.message}});
    return {
        Code::kUnavailable,
        "SQL Server is out of memory, disk or other resources, or has a fault; the log has more",
        Data(diagnosis)};
  }
  return {CodeOf(diagnosis), base::StrCat(Words(diagnosis), AdviceFor(diagnosis.number)),
          Data(diagnosis)};
}

Error SqlServerLoginError(const std::vector<OdbcDiagnosis>& diagnoses, bool encrypted,
                          bool verified) {
  const auto said = [&](std::initializer_list<int> numbers) {
    return std::any_of(diagnoses.begin(), diagnoses.end(),
                       [&](const OdbcDiagnosis& d) { return OneOf(d.number, numbers); });
  };
  for (const OdbcDiagnosis& diagnosis : diagnoses) {
    base::Log(base::Severity::kInfo, "sql server login",
              {{"state", diagnosis.state},
               {"number", std::int64_t{diagnosis.number}},
               {"detail", diagnosis.message}});
  }
  for (const LoginRefusal& refusal : kLoginRefusals) {
    if (said(refusal.numbers)) return Error::Unavailable(std::string(refusal.advice));
  }
  if (said({20009, 20013, 20017})) return Unreachable(said({20013}), said({20017}));
  if (std::any_of(diagnoses.begin(), diagnoses.end(), IsUnreachableForMicrosoft)) {
    return Unreachable(said({11001}), false);
  }
  const OdbcDiagnosis* main = MainDiagnosis(diagnoses);
  if (main != nullptr && main->state == "HYT00") {
    return {Code::kTimeout, "The SQL Server did not answer the login in time: try again", {}};
  }
  const auto other = std::find_if(diagnoses.begin(), diagnoses.end(), IsOfTheServer);
  if (other != diagnoses.end()) {
    return Error::Unavailable(base::StrCat("SQL Server refused the connection (error ",
                                           other->number, "); the log has more"));
  }
  if (!encrypted) return Error::Unavailable("SQL Server refused the connection; the log has more");
  if (!verified) {
    return Error::Unavailable(
        "No encrypted connection to the SQL Server: it may not be able to encrypt. For a server "
        "without encryption use Encrypt=false");
  }
  return Error::Unavailable(
      "No encrypted connection to the SQL Server: its certificate does not verify, because this "
      "machine does not trust who issued it or because it is for another name, or the server "
      "cannot encrypt. Install the certificate of its authority and connect by the name in the "
      "certificate. TrustServerCertificate=true skips the check, and then nobody knows who "
      "answers; Encrypt=false is for a server without encryption");
}

}  // namespace toolpost::db
