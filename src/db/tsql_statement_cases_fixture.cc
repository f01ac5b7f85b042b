// Statements and clauses that do more than read.
#include "db/tsql_cases_fixture.h"

namespace toolpost::db {
namespace {

TsqlCases Execute() {
  return {"Execute",
          {
              {"EXEC sp_who", "begins with EXEC"},
              {"EXECUTE sp_who", "begins with EXECUTE"},
              {"exec('DROP TABLE t')", "begins with EXEC"},
              {"eXeC sp_who", "begins with EXEC"},
              {"SELECT 1 EXEC ('x') AT srv", "EXEC is not allowed"},
              {"SELECT 1 EXEC @p", "EXEC is not allowed"},
              {"SELECT 1 EXECUTE AS USER = 'dbo'", "EXECUTE is not allowed"},
              {"SELECT 1 REVERT", "REVERT is not allowed"},
              {"SELECT 1 SETUSER 'x'", "SETUSER is not allowed"},
              {"SELECT * FROM (EXEC p) x", "EXEC is not allowed"},
              {"WITH x AS (EXEC p) SELECT 1", "EXEC is not allowed"},
              {"SELECT (EXEC p)", "EXEC is not allowed"},
              {"SELECT xp_cmdshell('dir')", "procedures of the server"},
              {"SELECT [xp_cmdshell]('dir')", "procedures of the server"},
              {"SELECT dbo.xp_cmdshell('dir')", "procedures of the server"},
              {"SELECT * FROM xp_cmdshell", "procedures of the server"},
              {"SELECT \"SP_executesql\"(N'x')", "procedures of the server"},
              {"SELECT * FROM a, sp_who", "procedures of the server"},
              {"SELECT * FROM a CROSS APPLY rds_backup('x')", "procedures of the server"},
              {"SELECT * FROM a JOIN xp_dirtree ON 1=1", "procedures of the server"},
              {"SELECT * FROM sys.dm_exec_describe_first_result_set(N'EXEC p', NULL, 0)",
               "SQL from a string"},
              {"sp_executesql N'SELECT 1'", "begins with SP_EXECUTESQL"},
              {"dbo.p 1, 2", "begins with DBO"},
          },
          {
              "SELECT 'EXEC sp_who'",
              "SELECT [exec], [execute] FROM t",
              "SELECT \"EXEC\" FROM t",
              "SELECT executed, execution_time FROM t",
              "SELECT execs FROM t",
              "SELECT sp_price, xp_points FROM t",
              "SELECT t.sp_price FROM t ORDER BY sp_price",
              "SELECT a AS sp_total FROM t WHERE sp_price > 1",
              "SELECT name FROM sys.procedures WHERE name LIKE 'sp[_]%'",
              "SELECT OBJECT_DEFINITION(OBJECT_ID('dbo.sp_x'))",
              "SELECT * FROM speakers",
              "SELECT * FROM xpenses",
              "SELECT dbo.f(1), dbo.[g](2)",
              "SELECT * FROM dbo.tvf(1, DEFAULT)",
              "SELECT * FROM tvf(1) x",
              "SELECT * FROM t CROSS APPLY dbo.tvf(t.a) x",
              "SELECT * FROM t OUTER APPLY string_split(t.a, ',')",
              "SELECT p.name FROM sys.parameters p",
              "SELECT (SELECT 1)",
              "WITH x AS (SELECT 1 AS a) SELECT a FROM x",
              "SELECT * FROM (SELECT 1 AS a) x",
              "SELECT USER, CURRENT_USER, SYSTEM_USER, SESSION_USER, USER_NAME()",
              "SELECT apply, t.apply FROM t",
          }};
}

TsqlCases Changes() {
  TsqlCases cases{"Changes", {}, {}};
  // Every statement, on its own, behind a SELECT, in a derived table and in a CTE.
  for (const char* statement : {"INSERT INTO t VALUES (1)",
                                "INSERT t SELECT 1",
                                "UPDATE t SET a = 1",
                                "DELETE FROM t",
                                "DELETE t",
                                "MERGE t USING s ON 1=1 WHEN MATCHED THEN DELETE",
                                "MERGE INTO t USING s ON 1=1 WHEN MATCHED THEN DELETE",
                                "TRUNCATE TABLE t",
                                "CREATE TABLE t (a int)",
                                "CREATE OR ALTER VIEW v AS SELECT 1",
                                "ALTER TABLE t ADD a int",
                                "DROP TABLE t",
                                "DROP DATABASE d",
                                "GRANT SELECT ON t TO u",
                                "REVOKE SELECT ON t FROM u",
                                "DENY SELECT ON t TO u",
                                "BACKUP DATABASE d TO DISK = 'x'",
                                "RESTORE DATABASE d FROM DISK = 'x'",
                                "BULK INSERT t FROM 'x'",
                                "DBCC CHECKDB",
                                "KILL 55",
                                "SHUTDOWN",
                                "RECONFIGURE",
                                "CHECKPOINT",
                                "USE master",
                                "SET NOCOUNT ON",
                                "SET IDENTITY_INSERT t ON",
                                "DECLARE @x int",
                                "IF 1=1 SELECT 1",
                                "WHILE 1=1 BREAK",
                                "BEGIN SELECT 1 END",
                                "BEGIN TRAN",
                                "BEGIN TRY SELECT 1 END TRY BEGIN CATCH END CATCH",
                                "COMMIT",
                                "ROLLBACK TRANSACTION",
                                "SAVE TRAN x",
                                "GOTO x",
                                "RETURN",
                                "PRINT 'x'",
                                "RAISERROR('x', 16, 1) WITH LOG",
                                "THROW 50000, 'x', 1",
                                "ENABLE TRIGGER r ON t",
                                "DISABLE TRIGGER r ON t",
                                "READTEXT t.a @p 0 1",
                                "WRITETEXT t.a @p 'x'",
                                "UPDATETEXT t.a @p 0 0 'x'",
                                "SEND ON CONVERSATION @p MESSAGE TYPE x ('y')",
                                "RECEIVE * FROM q",
                                "MOVE CONVERSATION @p TO @id",
                                "GET CONVERSATION GROUP @p FROM q",
                                "END CONVERSATION @p",
                                "BEGIN DIALOG @p FROM SERVICE s TO SERVICE 't'",
                                "RENAME OBJECT a TO b",
                                "ADD SENSITIVITY CLASSIFICATION TO t.a WITH (LABEL='x')",
                                "LOAD DATABASE d FROM x",
                                "DUMP DATABASE d TO x",
                                "OPEN SYMMETRIC KEY k DECRYPTION BY CERTIFICATE c",
                                "CLOSE ALL SYMMETRIC KEYS",
                                "BEGIN CONVERSATION TIMER (@p) TIMEOUT = 5",
                                "BEGIN DISTRIBUTED TRANSACTION",
                                "COMMIT WORK",
                                "UPDATE STATISTICS t",
                                "ADD SIGNATURE TO p BY CERTIFICATE c",
                                "EXECUTE AS LOGIN = 'sa'",
                                "EXEC ('x') AT DATA_SOURCE s",
                                "COPY INTO t FROM 'https://x'",
                                "LINENO 5",
                                "CREATE OR ALTER PROC p AS SELECT 1",
                                "ALTER DATABASE SCOPED CONFIGURATION CLEAR PROCEDURE_CACHE",
                                "KILL QUERY NOTIFICATION SUBSCRIPTION ALL",
                                "INSERT t OUTPUT inserted.a INTO u VALUES (1)",
                                "DELETE TOP (1) t OUTPUT deleted.*",
                                "SET CONTEXT_INFO 0x01",
                                "WAITFOR TIME '23:00'"}) {
    const std::string text = statement;
    cases.refused.push_back({text, "not allowed"});
    cases.refused.push_back({"SELECT 1 " + text, "not allowed"});
    cases.refused.push_back({"SELECT a FROM t AS x\n" + text, "not allowed"});
    cases.refused.push_back({"SELECT * FROM (" + text + ") x", "not allowed"});
    cases.refused.push_back({"WITH x AS (SELECT 1 AS a) " + text, "not allowed"});
    std::string quoted;
    for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    cases.allowed.push_back("SELECT '" + quoted + "'");
    cases.allowed.push_back("SELECT 1 AS [" + text + "]");
    cases.allowed.push_back("SELECT 1 /* " + text + " */");
    cases.allowed.push_back("-- " + text + "\nSELECT 1");
    cases.allowed.push_back("WITH x AS (SELECT N'" + quoted + "' AS a) SELECT a FROM x");
  }
  return cases;
}

TsqlCases Into() {
  return {
      "Into",
      {
          {"SELECT * INTO t2 FROM t", "INTO is not allowed"},
          {"SELECT a INTO #t FROM t", "INTO is not allowed"},
          {"SELECT a FROM t WHERE CURRENT OF c", "CURRENT is not allowed"},
          {"SELECT IDENTITY(int, 1, 1) AS i FROM t", "IDENTITY is not allowed"},
          {"SELECT a FROM t FOR BROWSE", "BROWSE is not allowed"},
          {"SELECT a FROM t FOR UPDATE", "UPDATE is not allowed"},
          {"SELECT a FROM (UPDATE t SET a=1 OUTPUT inserted.a) x", "UPDATE is not allowed"},
          {"SELECT x.modify('insert <a/> into (/r)[1]') FROM t", "it changes the value"},
          {"SELECT CAST(a AS xml).modify('x') FROM t", "it changes the value"},
          {"SELECT @p.modify('x')", "it changes the value"},
          {"SELECT a FROM t COMPUTE SUM(a)", "COMPUTE is not allowed"},
          {"SELECT 1 ELSE SELECT 2", "ELSE is not allowed"},
          {"SELECT 1 END", "END is not allowed"},
          {"SELECT CASE WHEN 1=1 THEN 1 END END CONVERSATION @p", "END is not allowed"},
          {"SELECT (CASE WHEN 1=1 THEN 1) END", "CASE has no END"},
          {"SELECT CASE WHEN 1=1 THEN 1", "CASE has no END"},
          {"SELECT 1 DEFAULT", "DEFAULT is not allowed"},
          {"SELECT 1 VALUES (1)", "VALUES is not allowed"},
          {"SELECT t.key FROM t", "KEY is not allowed as a name"},
          {"SELECT key FROM t", "a column of that name is [key]"},
      },
      {
          "SELECT 'INTO'",
          "SELECT [into] FROM t",
          "SELECT t.[key], t.[into] FROM t",
          "SELECT conversation, dialog, send, rename FROM chats",
          "SELECT c.conversation FROM chats c WHERE conversation = 1 ORDER BY send",
          "SELECT [throw], [receive], t.throw, t.receive FROM t",
          "WITH send AS (SELECT 1 AS a) SELECT a FROM send",
          "SELECT CASE WHEN 1=1 THEN 1 END conversation",
          "SELECT CASE WHEN a=1 THEN 1 ELSE 2 END FROM t",
          "SELECT CASE a WHEN 1 THEN CASE b WHEN 2 THEN 3 END ELSE 4 END AS [end] FROM t",
          "SELECT (CASE WHEN (1=1) THEN (1) END)",
          "SELECT a FROM t ORDER BY CASE WHEN a=1 THEN 0 ELSE 1 END DESC",
          "SELECT SUM(a) OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t",
          "SELECT a FROM t FOR XML PATH('x'), ROOT('r'), TYPE",
          "SELECT a FROM t FOR JSON AUTO, INCLUDE_NULL_VALUES",
          "SELECT STUFF((SELECT ',' + a FROM t FOR XML PATH('')), 1, 1, '')",
          "SELECT (SELECT a FROM t FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')",
          "SELECT x.value('(/a)[1]', 'int'), t.x.query('/a'), dbo.t.x.exist('/b') FROM dbo.t",
          "SELECT c.value('@a', 'int') FROM t CROSS APPLY t.x.nodes('/a') AS n(c)",
          "SELECT CAST(a AS xml).value('.', 'int') FROM t",
          "SELECT g.STDistance(geometry::Point(1, 2, 0)) FROM t",
          "SELECT a, SUM(b) FROM t GROUP BY a WITH ROLLUP HAVING SUM(b) > 1",
          "SELECT a FROM t GROUP BY GROUPING SETS ((a), ()), CUBE(b)",
          "SELECT * FROM t PIVOT (SUM(a) FOR b IN ([x], [y])) p",
          "SELECT * FROM t UNPIVOT (v FOR k IN (a, b)) u",
          "SELECT DISTINCT TOP (5) PERCENT WITH TIES a FROM t ORDER BY a",
          "SELECT STRING_AGG(a, ',') WITHIN GROUP (ORDER BY a) FROM t",
          "SELECT a FROM t WHERE a IS NOT DISTINCT FROM dbo.t.b",
          "SELECT LEFT(a, 1), RIGHT(a, 1), COALESCE(a, b), NULLIF(a, b), CONVERT(date, a) FROM t",
          "SELECT PARSE('1' AS money USING 'en-US'), TRY_CAST(a AS decimal(38, 9)) FROM t",
      }};
}

TsqlCases CursorsAndSequences() {
  return {
      "CursorsAndSequences",
      {
          {"DECLARE c CURSOR FOR SELECT 1", "begins with DECLARE"},
          {"SELECT 1 OPEN c", "OPEN is not allowed"},
          {"SELECT 1 CLOSE c", "CLOSE is not allowed"},
          {"SELECT 1 DEALLOCATE c", "DEALLOCATE is not allowed"},
          {"SELECT 1 FETCH c", "FETCH is not allowed"},
          {"SELECT 1 FETCH NEXT FROM c", "FETCH is not allowed"},
          {"SELECT a rows FETCH NEXT FROM c", "FETCH is not allowed"},
          {"SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT FROM c", "FETCH is not allowed"},
          {"SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH c", "FETCH is not allowed"},
          {"SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT @p", "FETCH is not allowed"},
          {"SELECT CURSOR", "CURSOR is not allowed"},
          {"SELECT NEXT VALUE FOR s", "NEXT VALUE FOR"},
          {"SELECT next/**/value\nfor dbo.s", "NEXT VALUE FOR"},
          {"SELECT NEXT VALUE FOR s OVER (ORDER BY a) FROM t", "NEXT VALUE FOR"},
          {"SELECT ISNULL(NEXT VALUE FOR s, 1)", "NEXT VALUE FOR"},
          {"WAITFOR DELAY '00:00:10'", "begins with WAITFOR"},
          {"SELECT 1 WAITFOR DELAY '00:00:10'", "WAITFOR is not allowed"},
          {"SELECT 1 WAITFOR (RECEIVE * FROM q), TIMEOUT 5", "WAITFOR is not allowed"},
      },
      {
          "SELECT 'DECLARE c CURSOR'",
          "SELECT [open], [close], [cursor], [fetch] FROM t",
          "SELECT opened, closed FROM t",
          "SELECT a FROM t ORDER BY a OFFSET 10 ROWS",
          "SELECT a FROM t ORDER BY a OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY",
          "SELECT a FROM t ORDER BY a OFFSET 1 ROW FETCH FIRST 1 ROW ONLY",
          "SELECT a FROM t ORDER BY a OFFSET @p ROWS FETCH NEXT @id ROWS ONLY",
          "SELECT a FROM t ORDER BY a OFFSET (1) ROWS FETCH NEXT (SELECT 5) ROWS ONLY",
          "SELECT a FROM t ORDER BY a OFFSET (SELECT 5) ROWS",
          "SELECT next FROM t",
          "SELECT t.next, value FROM t",
          "SELECT next, value FROM t",
          "SELECT [next] value FROM t",
          "SELECT current_value FROM sys.sequences",
          "SELECT 'NEXT VALUE FOR s'",
          "SELECT LEAD(a) OVER (ORDER BY a) AS nextvalue FROM t",
          "SELECT [waitfor] FROM t",
          "SELECT 'WAITFOR DELAY ''1'''",
          "SELECT wait_type FROM sys.dm_os_wait_stats",
      }};
}

}  // namespace

std::vector<TsqlCases> TsqlStatementCases() {
  return {Execute(), Changes(), Into(), CursorsAndSequences()};
}

}  // namespace toolpost::db
