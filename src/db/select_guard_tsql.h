// Says whether a text is one reading statement of Transact-SQL, before the server sees it.
//
// No grammar of SQL Server can be had, so this looks at tokens and refuses whatever is not known to
// read. Statements need no semicolon between them, so where a word stands proves nothing: every
// reserved word that is not of SELECT is refused wherever it stands outside of quotes (the few that
// also have a meaning in a SELECT, such as END, FETCH, MERGE and WITH, only where they have it),
// and so are THROW, RECEIVE and the like, which are not reserved; a column of that name goes in
// brackets. Functions and relations that reach files, other servers, other sessions or logins are
// refused by name, quoted or not. Also refused: `@name` that is not a parameter, temporary tables,
// names of four parts, tables and functions of other databases, hints that take locks, query hints
// outside of a list, GO, and everything TokenizeTsql() refuses.
//
// This is depth: the rights of the login are the boundary (`toolpost mssql setup-sql`), and what is
// let through still runs in a transaction that is rolled back. User-defined functions are let
// through: those written in Transact-SQL cannot change tables, but may call extended procedures. So
// are those of other databases that have the name of a method: in hr.util.query('x'), hr may be a
// table or its alias, and a server with both is not known to prefer that one. What is refused by
// the names of databases is a help; the rights of the login in them decide.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::db {

struct TsqlSurroundings {
  // The names of the parameters, without @; in any case.
  std::span<const std::string_view> parameters;
  // The databases that names of three parts may begin with, in any case. Empty: none, not even the
  // one of the connection.
  std::span<const std::string> databases;
};

// Code::kInvalidArgument names what is not allowed and says what is. The text is never changed:
// what was looked at is what is run.
Result<void> GuardTsqlStatement(std::string_view sql, const TsqlSurroundings& surroundings);

}  // namespace toolpost::db
