// The table of keywords.
#include "db/sql_server_keywords.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace toolpost::db {
namespace {

using Use = SqlServerKeyword::Use;

constexpr std::string_view kSqlLogin = "log in with User ID and Password";
constexpr std::string_view kOurDriver = "toolpost chooses the driver: leave it out";
constexpr std::string_view kFiles = "it names a file: leave it out";
constexpr std::string_view kOneServer = "a connection goes to one server: leave it out";
constexpr std::string_view kTcp = "only TCP is used: leave it out";
constexpr std::string_view kProtocol = "toolpost sets it itself: leave it out";
constexpr std::string_view kKeys = "Always Encrypted is not supported: leave it out";

constexpr SqlServerKeyword kKeywords[] = {
    {"addr", "Server", Use::kServer, {}},
    {"address", "Server", Use::kServer, {}},
    {"alwaysencrypted", "Column Encryption Setting", Use::kDisabled, kKeys},
    {"ansinpw", "AnsiNPW", Use::kNone, {}},
    {"app", "Application Name", Use::kApplication, {}},
    {"applicationintent", "ApplicationIntent", Use::kIntent, {}},
    {"applicationname", "Application Name", Use::kApplication, {}},
    {"async", "Asynchronous Processing", Use::kNone, {}},
    {"asynchronousprocessing", "Asynchronous Processing", Use::kNone, {}},
    {"attachdbfilename", "AttachDbFilename", Use::kRefused, kFiles},
    {"attestationprotocol", "Attestation Protocol", Use::kRefused, kKeys},
    {"authentication", "Authentication", Use::kSqlPassword, kSqlLogin},
    {"autotranslate", "AutoTranslate", Use::kNone, {}},
    {"clientcertificate", "ClientCertificate", Use::kRefused, kFiles},
    {"clientcharset", "ClientCharset", Use::kRefused, kProtocol},
    {"clientkey", "ClientKey", Use::kRefused, kFiles},
    {"columnencryption", "Column Encryption Setting", Use::kDisabled, kKeys},
    {"columnencryptionsetting", "Column Encryption Setting", Use::kDisabled, kKeys},
    {"commandtimeout", "Command Timeout", Use::kQueryTimeout, {}},
    {"connectionlifetime", "Load Balance Timeout", Use::kNone, {}},
    {"connectionreset", "Connection Reset", Use::kNone, {}},
    {"connectiontimeout", "Connect Timeout", Use::kLoginTimeout, {}},
    {"connectretrycount", "Connect Retry Count", Use::kNone, {}},
    {"connectretryinterval", "Connect Retry Interval", Use::kNone, {}},
    {"connecttimeout", "Connect Timeout", Use::kLoginTimeout, {}},
    {"contextconnection", "Context Connection", Use::kMustBeNo, kOneServer},
    {"currentlanguage", "Current Language", Use::kRefused, kProtocol},
    {"database", "Database", Use::kDatabase, {}},
    {"datasource", "Server", Use::kServer, {}},
    {"debugflags", "DebugFlags", Use::kRefused, kFiles},
    {"description", "Description", Use::kNone, {}},
    {"driver", "Driver", Use::kDriver, kOurDriver},
    {"dsn", "DSN", Use::kRefused, "name the server with Server instead"},
    {"dumpfile", "DumpFile", Use::kRefused, kFiles},
    {"dumpfileappend", "DumpFileAppend", Use::kRefused, kFiles},
    {"enclaveattestationurl", "Enclave Attestation Url", Use::kRefused, kKeys},
    {"encrypt", "Encrypt", Use::kEncryption, {}},
    {"enlist", "Enlist", Use::kNone, {}},
    {"extendedproperties", "AttachDbFilename", Use::kRefused, kFiles},
    {"failoverpartner", "Failover Partner", Use::kRefused, kOneServer},
    {"failoverpartnerspn", "Failover Partner SPN", Use::kRefused, kOneServer},
    {"filedsn", "FileDSN", Use::kRefused, kFiles},
    {"hostnameincertificate", "HostNameInCertificate", Use::kCertificateHost, {}},
    {"initialcatalog", "Database", Use::kDatabase, {}},
    {"initialfilename", "AttachDbFilename", Use::kRefused, kFiles},
    {"integratedsecurity", "Integrated Security", Use::kMustBeNo, kSqlLogin},
    {"ipaddresspreference", "IP Address Preference", Use::kNone, {}},
    {"keepalive", "KeepAlive", Use::kNone, {}},
    {"keepaliveinterval", "KeepAliveInterval", Use::kNone, {}},
    {"keystoreauthentication", "KeystoreAuthentication", Use::kRefused, kKeys},
    {"keystoreprincipalid", "KeystorePrincipalId", Use::kRefused, kKeys},
    {"keystoresecret", "KeystoreSecret", Use::kRefused, kKeys},
    {"language", "Current Language", Use::kRefused, kProtocol},
    {"loadbalancetimeout", "Load Balance Timeout", Use::kNone, {}},
    {"logintimeout", "Connect Timeout", Use::kLoginTimeout, {}},
    {"longasmax", "LongAsMax", Use::kNone, {}},
    {"marsconnection", "MultipleActiveResultSets", Use::kNone, {}},
    {"maxpoolsize", "Max Pool Size", Use::kNone, {}},
    {"minpoolsize", "Min Pool Size", Use::kNone, {}},
    {"multipleactiveresultsets", "MultipleActiveResultSets", Use::kNone, {}},
    {"multisubnetfailover", "MultiSubnetFailover", Use::kNone, {}},
    {"net", "Network Library", Use::kRefused, kTcp},
    {"network", "Network Library", Use::kRefused, kTcp},
    {"networkaddress", "Server", Use::kServer, {}},
    {"networklibrary", "Network Library", Use::kRefused, kTcp},
    {"packetsize", "Packet Size", Use::kNone, {}},
    {"password", "Password", Use::kPassword, {}},
    {"persistsecurityinfo", "Persist Security Info", Use::kNone, {}},
    {"poolblockingperiod", "Pool Blocking Period", Use::kNone, {}},
    {"pooling", "Pooling", Use::kNone, {}},
    {"port", "Port", Use::kPort, {}},
    {"provider", "Provider", Use::kRefused, kOurDriver},
    {"pwd", "Password", Use::kPassword, {}},
    {"querylogfile", "QueryLogFile", Use::kRefused, kFiles},
    {"querylogon", "QueryLog_On", Use::kRefused, kFiles},
    {"querylogtime", "QueryLogTime", Use::kRefused, kFiles},
    {"querytimeout", "Command Timeout", Use::kQueryTimeout, {}},
    {"quotedid", "QuotedId", Use::kRefused, kProtocol},
    {"realm", "REALM", Use::kRefused, kSqlLogin},
    {"regional", "Regional", Use::kRefused, kProtocol},
    {"replication", "Replication", Use::kMustBeNo, kProtocol},
    {"retryexec", "RetryExec", Use::kRefused, kFiles},
    {"savefile", "SaveFile", Use::kRefused, kFiles},
    {"server", "Server", Use::kServer, {}},
    {"servercertificate", "ServerCertificate", Use::kRefused, kFiles},
    {"servername", "Servername", Use::kRefused, "name the server with Server instead"},
    {"serverspn", "Server SPN", Use::kRefused, kSqlLogin},
    {"statslogfile", "StatsLogFile", Use::kRefused, kFiles},
    {"statslogon", "StatsLog_On", Use::kRefused, kFiles},
    {"tdsversion", "TDS_Version", Use::kRefused, kProtocol},
    {"textsize", "TextSize", Use::kNone, {}},
    {"timeout", "Connect Timeout", Use::kLoginTimeout, {}},
    {"transactionbinding", "Transaction Binding", Use::kNone, {}},
    {"transparentnetworkipresolution", "TransparentNetworkIPResolution", Use::kNone, {}},
    {"trustedconnection", "Integrated Security", Use::kMustBeNo, kSqlLogin},
    {"trustservercertificate", "TrustServerCertificate", Use::kTrustCertificate, {}},
    {"typesystemversion", "Type System Version", Use::kNone, {}},
    {"uid", "User ID", Use::kUser, {}},
    {"usefmtonly", "UseFMTONLY", Use::kRefused, kProtocol},
    {"usentlmv2", "UseNTLMv2", Use::kRefused, kSqlLogin},
    {"user", "User ID", Use::kUser, {}},
    {"userid", "User ID", Use::kUser, {}},
    {"userinstance", "User Instance", Use::kMustBeNo, kOneServer},
    {"workstationid", "Workstation ID", Use::kNone, {}},
    {"wsid", "Workstation ID", Use::kNone, {}},
};
static_assert(std::is_sorted(std::begin(kKeywords), std::end(kKeywords),
                             [](const SqlServerKeyword& a, const SqlServerKeyword& b) {
                               return a.spelled < b.spelled;
                             }));

}  // namespace

const SqlServerKeyword* FindSqlServerKeyword(std::string_view keyword) {
  std::string spelled = base::ToLower(keyword);
  std::erase_if(spelled, [](char c) { return c == ' ' || c == '_'; });
  const auto* found = std::lower_bound(std::begin(kKeywords), std::end(kKeywords), spelled,
                                       [](const SqlServerKeyword& a, const std::string& b) {
                                         return a.spelled < std::string_view(b);
                                       });
  return found != std::end(kKeywords) && found->spelled == spelled ? found : nullptr;
}

}  // namespace toolpost::db
