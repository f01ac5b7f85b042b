// The functions of unixODBC that we call, loaded on first use: a machine without it runs everything
// else. Those that take or give text in the wide form: unixODBC takes bytes for those of the
// locale.
#pragma once

#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

#include "toolpost/result.h"

namespace toolpost::db {

struct Libodbc {
  decltype(SQLAllocHandle)* alloc_handle = nullptr;
  decltype(SQLFreeHandle)* free_handle = nullptr;
  decltype(SQLSetEnvAttr)* set_env_attr = nullptr;
  decltype(SQLSetConnectAttr)* set_connect_attr = nullptr;
  decltype(SQLGetConnectAttr)* get_connect_attr = nullptr;
  decltype(SQLDriverConnectW)* driver_connect = nullptr;
  decltype(SQLDisconnect)* disconnect = nullptr;
  decltype(SQLSetStmtAttr)* set_stmt_attr = nullptr;
  decltype(SQLBindParameter)* bind_parameter = nullptr;
  decltype(SQLExecDirectW)* exec_direct = nullptr;
  decltype(SQLNumResultCols)* num_result_cols = nullptr;
  decltype(SQLDescribeColW)* describe_col = nullptr;
  decltype(SQLColAttributeW)* col_attribute = nullptr;
  decltype(SQLBindCol)* bind_col = nullptr;
  decltype(SQLFetch)* fetch = nullptr;
  decltype(SQLGetData)* get_data = nullptr;
  decltype(SQLMoreResults)* more_results = nullptr;
  decltype(SQLFreeStmt)* free_stmt = nullptr;
  decltype(SQLCancel)* cancel = nullptr;
  decltype(SQLGetDiagRecW)* get_diag_rec = nullptr;
  decltype(SQLGetDiagFieldW)* get_diag_field = nullptr;

  // The same table for everybody, never freed. Code::kUnavailable names the package to install.
  static Result<const Libodbc*> Load();
};

}  // namespace toolpost::db
