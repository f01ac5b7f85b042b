// Which keywords begin and end lists of tables.
#include "db/tsql_frame.h"

#include "base/strings.h"

namespace toolpost::db {

void TsqlFrame::Pass(TsqlWord word, std::string_view before) {
  const auto after = [&](std::string_view text) { return base::EqualIgnoringCase(before, text); };
  switch (word) {
    case TsqlWord::kClause:
      if (after("WITHIN")) break;  // WITHIN GROUP (ORDER BY …)
      [[fallthrough]];
    case TsqlWord::kSelect:
    case TsqlWord::kValues:
    case TsqlWord::kSetOperator:
      place = Place::kExpression;
      in_from = false;
      break;
    case TsqlWord::kFrom:
      // IS DISTINCT FROM, and TRIM(… FROM …)
      if (after("DISTINCT") || base::EqualIgnoringCase(called, "trim")) break;
      [[fallthrough]];
    case TsqlWord::kApply:
    case TsqlWord::kJoin:
      place = Place::kTable;
      in_from = true;
      break;
    case TsqlWord::kOn:
      place = Place::kExpression;
      break;
    case TsqlWord::kCase:
      ++cases;
      break;
    case TsqlWord::kEnd:
      --cases;
      break;
    default:
      break;
  }
}

}  // namespace toolpost::db
