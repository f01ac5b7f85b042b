// Symbols of libsqlite3.
#include "db/libsqlite.h"

#include <atomic>

#include "base/lazy_library.h"
#include "db/sqlite_budget.h"

namespace toolpost::db {
namespace {

std::atomic<const LibSqlite*> loaded_table{nullptr};

Result<void> Fill(LibSqlite& table) {
  static base::LazyLibrary library("libsqlite3.so.0", "libsqlite3-0");
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_blob64", table.bind_blob64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_double", table.bind_double));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_int64", table.bind_int64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_null", table.bind_null));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_parameter_count", table.bind_parameter_count));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_parameter_name", table.bind_parameter_name));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_text64", table.bind_text64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_value", table.bind_value));
  RETURN_IF_ERROR(library.Resolve("sqlite3_bind_zeroblob", table.bind_zeroblob));
  RETURN_IF_ERROR(library.Resolve("sqlite3_busy_timeout", table.busy_timeout));
  RETURN_IF_ERROR(library.Resolve("sqlite3_changes64", table.changes64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_clear_bindings", table.clear_bindings));
  RETURN_IF_ERROR(library.Resolve("sqlite3_close", table.close));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_blob", table.column_blob));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_bytes", table.column_bytes));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_count", table.column_count));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_decltype", table.column_decltype));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_double", table.column_double));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_int64", table.column_int64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_name", table.column_name));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_text", table.column_text));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_type", table.column_type));
  RETURN_IF_ERROR(library.Resolve("sqlite3_column_value", table.column_value));
  RETURN_IF_ERROR(library.Resolve("sqlite3_context_db_handle", table.context_db_handle));
  RETURN_IF_ERROR(library.Resolve("sqlite3_create_function_v2", table.create_function_v2));
  RETURN_IF_ERROR(library.Resolve("sqlite3_db_config", table.db_config));
  RETURN_IF_ERROR(library.Resolve("sqlite3_deserialize", table.deserialize));
  RETURN_IF_ERROR(library.Resolve("sqlite3_errmsg", table.errmsg));
  RETURN_IF_ERROR(library.Resolve("sqlite3_exec", table.exec));
  RETURN_IF_ERROR(library.Resolve("sqlite3_extended_errcode", table.extended_errcode));
  RETURN_IF_ERROR(library.Resolve("sqlite3_finalize", table.finalize));
  RETURN_IF_ERROR(library.Resolve("sqlite3_free", table.free));
  RETURN_IF_ERROR(library.Resolve("sqlite3_get_autocommit", table.get_autocommit));
  RETURN_IF_ERROR(library.Resolve("sqlite3_get_auxdata", table.get_auxdata));
  RETURN_IF_ERROR(library.Resolve("sqlite3_hard_heap_limit64", table.hard_heap_limit64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_interrupt", table.interrupt));
  RETURN_IF_ERROR(library.Resolve("sqlite3_limit", table.limit));
  RETURN_IF_ERROR(library.Resolve("sqlite3_memory_used", table.memory_used));
  RETURN_IF_ERROR(library.Resolve("sqlite3_open_v2", table.open_v2));
  RETURN_IF_ERROR(library.Resolve("sqlite3_prepare_v3", table.prepare_v3));
  RETURN_IF_ERROR(library.Resolve("sqlite3_progress_handler", table.progress_handler));
  RETURN_IF_ERROR(library.Resolve("sqlite3_reset", table.reset));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_error", table.result_error));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_error_nomem", table.result_error_nomem));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_error_toobig", table.result_error_toobig));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_int64", table.result_int64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_text64", table.result_text64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_result_value", table.result_value));
  RETURN_IF_ERROR(library.Resolve("sqlite3_serialize", table.serialize));
  RETURN_IF_ERROR(library.Resolve("sqlite3_set_authorizer", table.set_authorizer));
  RETURN_IF_ERROR(library.Resolve("sqlite3_set_auxdata", table.set_auxdata));
  RETURN_IF_ERROR(library.Resolve("sqlite3_step", table.step));
  RETURN_IF_ERROR(library.Resolve("sqlite3_stmt_isexplain", table.stmt_isexplain));
  RETURN_IF_ERROR(library.Resolve("sqlite3_stmt_readonly", table.stmt_readonly));
  RETURN_IF_ERROR(library.Resolve("sqlite3_total_changes64", table.total_changes64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_user_data", table.user_data));
  RETURN_IF_ERROR(library.Resolve("sqlite3_value_blob", table.value_blob));
  RETURN_IF_ERROR(library.Resolve("sqlite3_value_bytes", table.value_bytes));
  RETURN_IF_ERROR(library.Resolve("sqlite3_value_int64", table.value_int64));
  RETURN_IF_ERROR(library.Resolve("sqlite3_value_text", table.value_text));
  RETURN_IF_ERROR(library.Resolve("sqlite3_value_type", table.value_type));
  decltype(sqlite3_config)* config = nullptr;
  RETURN_IF_ERROR(library.Resolve("sqlite3_config", config));
  if (!SqliteBudget::Install(config))
    return Error::Unavailable("This build of SQLite does not let its memory be bounded");
  return {};
}

}  // namespace

const LibSqlite& LibSqlite::Loaded() { return *loaded_table.load(std::memory_order_acquire); }

Result<const LibSqlite*> LibSqlite::Load() {
  ASSIGN_OR_RETURN(const LibSqlite* table, base::LoadOnce(&Fill));
  loaded_table.store(table, std::memory_order_release);
  return table;
}

}  // namespace toolpost::db
