// driver_memory PORT WARM_UP STATEMENT: reads the results of both statements from 127.0.0.1 through
// FreeTDS, piece by piece, and keeps nothing. Prints by how many KiB the process grew at most
// during the second, and how many bytes its last value had.
#include <sql.h>
#include <sqlext.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace {

long Kibibytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::atol(line.c_str() + name.size());
  }
  return 0;
}

SQLCHAR* Bytes(std::string& text) { return reinterpret_cast<SQLCHAR*>(text.data()); }

class Reader {
 public:
  Reader() = default;
  ~Reader() {
    if (statement_ != nullptr) {
      SQLFreeHandle(SQL_HANDLE_STMT, statement_);
      SQLDisconnect(connection_);
    }
    if (connection_ != nullptr) SQLFreeHandle(SQL_HANDLE_DBC, connection_);
    if (environment_ != nullptr) SQLFreeHandle(SQL_HANDLE_ENV, environment_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool Connect(const std::string& port) {
    SQLAllocHandle(SQL_HANDLE_ENV, nullptr, &environment_);
    SQLSetEnvAttr(environment_, SQL_ATTR_ODBC_VERSION, reinterpret_cast<SQLPOINTER>(SQL_OV_ODBC3),
                  0);
    SQLAllocHandle(SQL_HANDLE_DBC, environment_, &connection_);
    std::string text = "Driver=FreeTDS;Server=127.0.0.1;Port=" + port +
                       ";TDS_Version=7.4;ClientCharset=UTF-8;Encryption=off;UID=reader;PWD=example";
    const SQLRETURN code = SQLDriverConnect(connection_, nullptr, Bytes(text), SQL_NTS, nullptr, 0,
                                            nullptr, SQL_DRIVER_NOPROMPT);
    return SQL_SUCCEEDED(code) &&
           SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, connection_, &statement_));
  }

  // The bytes of the last value; negative when the statement fails.
  long Read(std::string sql) {
    SQLSMALLINT columns = 0;
    if (!SQL_SUCCEEDED(SQLExecDirect(statement_, Bytes(sql), SQL_NTS)) ||
        !SQL_SUCCEEDED(SQLNumResultCols(statement_, &columns))) {
      return -1;
    }
    long size = 0;
    while (SQL_SUCCEEDED(SQLFetch(statement_))) {
      for (SQLUSMALLINT column = 1; column <= columns; ++column) size = ReadValue(column);
    }
    SQLFreeStmt(statement_, SQL_CLOSE);
    return size;
  }

 private:
  long ReadValue(SQLUSMALLINT column) {
    long size = 0;
    SQLLEN left = 0;
    constexpr long kPiece = sizeof piece_;
    while (SQL_SUCCEEDED(SQLGetData(statement_, column, SQL_C_BINARY, piece_, kPiece, &left))) {
      size += left >= 0 && left < kPiece ? static_cast<long>(left) : kPiece;
    }
    return size;
  }

  SQLHANDLE environment_ = nullptr, connection_ = nullptr, statement_ = nullptr;
  char piece_[65'536] = {};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("Usage: driver_memory PORT WARM_UP STATEMENT\n", stderr);
    return 2;
  }
  Reader reader;
  if (!reader.Connect(argv[1]) || reader.Read(argv[2]) < 0) {
    std::fputs("driver_memory: no connection\n", stderr);
    return 1;
  }
  std::ofstream("/proc/self/clear_refs") << '5';  // the peak begins anew
  const long before = Kibibytes("VmRSS:");
  const long size = reader.Read(argv[3]);
  std::printf("{\"bytes\": %ld, \"grownKiB\": %ld}\n", size, Kibibytes("VmHWM:") - before);
  return size < 0 ? 1 : 0;
}
