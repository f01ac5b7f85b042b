// The rows of the option table about SQL Server.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> MssqlTable() {
  return {
      DefaultNote(Secret(
                      "mssql.connection_string",
                      [](Config& c) -> std::string& { return c.mssql.connection_string; },
                      "SQL Server of the connection `DefaultConnection`: `Server=…;Database=…;User "
                      "Id=…;Password=…`"),
                  "`ConnectionStrings` of `appsettings.file`"),
      List(
          "mssql.allow_hosts", "", [](Config& c) -> Strings& { return c.mssql.allow_hosts; },
          "Servers that connections stored by callers may lead to: `sql1.example`, `*.example`, or "
          "`*` for all; empty is all, and none once other machines can call"),
      List(
          "mssql.write_connections", "",
          [](Config& c) -> Strings& { return c.mssql.write_connections; },
          "Connections on which ExecuteQuery may change data, for credentials with the scope "
          "`write`"),
      List(
          "mssql.databases", "", [](Config& c) -> Strings& { return c.mssql.databases; },
          "Databases that statements may name besides that of their connection, as in "
          "`archive.dbo.orders`"),
      Integer(
          "mssql.max_connections", "4", 1, 1000,
          [](Config& c) -> std::uint64_t& { return c.mssql.max_connections; },
          "Sessions with each SQL Server"),
      Size(
          "mssql.max_bytes", "1MiB", kKiB, 64 * kKiB * kKiB,
          [](Config& c) -> std::uint64_t& { return c.mssql.max_bytes; },
          "Most bytes of one result, whatever `maxBytes` asks for"),
      Time(
          "mssql.login_timeout", "15s", kSecond, 300 * kSecond,
          [](Config& c) -> Duration& { return c.mssql.login_timeout; },
          "Longest wait for a connection"),
      Time(
          "mssql.timeout", "30s", 100, kHour,
          [](Config& c) -> Duration& { return c.mssql.timeout; }, "Longest run of a statement"),
      String(
          "mssql.ca_file", "", [](Config& c) -> std::string& { return c.mssql.ca_file; },
          "PEM file with the authorities that sign the certificates of SQL Servers"),
      String(
          "mssql.stub_file", "", [](Config& c) -> std::string& { return c.mssql.stub_file; },
          "JSON file with answers of mssql-query's stub, by query: an error, or `[]` for nothing"),
  };
}

}  // namespace toolpost::config
