// Says whether a text is one reading statement of PostgreSQL, before the server sees it.
//
// Allowed are SELECT in all its forms (VALUES, TABLE, WITH … SELECT, set operations), EXPLAIN of
// such a statement, and SHOW of a few settings. The whole parse tree is visited; kinds of nodes
// that are not known to read are refused, so that nothing is let through because nobody thought of
// it. Locking clauses, SELECT INTO, data-modifying CTEs, calls the policy refuses (also those
// written as attributes), relations that hold secrets, and constants that would grow beyond all
// measure while the statement is planned are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/function_policy.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct RelationName {
  std::string schema;  // empty: found by the search path
  std::string name;
  bool operator==(const RelationName&) const = default;
};

struct GuardedStatement {
  enum class Kind { kSelect, kExplain, kShow };
  Kind kind = Kind::kSelect;
  int parameters = 0;  // the highest number of a $n
  // Tables, views and CTEs it names.
  std::vector<RelationName> relations;
  // Calls code that belongs to the database and may leave things in the session.
  bool own_code = false;
  // Leaves something that cannot be reset: the connection is not used again.
  bool keeps_state = false;
};

// `sql` is what CheckPostgresText() let through. Code::kInvalidArgument says what is not allowed
// and what is; `by_catalogue` is then set to whether the reason was what the catalogue said, or did
// not say, of a function when it was read.
Result<GuardedStatement> GuardPostgresStatement(std::string_view sql, const FunctionPolicy& policy,
                                                bool* by_catalogue = nullptr);

}  // namespace toolpost::db
