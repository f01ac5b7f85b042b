// Symbols of unixODBC.
#include "db/libodbc.h"

#include "base/lazy_library.h"

namespace toolpost::db {
namespace {

Result<void> Fill(Libodbc& table) {
  static base::LazyLibrary library("libodbc.so.2", "libodbc2");
  RETURN_IF_ERROR(library.Resolve("SQLAllocHandle", table.alloc_handle));
  RETURN_IF_ERROR(library.Resolve("SQLFreeHandle", table.free_handle));
  RETURN_IF_ERROR(library.Resolve("SQLSetEnvAttr", table.set_env_attr));
  RETURN_IF_ERROR(library.Resolve("SQLSetConnectAttr", table.set_connect_attr));
  RETURN_IF_ERROR(library.Resolve("SQLGetConnectAttr", table.get_connect_attr));
  RETURN_IF_ERROR(library.Resolve("SQLDriverConnectW", table.driver_connect));
  RETURN_IF_ERROR(library.Resolve("SQLDisconnect", table.disconnect));
  RETURN_IF_ERROR(library.Resolve("SQLSetStmtAttr", table.set_stmt_attr));
  RETURN_IF_ERROR(library.Resolve("SQLBindParameter", table.bind_parameter));
  RETURN_IF_ERROR(library.Resolve("SQLExecDirectW", table.exec_direct));
  RETURN_IF_ERROR(library.Resolve("SQLNumResultCols", table.num_result_cols));
  RETURN_IF_ERROR(library.Resolve("SQLDescribeColW", table.describe_col));
  RETURN_IF_ERROR(library.Resolve("SQLColAttributeW", table.col_attribute));
  RETURN_IF_ERROR(library.Resolve("SQLFetch", table.fetch));
  RETURN_IF_ERROR(library.Resolve("SQLBindCol", table.bind_col));
  RETURN_IF_ERROR(library.Resolve("SQLGetData", table.get_data));
  RETURN_IF_ERROR(library.Resolve("SQLMoreResults", table.more_results));
  RETURN_IF_ERROR(library.Resolve("SQLFreeStmt", table.free_stmt));
  RETURN_IF_ERROR(library.Resolve("SQLCancel", table.cancel));
  RETURN_IF_ERROR(library.Resolve("SQLGetDiagRecW", table.get_diag_rec));
  RETURN_IF_ERROR(library.Resolve("SQLGetDiagFieldW", table.get_diag_field));
  return {};
}

}  // namespace

Result<const Libodbc*> Libodbc::Load() { return base::LoadOnce(&Fill); }

}  // namespace toolpost::db
