// The functions of SQLite that we call, loaded on first use: a process that keeps no state does not
// carry them.
#pragma once

#include <sqlite3.h>

#include "toolpost/result.h"

namespace toolpost::db {

struct LibSqlite {
  decltype(sqlite3_bind_blob64)* bind_blob64 = nullptr;
  decltype(sqlite3_bind_double)* bind_double = nullptr;
  decltype(sqlite3_bind_int64)* bind_int64 = nullptr;
  decltype(sqlite3_bind_null)* bind_null = nullptr;
  decltype(sqlite3_bind_parameter_count)* bind_parameter_count = nullptr;
  decltype(sqlite3_bind_parameter_name)* bind_parameter_name = nullptr;
  decltype(sqlite3_bind_text64)* bind_text64 = nullptr;
  decltype(sqlite3_bind_value)* bind_value = nullptr;
  decltype(sqlite3_bind_zeroblob)* bind_zeroblob = nullptr;
  decltype(sqlite3_busy_timeout)* busy_timeout = nullptr;
  decltype(sqlite3_changes64)* changes64 = nullptr;
  decltype(sqlite3_clear_bindings)* clear_bindings = nullptr;
  decltype(sqlite3_close)* close = nullptr;
  decltype(sqlite3_column_blob)* column_blob = nullptr;
  decltype(sqlite3_column_bytes)* column_bytes = nullptr;
  decltype(sqlite3_column_count)* column_count = nullptr;
  decltype(sqlite3_column_decltype)* column_decltype = nullptr;
  decltype(sqlite3_column_double)* column_double = nullptr;
  decltype(sqlite3_column_int64)* column_int64 = nullptr;
  decltype(sqlite3_column_name)* column_name = nullptr;
  decltype(sqlite3_column_text)* column_text = nullptr;
  decltype(sqlite3_column_type)* column_type = nullptr;
  decltype(sqlite3_column_value)* column_value = nullptr;
  decltype(sqlite3_context_db_handle)* context_db_handle = nullptr;
  decltype(sqlite3_create_function_v2)* create_function_v2 = nullptr;
  decltype(sqlite3_db_config)* db_config = nullptr;
  decltype(sqlite3_deserialize)* deserialize = nullptr;
  decltype(sqlite3_errmsg)* errmsg = nullptr;
  decltype(sqlite3_exec)* exec = nullptr;
  decltype(sqlite3_extended_errcode)* extended_errcode = nullptr;
  decltype(sqlite3_finalize)* finalize = nullptr;
  decltype(sqlite3_free)* free = nullptr;
  decltype(sqlite3_get_autocommit)* get_autocommit = nullptr;
  decltype(sqlite3_get_auxdata)* get_auxdata = nullptr;
  decltype(sqlite3_hard_heap_limit64)* hard_heap_limit64 = nullptr;
  decltype(sqlite3_interrupt)* interrupt = nullptr;
  decltype(sqlite3_limit)* limit = nullptr;
  decltype(sqlite3_memory_used)* memory_used = nullptr;
  decltype(sqlite3_open_v2)* open_v2 = nullptr;
  decltype(sqlite3_prepare_v3)* prepare_v3 = nullptr;
  decltype(sqlite3_progress_handler)* progress_handler = nullptr;
  decltype(sqlite3_reset)* reset = nullptr;
  decltype(sqlite3_result_error)* result_error = nullptr;
  decltype(sqlite3_result_error_nomem)* result_error_nomem = nullptr;
  decltype(sqlite3_result_error_toobig)* result_error_toobig = nullptr;
  decltype(sqlite3_result_int64)* result_int64 = nullptr;
  decltype(sqlite3_result_text64)* result_text64 = nullptr;
  decltype(sqlite3_result_value)* result_value = nullptr;
  decltype(sqlite3_serialize)* serialize = nullptr;
  decltype(sqlite3_set_authorizer)* set_authorizer = nullptr;
  decltype(sqlite3_set_auxdata)* set_auxdata = nullptr;
  decltype(sqlite3_step)* step = nullptr;
  decltype(sqlite3_stmt_isexplain)* stmt_isexplain = nullptr;
  decltype(sqlite3_stmt_readonly)* stmt_readonly = nullptr;
  decltype(sqlite3_total_changes64)* total_changes64 = nullptr;
  decltype(sqlite3_user_data)* user_data = nullptr;
  decltype(sqlite3_value_blob)* value_blob = nullptr;
  decltype(sqlite3_value_bytes)* value_bytes = nullptr;
  decltype(sqlite3_value_int64)* value_int64 = nullptr;
  decltype(sqlite3_value_text)* value_text = nullptr;
  decltype(sqlite3_value_type)* value_type = nullptr;

  // The same table for everybody, never freed. Code::kUnavailable names the package to install.
  static Result<const LibSqlite*> Load();
  // After Load() succeeded.
  static const LibSqlite& Loaded();
};

}  // namespace toolpost::db
