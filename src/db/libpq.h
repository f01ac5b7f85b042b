// The functions of libpq that we call, loaded on first use: a machine without PostgreSQL's client
// runs everything else.
#pragma once

#include <libpq-fe.h>

#include "toolpost/result.h"

namespace toolpost::db {

struct Libpq {
  decltype(PQconninfoParse)* conninfo_parse = nullptr;
  decltype(PQconninfoFree)* conninfo_free = nullptr;
  decltype(PQfreemem)* freemem = nullptr;
  decltype(PQconnectdbParams)* connectdb_params = nullptr;
  decltype(PQfinish)* finish = nullptr;
  decltype(PQstatus)* status = nullptr;
  decltype(PQsocket)* socket = nullptr;
  decltype(PQconsumeInput)* consume_input = nullptr;
  decltype(PQerrorMessage)* error_message = nullptr;
  decltype(PQsetNoticeProcessor)* set_notice_processor = nullptr;
  decltype(PQexec)* exec = nullptr;
  decltype(PQenterPipelineMode)* enter_pipeline_mode = nullptr;
  decltype(PQexitPipelineMode)* exit_pipeline_mode = nullptr;
  decltype(PQpipelineSync)* pipeline_sync = nullptr;
  decltype(PQsendQueryParams)* send_query_params = nullptr;
  decltype(PQgetResult)* get_result = nullptr;
  decltype(PQresultStatus)* result_status = nullptr;
  decltype(PQresultErrorField)* result_error_field = nullptr;
  decltype(PQclear)* clear = nullptr;
  decltype(PQcmdStatus)* cmd_status = nullptr;
  decltype(PQcmdTuples)* cmd_tuples = nullptr;
  decltype(PQntuples)* ntuples = nullptr;
  decltype(PQnfields)* nfields = nullptr;
  decltype(PQftype)* ftype = nullptr;
  decltype(PQgetisnull)* getisnull = nullptr;
  decltype(PQgetvalue)* getvalue = nullptr;
  decltype(PQgetlength)* getlength = nullptr;
  decltype(PQfname)* fname = nullptr;
  decltype(PQnparams)* nparams = nullptr;
  decltype(PQparamtype)* paramtype = nullptr;
  decltype(PQsetnonblocking)* setnonblocking = nullptr;
  decltype(PQflush)* flush = nullptr;
  decltype(PQisBusy)* is_busy = nullptr;
  decltype(PQsendQuery)* send_query = nullptr;
  decltype(PQsendPrepare)* send_prepare = nullptr;
  decltype(PQsendQueryPrepared)* send_query_prepared = nullptr;
  decltype(PQsendDescribePrepared)* send_describe_prepared = nullptr;
  decltype(PQsetSingleRowMode)* set_single_row_mode = nullptr;
  decltype(PQtransactionStatus)* transaction_status = nullptr;
  decltype(PQbackendPID)* backend_pid = nullptr;
  decltype(PQsetNoticeReceiver)* set_notice_receiver = nullptr;
  decltype(PQgetCancel)* get_cancel = nullptr;
  decltype(PQcancel)* cancel = nullptr;
  decltype(PQfreeCancel)* free_cancel = nullptr;

  // The same table for everybody, never freed. Code::kUnavailable names the package to install.
  static Result<const Libpq*> Load();
};

}  // namespace toolpost::db
