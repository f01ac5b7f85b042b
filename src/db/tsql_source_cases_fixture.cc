// What a statement reads from, and how it asks the server to read it.
#include "db/tsql_cases_fixture.h"

#include <array>

namespace toolpost::db {
namespace {

TsqlCases OtherServers() {
  return {
      "OtherServers",
      {
          {"SELECT * FROM OPENROWSET('SQLNCLI', 'Server=x', 'SELECT 1')", "OPENROWSET is not"},
          {"SELECT * FROM OpenRowset(BULK 'c:\\x', SINGLE_CLOB) x", "OPENROWSET is not"},
          {"SELECT * FROM [OPENROWSET]('x', 'y', 'z')", "OPENROWSET is not allowed"},
          {"SELECT * FROM OPENQUERY(srv, 'DROP TABLE t')", "OPENQUERY is not allowed"},
          {"SELECT * FROM \"openquery\"(srv, 'x')", "openquery is not allowed"},
          {"SELECT * FROM OPENDATASOURCE('a', 'b').d.s.t", "OPENDATASOURCE is not allowed"},
          {"SELECT * FROM OPENXML(@p, '/a')", "OPENXML is not allowed"},
          {"SELECT * FROM PREDICT(MODEL = @p, DATA = t AS d) WITH (x float) AS p", "outside"},
          {"SELECT AI_GENERATE_EMBEDDINGS(a USE MODEL m) FROM t", "outside"},
          {"SELECT * FROM AI_GENERATE_CHUNKS(SOURCE = 'x')", "outside"},
          {"SELECT * FROM fn_trace_gettable('x.trc', 1)", "files of the server"},
          {"SELECT * FROM sys.fn_get_audit_file('x', NULL, NULL)", "files of the server"},
          {"SELECT * FROM sys.[fn_xe_file_target_read_file]('x', 'y', NULL, NULL)",
           "files of the server"},
          {"SELECT * FROM sys.dm_os_file_exists('c:\\x')", "files of the server"},
          {"SELECT * FROM sys.dm_os_enumerate_filesystem('c:\\', '*')", "files of the server"},
          {"SELECT * FROM fn_dblog(NULL, NULL)", "transaction log"},
          {"SELECT * FROM fn_dump_dblog(1, 2)", "transaction log"},
          {"SELECT * FROM sys.dm_server_registry", "registry"},
          {"SELECT * FROM ::fn_dblog(NULL, NULL)", ":: is not allowed"},
          {"SELECT dbo.type::Run('x')", ":: is not allowed"},
          {"SELECT [mytype]::Run('x')", ":: is not allowed"},
          {"SELECT ::x()", ":: is not allowed"},
          {"SELECT evil.geometry::Run('x')", ":: is not allowed"},
          {"SELECT dbo.[hierarchyid]::Run('x')", ":: is not allowed"},
          {"SELECT * FROM t, OPENROWSET(BULK 'x', SINGLE_BLOB) AS b", "OPENROWSET is not allowed"},
      },
      {
          "SELECT 'OPENROWSET(BULK ''x'')'",
          "SELECT [openrowset] FROM t",
          "SELECT openquery_count FROM t",
          "SELECT * FROM OPENJSON(@p)",
          "SELECT * FROM OPENJSON(@p) WITH (id int '$.id', n nvarchar(max) '$.n' AS JSON) AS j",
          "SELECT j.id FROM t CROSS APPLY OPENJSON(t.a, '$.x') WITH (id int) j",
          "SELECT * FROM STRING_SPLIT('a,b', ',')",
          "SELECT * FROM GENERATE_SERIES(1, 5)",
          "SELECT * FROM CONTAINSTABLE(t, a, 'x') AS c",
          "SELECT * FROM FREETEXTTABLE(dbo.t, (a, b), 'x', 10)",
          "SELECT * FROM CHANGETABLE(CHANGES dbo.t, 5) AS c",
          "SELECT predicted, predict FROM t",
          "SELECT t.predict FROM t WHERE predict > 1",
          "SELECT ai_score FROM t",
          "SELECT fn_dblog FROM t",
          "SELECT * FROM fn_helpcollations()",
          "SELECT * FROM sys.fn_listextendedproperty(NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
          "SELECT * FROM sys.dm_os_host_info",
          "SELECT geometry::STGeomFromText('POINT(1 2)', 0).STX",
          "SELECT geography::Point(1, 2, 4326), [hierarchyid]::Parse('/1/')",
          "SELECT hierarchyid::GetRoot().ToString()",
          "SELECT '::' AS a",
          "SELECT sys.geometry::Point(1, 2, 0)",
          "SELECT [sys].geography::Parse('POINT(1 2)')",
          "SELECT dbo.ai(1), dbo.open_orders(2)",
      }};
}

TsqlCases Names() {
  return {"Names",
          {
              {"SELECT * FROM srv.db.dbo.t", "four parts"},
              {"SELECT * FROM [srv].[db].[dbo].[t]", "four parts"},
              {"SELECT * FROM srv.db..t", "four parts"},
              {"SELECT * FROM srv...t", "four parts"},
              {"SELECT * FROM srv . db /* x */ . dbo . t", "four parts"},
              {"SELECT a.b.c.d FROM t", "four parts"},
              {"SELECT * FROM a.b.c.d.e", "four parts"},
              {"SELECT srv.db.dbo.f(1)", "four parts"},
              {"SELECT * FROM hr.dbo.t", "The database hr"},
              {"SELECT * FROM [hr].dbo.t", "The database hr"},
              {"SELECT * FROM hr..t", "The database hr"},
              {"SELECT * FROM a JOIN hr.dbo.t ON 1=1", "The database hr"},
              {"SELECT * FROM a, hr.dbo.t", "The database hr"},
              {"SELECT * FROM a JOIN b ON a.x = b.x, hr.dbo.t", "The database hr"},
              {"SELECT * FROM (a CROSS JOIN hr.dbo.t)", "The database hr"},
              {"SELECT * FROM a CROSS APPLY hr.dbo.f(1)", "The database hr"},
              {"SELECT hr.dbo.f(1)", "The database hr"},
              {"SELECT (SELECT max(a) FROM hr.dbo.t)", "The database hr"},
              {"WITH x AS (SELECT a FROM hr.dbo.t) SELECT a FROM x", "The database hr"},
              {"SELECT * FROM CONTAINSTABLE(hr.dbo.t, a, 'x') c", "The database hr"},
              {"SELECT * FROM CHANGETABLE(CHANGES hr.dbo.t, 5) AS c", "The database hr"},
              {"SELECT * FROM a FOR SYSTEM_TIME ALL, hr.dbo.t", "The database hr"},
              {"SELECT * FROM a JOIN b ON STRING_AGG(x, 1) WITHIN GROUP (ORDER BY x) = 1, hr.dbo.t",
               "The database hr"},
              {"SELECT * FROM a WITH (NOLOCK), hr.dbo.t", "The database hr"},
              {"SELECT hr.dbo.value(1)", "The database hr"},
              {"SELECT hr.[dbo].query('x')", "The database hr"},
              {"SELECT * FROM hr.x.query('y')", "The database hr"},
              {"SELECT * FROM t CROSS APPLY hr.dbo.nodes('/a')", "The database hr"},
              {"SELECT srv.hr.dbo.value(1)", "four parts"},
              {"SELECT * FROM ..t", "dot that joins no names"},
              {"SELECT * FROM .dbo.t", "dot that joins no names"},
              {"SELECT t. FROM t", "FROM is not allowed as a name"},
          },
          {
              "SELECT * FROM t",
              "SELECT * FROM dbo.t",
              "SELECT * FROM sales.dbo.t",
              "SELECT * FROM SALES.dbo.t",
              "SELECT * FROM [Sales].[dbo].[t]",
              "SELECT * FROM sales..t",
              "SELECT sales.dbo.f(1)",
              "SELECT * FROM a, sales.dbo.t",
              "SELECT * FROM sales.sys.tables",
              "SELECT * FROM [a.b.c.d]",
              "SELECT * FROM dbo.[a.b.c]",
              "SELECT 'srv.db.dbo.t'",
              "SELECT dbo.t.a FROM dbo.t",
              "SELECT dbo.t.a FROM dbo.t JOIN dbo.u ON dbo.t.a = dbo.u.a",
              "SELECT a FROM dbo.t WHERE dbo.t.a > 1 ORDER BY dbo.t.a",
              "SELECT t.*, dbo.u.* FROM t, dbo.u",
              "SELECT t . a FROM t",
              "SELECT 1.5 + .5",
              "SELECT * FROM INFORMATION_SCHEMA.TABLES",
              "SELECT * FROM sys.tables t JOIN sys.columns c ON c.object_id = t.object_id",
              "SELECT a.x.value('.', 'int') FROM a",
              "SELECT * FROM (a CROSS JOIN b)",
              "SELECT * FROM ((a JOIN b ON 1=1) JOIN c ON 2=2)",
              "SELECT * FROM a LEFT OUTER JOIN b ON a.x = b.x FULL JOIN c ON c.y = b.y",
              "SELECT * FROM a FOR SYSTEM_TIME AS OF '2020-01-01' AS x, b",
              "SELECT * FROM a FOR SYSTEM_TIME FROM '2020' TO '2021'",
              "SELECT n1.a FROM n1, e1, n2 WHERE MATCH(n1-(e1)->n2)",
              "SELECT t.x.value('.', 'int'), dbo.t.x.query('/a') FROM dbo.t",
              "SELECT dbo.value(1), dbo.query(2)",
              "SELECT * FROM t CROSS APPLY t.x.nodes('/a') AS n(c)",
              "SELECT sp_1.a FROM t sp_1 JOIN u AS xp_2 ON sp_1.a = xp_2.a",
              "SELECT c.name, c.precision, precision FROM sys.columns c",
              "SELECT CAST(a AS double precision) FROM t",
              "SELECT TRIM('.' FROM dbo.t.a), TRIM(LEADING '0' FROM sp_price) FROM dbo.t",
          }};
}

TsqlCases Secrets() {
  return {
      "Secrets",
      {
          {"SELECT * FROM sys.sql_logins", "secrets"},
          {"SELECT password_hash FROM SYS.SQL_LOGINS", "secrets"},
          {"SELECT * FROM [sys].\"sql_logins\"", "secrets"},
          {"SELECT * FROM sales.sys.sql_logins", "secrets"},
          {"SELECT * FROM sys.syslogins", "secrets"},
          {"SELECT * FROM syslogins", "secrets"},
          {"SELECT * FROM sales..syslogins", "secrets"},
          {"SELECT * FROM sales.dbo.syslogins", "secrets"},
          {"SELECT * FROM sys.credentials", "secrets"},
          {"SELECT * FROM sys.linked_logins", "secrets"},
          {"SELECT * FROM sys.server_principals", "secrets"},
          {"SELECT * FROM t JOIN sys.sql_logins l ON 1=1", "secrets"},
          {"SELECT LOGINPROPERTY('sa', 'PasswordHash')", "secrets"},
          {"SELECT PWDCOMPARE('x', 0x01)", "secrets"},
          {"SELECT CERTPRIVATEKEY(1, 'x')", "secrets"},
          {"SELECT * FROM sys.dm_exec_sql_text(0x01)", "other sessions"},
          {"SELECT * FROM sys.dm_exec_requests r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle)",
           "other sessions"},
          {"SELECT * FROM sys.dm_exec_query_stats", "other sessions"},
          {"SELECT * FROM sys.dm_exec_input_buffer(1, 0)", "other sessions"},
          {"SELECT * FROM sys.query_store_query_text", "other sessions"},
          {"SELECT * FROM sys.syscacheobjects", "other sessions"},
          {"SELECT sql FROM syscacheobjects", "other sessions"},
          {"SELECT target_data FROM sys.dm_xe_session_targets", "other sessions"},
          {"SELECT * FROM sys.dm_pdw_exec_requests", "other sessions"},
          {"SELECT * FROM sys.key_encryptions", "encrypted keys"},
          {"SELECT * FROM sys.column_encryption_key_values", "encrypted keys"},
      },
      {
          "SELECT * FROM credentials",
          "SELECT credentials FROM employees",
          "SELECT * FROM dbo.credentials",
          "SELECT * FROM app.sql_logins",
          "SELECT sql_logins FROM t",
          "SELECT 'sys.sql_logins'",
          "SELECT 1 AS [sys.sql_logins]",
          "SELECT * FROM sys.database_principals",
          "SELECT * FROM sys.objects",
          "SELECT * FROM sys.databases",
          "SELECT * FROM sys.sql_modules",
          "SELECT * FROM sys.dm_db_partition_stats",
          "SELECT * FROM sys.dm_exec_sessions",
          "SELECT * FROM sys.dm_exec_requests",
          "SELECT * FROM sales.sys.objects",
          "SELECT SERVERPROPERTY('ProductVersion'), DATABASEPROPERTYEX('x', 'Status')",
          "SELECT login, password FROM app_users",
          "SELECT loginproperty FROM t",
          "SELECT HASHBYTES('SHA2_256', a) FROM t",
          "SELECT * FROM dbo.key_encryptions",
          "SELECT name FROM sys.symmetric_keys",
          "SELECT * FROM sys.dm_xe_sessions",
          "SELECT 'syscacheobjects'",
          "SELECT syscacheobjects_count FROM t",
          "SELECT * FROM sys.sysobjects",
          "SELECT SUSER_SNAME(), IS_SRVROLEMEMBER('sysadmin'), HAS_PERMS_BY_NAME(NULL, NULL, 'x')",
      }};
}

TsqlCases Hints() {
  TsqlCases cases{
      "Hints",
      {
          {"SELECT * FROM t WITH (NOLOCK, TABLOCKX)", "TABLOCKX is not allowed"},
          {"SELECT * FROM t (TABLOCKX)", "takes locks"},
          {"SELECT * FROM t ([TABLOCKX])", "takes locks"},
          {"SELECT * FROM t x (UPDLOCK)", "takes locks"},
          {"SELECT * FROM t HOLDLOCK", "takes locks"},
          {"SELECT * FROM t WITH (KEEPIDENTITY)", "KEEPIDENTITY is not allowed"},
          {"SELECT * FROM t WITH ([NOLOCK])", "[NOLOCK] is not allowed"},
          {"SELECT * FROM t WITH ()", "hint ) is not allowed"},
          {"SELECT * FROM t WITH (NOLOCK", "hint its end is not allowed"},
          {"SELECT * FROM t WITH (INDEX)", "INDEX is not allowed"},
          {"SELECT * FROM t WITH (INDEX((SELECT 1)))", "INDEX is not allowed"},
          {"SELECT * FROM t WITH (FORCESEEK(ix(a)), XLOCK)", "XLOCK is not allowed"},
          {"SELECT * FROM t WITH NOLOCK", "WITH is not allowed here"},
          {"SELECT 1 WITH (NOLOCK)", "WITH is not allowed here"},
          {"SELECT * FROM t TABLESAMPLE (1 PERCENT) WITH (XLOCK)", "XLOCK is not allowed"},
      },
      {
          "SELECT * FROM t WITH (NOLOCK)",
          "SELECT * FROM t (NOLOCK)",
          "SELECT * FROM t AS x WITH(nolock) WHERE x.a = 1",
          "SELECT * FROM t WITH (READUNCOMMITTED), u WITH (READPAST)",
          "SELECT * FROM t WITH (READCOMMITTED) JOIN u WITH (NOLOCK) ON 1=1",
          "SELECT * FROM t WITH (INDEX(ix))",
          "SELECT * FROM t WITH (INDEX(ix, 2), FORCESEEK)",
          "SELECT * FROM t WITH (INDEX = [ix])",
          "SELECT * FROM t WITH (INDEX = (ix))",
          "SELECT * FROM t WITH (FORCESEEK(ix(a, b)))",
          "SELECT * FROM t WITH (FORCESCAN NOLOCK)",
          "SELECT * FROM v WITH (NOEXPAND, NOWAIT)",
          "SELECT * FROM t WITH (SNAPSHOT)",
          "SELECT * FROM t TABLESAMPLE SYSTEM (1 PERCENT) REPEATABLE (5) WITH (NOLOCK)",
          "WITH x AS (SELECT * FROM t WITH (NOLOCK)) SELECT * FROM x",
          "SELECT 'TABLOCKX', tablockxs, locks FROM t",
          "SELECT * FROM a INNER MERGE JOIN b ON 1=1",
          "SELECT * FROM a LEFT OUTER HASH JOIN b ON 1=1",
          "SELECT * FROM a INNER LOOP JOIN b ON 1=1",
          "SELECT 'UPDLOCK' AS [xlocks]",
      }};
  constexpr std::array<const char*, 9> kLocks = {"UPDLOCK",  "XLOCK",        "TABLOCK",
                                                 "TABLOCKX", "PAGLOCK",      "ROWLOCK",
                                                 "HOLDLOCK", "SERIALIZABLE", "REPEATABLEREAD"};
  for (const std::string lock : kLocks) {
    cases.refused.push_back({"SELECT * FROM t WITH (" + lock + ")", lock});
    cases.allowed.push_back("SELECT '" + lock + "' AS a_" + lock + " FROM t WITH (NOLOCK)");
  }
  return cases;
}

TsqlCases Options() {
  return {"Options",
          {
              {"SELECT 1 OPTION (QUERYTRACEON 4199)", "QUERYTRACEON is not allowed"},
              {"SELECT 1 OPTION (USE PLAN N'<x/>')", "query hint USE is not allowed"},
              {"SELECT 1 OPTION (MAXRECURSION 0)", "MAXRECURSION is not allowed"},
              {"SELECT 1 OPTION (MAXRECURSION 32767)", "MAXRECURSION is not allowed"},
              {"SELECT 1 OPTION (TABLE HINT (t, XLOCK))", "TABLE is not allowed"},
              {"SELECT 1 OPTION (RECOMPILE, BOGUS)", "BOGUS is not allowed"},
              {"SELECT 1 OPTION (RECOMPILE BOGUS)", "RECOMPILE is not allowed"},
              {"SELECT 1 OPTION (MAXDOP @p)", "MAXDOP is not allowed"},
              {"SELECT 1 OPTION ()", "hint ) is not allowed"},
              {"SELECT 1 OPTION (RECOMPILE", "query hint RECOMPILE is not allowed"},
              {"SELECT 1 OPTION RECOMPILE", "OPTION is not allowed here"},
              {"SELECT 1 OPTION (RECOMPILE) DELETE t", "Nothing is allowed after OPTION"},
              {"SELECT 1 OPTION (RECOMPILE) SELECT 2", "Nothing is allowed after OPTION"},
              {"SELECT (SELECT 1 OPTION (RECOMPILE))", "OPTION is not allowed here"},
              {"SELECT 1 OPTION (USE HINT ('a b'))", "query hint USE is not allowed"},
              {"SELECT 1 OPTION (USE HINT ())", "query hint USE is not allowed"},
              {"SELECT 1 USE HINT ('X')", "USE is not allowed"},
              {"SELECT 1 MERGE JOIN t", "MERGE is not allowed here"},
              {"SELECT 1 MERGE UNION", "MERGE is not allowed here"},
              {"SELECT 1 OPTION (OPTIMIZE FOR (@p))", "OPTIMIZE is not allowed"},
              {"SELECT 1 OPTION (OPTIMIZE FOR (@p = (SELECT 1)))", "OPTIMIZE is not allowed"},
              {"SELECT 1 OPTION (OPTIMIZE FOR (@p = 1)", "OPTIMIZE is not allowed"},
              {"SELECT 1 OPTION (MIN_GRANT_PERCENT = 100)", "MIN_GRANT_PERCENT is not allowed"},
              {"SELECT 1 OPTION (MAX_GRANT_PERCENT 10)", "MAX_GRANT_PERCENT is not allowed"},
          },
          {
              "SELECT 1 OPTION (RECOMPILE)",
              "SELECT 1 OPTION (RECOMPILE);",
              "SELECT 1 OPTION (MAXDOP 1)",
              "SELECT 1 option (maxdop 0, recompile)",
              "WITH x AS (SELECT 1 AS a) SELECT a FROM x OPTION (MAXRECURSION 1000)",
              "SELECT 1 OPTION (FAST 10)",
              "SELECT 1 OPTION (FORCE ORDER)",
              "SELECT 1 OPTION (HASH JOIN, MERGE JOIN, LOOP JOIN)",
              "SELECT 1 OPTION (HASH GROUP)",
              "SELECT 1 OPTION (ORDER GROUP)",
              "SELECT 1 OPTION (MERGE UNION)",
              "SELECT 1 OPTION (CONCAT UNION, HASH UNION)",
              "SELECT 1 OPTION (USE HINT ('DISABLE_OPTIMIZER_ROWGOAL'))",
              "SELECT 1 OPTION (USE HINT (N'A_B', 'C1'), MAXDOP 2)",
              "SELECT 1 OPTION (OPTIMIZE FOR UNKNOWN)",
              "SELECT @p OPTION (OPTIMIZE FOR (@p UNKNOWN))",
              "SELECT @p OPTION (OPTIMIZE FOR (@p = 5, @id UNKNOWN), RECOMPILE)",
              "SELECT @p OPTION (OPTIMIZE FOR (@p = N'x'))",
              "SELECT 1 OPTION (MAX_GRANT_PERCENT = 10)",
              "SELECT 1 OPTION (ROBUST PLAN)",
              "SELECT 1 OPTION (KEEPFIXED PLAN)",
              "SELECT 1 OPTION (EXPAND VIEWS, NO_PERFORMANCE_SPOOL)",
              "SELECT a FROM t ORDER BY a OPTION (RECOMPILE) -- done",
              "SELECT 'OPTION (QUERYTRACEON 1)', [option] FROM t",
          }};
}

TsqlCases Variables() {
  return {"Variables",
          {
              {"SELECT @other", "variable @other"},
              {"SELECT @", "@ without a name"},
              {"SELECT * FROM @t", "variable @t"},
              {"SELECT @pp, @p", "variable @pp"},
              {"SELECT @@bogus", "variable @@bogus"},
              {"SELECT @p@p", "variable @p@p"},
              {"SELECT * FROM #t", "temporary table #t"},
              {"SELECT * FROM ##t", "temporary table ##t"},
              {"SELECT * FROM [#t]", "no temporary tables"},
              {"SELECT * FROM tempdb..#t", "tempdb"},
              {"SELECT # FROM t", "# without a name"},
          },
          {
              "SELECT @p",
              "SELECT @P + @Id",
              "SELECT a FROM t WHERE a = @p OR a IN (@id, @p)",
              "SELECT TOP (@p) a FROM t",
              "SELECT '@other', [@other] FROM t",
              "SELECT @@VERSION, @@servername, @@SPID, @@TRANCOUNT",
              "SELECT @@ROWCOUNT",
              "SELECT a#b, [#], a# FROM t",
              "SELECT 'x#y' AS [no. #]",
              "SELECT @p.value('.', 'int')",
              "SELECT 'someone@example.com'",
          }};
}

}  // namespace

std::vector<TsqlCases> TsqlSourceCases() {
  return {OtherServers(), Names(), Secrets(), Hints(), Options(), Variables()};
}

std::vector<TsqlCases> AllTsqlCases() {
  std::vector<TsqlCases> all;
  for (const auto& part : {TsqlLexicalCases(), TsqlStatementCases(), TsqlSourceCases()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Result<void> GuardedTsql(std::string_view sql) {
  static constexpr std::string_view kParameters[] = {"p", "id"};
  static const std::string kDatabases[] = {"sales"};
  return GuardTsqlStatement(sql, {.parameters = kParameters, .databases = kDatabases});
}

}  // namespace toolpost::db
