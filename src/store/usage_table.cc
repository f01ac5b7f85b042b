// Multi-row inserts, and reading back.
#include "store/usage_table.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "store/columns.h"

namespace toolpost::store {
namespace {

using db::Row;
using db::Sql;
using db::Value;

constexpr std::int64_t kHighestLimit = 10'000;
constexpr std::size_t kColumns = 8;
// Few: SQLite looks for each parameter among all the others. The statement stays prepared.
constexpr std::size_t kRowsPerStatement = 16;
constexpr std::int64_t kRemovedAtOnce = 10'000;

std::string InsertStatement(std::size_t rows) {
  std::string statement =
      "INSERT INTO toolpost_usage (key_id, user_id, at, resource, method, address, user_agent, "
      "count) "
      "VALUES ";
  for (std::size_t parameter = 1; parameter <= rows * kColumns; ++parameter) {
    const bool first = parameter % kColumns == 1, last = parameter % kColumns == 0;
    if (first) statement += parameter == 1 ? "(" : ", (";
    base::AppendPiece(statement, '$');
    base::AppendPiece(statement, parameter);
    statement += last ? ")" : ", ";
  }
  return statement;
}

Result<void> InsertRows(Sql& sql, const std::vector<Usage>& entries) {
  for (std::size_t begin = 0; begin < entries.size(); begin += kRowsPerStatement) {
    const std::size_t rows = std::min(kRowsPerStatement, entries.size() - begin);
    std::vector<Value> parameters;
    parameters.reserve(rows * kColumns);
    for (std::size_t at = begin; at < begin + rows; ++at) {
      const Usage& entry = entries[at];
      parameters.insert(parameters.end(),
                        {entry.key_id, entry.user_id, FromTime(entry.at), entry.resource,
                         entry.method, entry.address, entry.user_agent, entry.count});
    }
    RETURN_IF_ERROR(sql.Execute(InsertStatement(rows), parameters));
  }
  return {};
}

// In the order of ids, so that two writers do not lock the same keys crosswise.
Result<void> UpdateLastUsed(Sql& sql, const std::vector<Usage>& entries) {
  std::map<std::string_view, base::WallTime> last_used;
  for (const Usage& entry : entries) {
    base::WallTime& last = last_used.try_emplace(entry.key_id, entry.at).first->second;
    last = std::max(last, entry.at);
  }
  for (const auto& [key_id, at] : last_used) {
    RETURN_IF_ERROR(
        sql.Execute("UPDATE toolpost_api_keys SET last_used = $2 WHERE id = $1 AND "
                    "(last_used IS NULL OR last_used < $2)",
                    {std::string(key_id), FromTime(at)}));
  }
  return {};
}

Usage ToUsage(const Row& row) {
  return {.id = db::IntegerOr(row[0], 0),
          .key_id = db::TextOr(row[1], ""),
          .user_id = db::TextOr(row[2], ""),
          .at = ToTime(row[3]),
          .resource = db::TextOr(row[4], ""),
          .method = db::TextOr(row[5], ""),
          .address = db::TextOr(row[6], ""),
          .user_agent = db::TextOr(row[7], ""),
          .count = db::IntegerOr(row[8], 1)};
}

}  // namespace

Result<void> InsertUsage(Store& store, const std::vector<Usage>& entries) {
  return store.With([&](Sql& borrowed) {
    return borrowed.InTransaction(
        [&](Sql& sql) -> Result<void> {
          RETURN_IF_ERROR(InsertRows(sql, entries));
          return UpdateLastUsed(sql, entries);
        },
        db::Durability::kSoon);  // entries have waited in memory for a second
  });
}

Result<void> RemoveUsageBefore(Store& store, base::WallTime time) {
  if (!store.Exists()) return {};
  for (bool more = true; more;) {
    RETURN_IF_ERROR(store.With([&](Sql& sql) -> Result<void> {
      ASSIGN_OR_RETURN(const auto removed,
                       sql.Execute("DELETE FROM toolpost_usage WHERE id IN (SELECT id FROM "
                                   "toolpost_usage WHERE at < $1 ORDER BY at LIMIT $2)",
                                   {FromTime(time), kRemovedAtOnce}));
      more = removed == kRemovedAtOnce;
      return {};
    }));
  }
  return {};
}

Result<std::vector<Usage>> SelectUsage(Store& store, UsageOf whose, std::string_view id,
                                       std::int64_t limit) {
  if (limit < 1 || limit > kHighestLimit) {
    return Error::InvalidParams(base::StrCat("limit must be from 1 to ", kHighestLimit));
  }
  std::vector<Usage> entries;
  if (!store.Exists()) return entries;
  RETURN_IF_ERROR(store.With([&](Sql& sql) -> Result<void> {
    const std::string_view column = whose == UsageOf::kKey ? "key_id" : "user_id";
    ASSIGN_OR_RETURN(
        const auto rows,
        sql.Query(base::StrCat("SELECT id, key_id, user_id, at, resource, method, address, "
                               "user_agent, count FROM toolpost_usage WHERE ",
                               column, " = $1 ORDER BY at DESC, id DESC LIMIT $2"),
                  {std::string(id), limit}));
    entries.reserve(rows.size());
    for (const Row& row : rows) entries.push_back(ToUsage(row));
    return {};
  }));
  return entries;
}

void MakeStorable(std::string& text, std::size_t longest) {
  std::size_t kept = 0;
  while (kept < text.size()) {
    std::size_t length = base::Utf8SequenceLength(text.data() + kept, text.data() + text.size());
    if (length == 0 || text[kept] == '\0') {
      text[kept] = '?';
      length = 1;
    }
    if (kept + length > longest) break;
    kept += length;
  }
  text.resize(kept);
}

}  // namespace toolpost::store
