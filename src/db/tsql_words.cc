// The table of words.
#include "db/tsql_words.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "db/look_alike.h"

namespace toolpost::db {
namespace {

using enum TsqlWord;

struct Word {
  std::string_view spelled;
  TsqlWord word;
};

// The reserved words of SQL Server, so that none is taken for a name (but PRECISION, which
// it lets names have), and those other words that mean something here. Sorted.
constexpr Word kWords[] = {
    {"add", kRefused},
    {"all", kAll},
    {"alter", kRefused},
    {"and", kPlain},
    {"any", kPlain},
    {"apply", kApply},
    {"as", kAs},
    {"asc", kOperand},
    {"authorization", kRefused},
    {"backup", kRefused},
    {"begin", kRefused},
    {"between", kPlain},
    {"break", kRefused},
    {"browse", kRefused},
    {"bulk", kRefused},
    {"by", kPlain},
    {"cascade", kRefused},
    {"case", kCase},
    {"check", kRefused},
    {"checkpoint", kRefused},
    {"close", kRefused},
    {"clustered", kRefused},
    {"coalesce", kPlain},
    {"collate", kPlain},
    {"column", kRefused},
    {"commit", kRefused},
    {"compute", kRefused},
    {"constraint", kRefused},
    {"contains", kPlain},
    {"containstable", kPlain},
    {"continue", kRefused},
    {"conversation", kSeldomStarter},
    {"convert", kPlain},
    {"create", kRefused},
    {"cross", kPlain},
    {"current", kCurrent},
    {"current_date", kOperand},
    {"current_time", kOperand},
    {"current_timestamp", kOperand},
    {"current_user", kOperand},
    {"cursor", kRefused},
    {"database", kRefused},
    {"dbcc", kRefused},
    {"deallocate", kRefused},
    {"declare", kRefused},
    {"default", kDefault},
    {"delete", kRefused},
    {"deny", kRefused},
    {"desc", kOperand},
    {"disk", kRefused},
    {"distinct", kPlain},
    {"distributed", kRefused},
    {"double", kPlain},
    {"drop", kRefused},
    {"dump", kRefused},
    {"else", kInCase},
    {"end", kEnd},
    {"errlvl", kRefused},
    {"escape", kPlain},
    {"except", kSetOperator},
    {"exec", kRefused},
    {"execute", kRefused},
    {"exists", kPlain},
    {"exit", kRefused},
    {"external", kRefused},
    {"fetch", kFetch},
    {"file", kRefused},
    {"fillfactor", kRefused},
    {"for", kPlain},
    {"foreign", kRefused},
    {"freetext", kPlain},
    {"freetexttable", kPlain},
    {"from", kFrom},
    {"full", kPlain},
    {"function", kRefused},
    {"go", kGo},
    {"goto", kRefused},
    {"grant", kRefused},
    {"group", kClause},
    {"having", kClause},
    {"holdlock", kLockHint},
    {"identity", kRefused},
    {"identity_insert", kRefused},
    {"identitycol", kOperand},
    {"if", kRefused},
    {"in", kPlain},
    {"index", kRefused},
    {"inner", kPlain},
    {"insert", kRefused},
    {"intersect", kSetOperator},
    {"into", kRefused},
    {"is", kPlain},
    {"join", kJoin},
    {"key", kRefused},
    {"kill", kRefused},
    {"left", kPlain},
    {"like", kPlain},
    {"lineno", kRefused},
    {"load", kRefused},
    {"merge", kMerge},
    {"national", kPlain},
    {"next", kNext},
    {"nocheck", kRefused},
    {"nonclustered", kRefused},
    {"not", kPlain},
    {"null", kOperand},
    {"nullif", kPlain},
    {"of", kPlain},
    {"off", kRefused},
    {"offsets", kRefused},
    {"on", kOn},
    {"open", kRefused},
    {"opendatasource", kRefused},
    {"openquery", kRefused},
    {"openrowset", kRefused},
    {"openxml", kRefused},
    {"option", kOption},
    {"or", kPlain},
    {"order", kClause},
    {"outer", kPlain},
    {"over", kPlain},
    {"paglock", kLockHint},
    {"percent", kPlain},
    {"pivot", kPlain},
    {"plan", kRefused},
    {"primary", kRefused},
    {"print", kRefused},
    {"proc", kRefused},
    {"procedure", kRefused},
    {"public", kRefused},
    {"raiserror", kRefused},
    {"read", kRefused},
    {"readtext", kRefused},
    {"receive", kStarter},
    {"reconfigure", kRefused},
    {"references", kRefused},
    {"rename", kSeldomStarter},
    {"repeatableread", kLockHint},
    {"replication", kRefused},
    {"restore", kRefused},
    {"restrict", kRefused},
    {"return", kRefused},
    {"revert", kRefused},
    {"revoke", kRefused},
    {"right", kPlain},
    {"rollback", kRefused},
    {"rowcount", kRefused},
    {"rowguidcol", kOperand},
    {"rowlock", kLockHint},
    {"rule", kRefused},
    {"save", kRefused},
    {"schema", kRefused},
    {"securityaudit", kRefused},
    {"select", kSelect},
    {"semantickeyphrasetable", kPlain},
    {"semanticsimilaritydetailstable", kPlain},
    {"semanticsimilaritytable", kPlain},
    {"send", kSeldomStarter},
    {"serializable", kLockHint},
    {"session_user", kOperand},
    {"set", kRefused},
    {"setuser", kRefused},
    {"shutdown", kRefused},
    {"some", kPlain},
    {"statistics", kRefused},
    {"system_user", kOperand},
    {"table", kRefused},
    {"tablesample", kPlain},
    {"tablock", kLockHint},
    {"tablockx", kLockHint},
    {"textsize", kRefused},
    {"then", kInCase},
    {"throw", kStarter},
    {"to", kPlain},
    {"top", kPlain},
    {"tran", kRefused},
    {"transaction", kRefused},
    {"trigger", kRefused},
    {"truncate", kRefused},
    {"try_convert", kPlain},
    {"tsequal", kRefused},
    {"union", kSetOperator},
    {"unique", kRefused},
    {"unpivot", kPlain},
    {"update", kRefused},
    {"updatetext", kRefused},
    {"updlock", kLockHint},
    {"use", kRefused},
    {"user", kOperand},
    {"values", kValues},
    {"varying", kPlain},
    {"view", kRefused},
    {"waitfor", kRefused},
    {"when", kInCase},
    {"where", kClause},
    {"while", kRefused},
    {"with", kWith},
    {"within", kPlain},
    {"writetext", kRefused},
    {"xlock", kLockHint},
};
constexpr bool Before(const Word& a, const Word& b) { return a.spelled < b.spelled; }
static_assert(std::is_sorted(std::begin(kWords), std::end(kWords), Before));
constexpr std::size_t kLongestWord =
    std::max_element(std::begin(kWords), std::end(kWords), [](const Word& a, const Word& b) {
      return a.spelled.size() < b.spelled.size();
    })->spelled.size();

}  // namespace

TsqlWord ClassifyTsqlWord(std::string_view word) {
  if (!IsAscii(word)) {
    const bool keyword = std::any_of(std::begin(kWords), std::end(kWords), [&](const Word& each) {
      return MayEqual(word, each.spelled);
    });
    return keyword ? kRefused : kName;
  }
  std::array<char, kLongestWord> buffer{};
  if (word.size() > buffer.size()) return kName;
  std::transform(word.begin(), word.end(), buffer.begin(), [](char c) { return base::ToLower(c); });
  const std::string_view spelled(buffer.data(), word.size());
  const auto* found =
      std::lower_bound(std::begin(kWords), std::end(kWords), Word{spelled, kName}, Before);
  return found != std::end(kWords) && found->spelled == spelled ? found->word : kName;
}

}  // namespace toolpost::db
