// Where a Transact-SQL statement is within one pair of parentheses, or outside of all.
#pragma once

#include <string>
#include <string_view>

#include "db/tsql_words.h"

namespace toolpost::db {

struct TsqlFrame {
  enum class Place { kExpression, kTable, kAfterTable };

  // Goes on past a keyword; `before`: the text of the token before it.
  void Pass(TsqlWord word, std::string_view before);

  Place place = Place::kExpression;
  bool in_from = false;   // a comma is followed by a table
  int cases = 0;          // without their END
  std::string called;     // the word or name before the parenthesis; empty: none
  bool cte_body = false;  // of a WITH list, or its namespaces
};

}  // namespace toolpost::db
