// Symbols of libpq.
#include "db/libpq.h"

#include "base/lazy_library.h"

namespace toolpost::db {
namespace {

Result<void> Fill(Libpq& table) {
  static base::LazyLibrary library("libpq.so.5", "libpq5");
  RETURN_IF_ERROR(library.Resolve("PQconninfoParse", table.conninfo_parse));
  RETURN_IF_ERROR(library.Resolve("PQconninfoFree", table.conninfo_free));
  RETURN_IF_ERROR(library.Resolve("PQfreemem", table.freemem));
  RETURN_IF_ERROR(library.Resolve("PQconnectdbParams", table.connectdb_params));
  RETURN_IF_ERROR(library.Resolve("PQfinish", table.finish));
  RETURN_IF_ERROR(library.Resolve("PQstatus", table.status));
  RETURN_IF_ERROR(library.Resolve("PQsocket", table.socket));
  RETURN_IF_ERROR(library.Resolve("PQconsumeInput", table.consume_input));
  RETURN_IF_ERROR(library.Resolve("PQerrorMessage", table.error_message));
  RETURN_IF_ERROR(library.Resolve("PQsetNoticeProcessor", table.set_notice_processor));
  RETURN_IF_ERROR(library.Resolve("PQexec", table.exec));
  RETURN_IF_ERROR(library.Resolve("PQenterPipelineMode", table.enter_pipeline_mode));
  RETURN_IF_ERROR(library.Resolve("PQexitPipelineMode", table.exit_pipeline_mode));
  RETURN_IF_ERROR(library.Resolve("PQpipelineSync", table.pipeline_sync));
  RETURN_IF_ERROR(library.Resolve("PQsendQueryParams", table.send_query_params));
  RETURN_IF_ERROR(library.Resolve("PQgetResult", table.get_result));
  RETURN_IF_ERROR(library.Resolve("PQresultStatus", table.result_status));
  RETURN_IF_ERROR(library.Resolve("PQresultErrorField", table.result_error_field));
  RETURN_IF_ERROR(library.Resolve("PQclear", table.clear));
  RETURN_IF_ERROR(library.Resolve("PQcmdStatus", table.cmd_status));
  RETURN_IF_ERROR(library.Resolve("PQcmdTuples", table.cmd_tuples));
  RETURN_IF_ERROR(library.Resolve("PQntuples", table.ntuples));
  RETURN_IF_ERROR(library.Resolve("PQnfields", table.nfields));
  RETURN_IF_ERROR(library.Resolve("PQftype", table.ftype));
  RETURN_IF_ERROR(library.Resolve("PQgetisnull", table.getisnull));
  RETURN_IF_ERROR(library.Resolve("PQgetvalue", table.getvalue));
  RETURN_IF_ERROR(library.Resolve("PQgetlength", table.getlength));
  RETURN_IF_ERROR(library.Resolve("PQfname", table.fname));
  RETURN_IF_ERROR(library.Resolve("PQnparams", table.nparams));
  RETURN_IF_ERROR(library.Resolve("PQparamtype", table.paramtype));
  RETURN_IF_ERROR(library.Resolve("PQsetnonblocking", table.setnonblocking));
  RETURN_IF_ERROR(library.Resolve("PQflush", table.flush));
  RETURN_IF_ERROR(library.Resolve("PQisBusy", table.is_busy));
  RETURN_IF_ERROR(library.Resolve("PQsendQuery", table.send_query));
  RETURN_IF_ERROR(library.Resolve("PQsendPrepare", table.send_prepare));
  RETURN_IF_ERROR(library.Resolve("PQsendQueryPrepared", table.send_query_prepared));
  RETURN_IF_ERROR(library.Resolve("PQsendDescribePrepared", table.send_describe_prepared));
  RETURN_IF_ERROR(library.Resolve("PQsetSingleRowMode", table.set_single_row_mode));
  RETURN_IF_ERROR(library.Resolve("PQtransactionStatus", table.transaction_status));
  RETURN_IF_ERROR(library.Resolve("PQbackendPID", table.backend_pid));
  RETURN_IF_ERROR(library.Resolve("PQsetNoticeReceiver", table.set_notice_receiver));
  RETURN_IF_ERROR(library.Resolve("PQgetCancel", table.get_cancel));
  RETURN_IF_ERROR(library.Resolve("PQcancel", table.cancel));
  RETURN_IF_ERROR(library.Resolve("PQfreeCancel", table.free_cancel));
  return {};
}

}  // namespace

Result<const Libpq*> Libpq::Load() { return base::LoadOnce(&Fill); }

}  // namespace toolpost::db
