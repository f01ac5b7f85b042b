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
  decltype(PQexecParams)* exec_params = nullptr;
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

  // The same table for everybody, never freed. Code::kUnavailable names the package to install.
  static Result<const Libpq*> Load();
};

}  // namespace toolpost::db
