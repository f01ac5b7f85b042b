// pg_query_parse() and its JSON.
#include "db/libpg_query.h"

#include <pg_query.h>

#include <memory>
#include <string>

#include "base/json_parse.h"
#include "base/lazy_library.h"
#include "base/log.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

// Two levels for each operator of a chain. The JSON parser recurses.
constexpr std::size_t kDeepestTree = 1000;

struct Library {
  decltype(pg_query_parse)* parse = nullptr;
  decltype(pg_query_free_parse_result)* free_result = nullptr;
};

Result<void> Fill(Library& table) {
  static base::LazyLibrary library("libpg_query.so.1504.0", "libpg-query1504.0");
  RETURN_IF_ERROR(library.Resolve("pg_query_parse", table.parse));
  return library.Resolve("pg_query_free_parse_result", table.free_result);
}

}  // namespace

Result<void> LoadPostgresParser() {
  RETURN_IF_ERROR(base::LoadOnce(&Fill));
  return {};
}

Result<Json> ParsePostgres(std::string_view sql, boost::json::storage_ptr storage) {
  ASSIGN_OR_RETURN(const Library* library, base::LoadOnce(&Fill));
  const PgQueryParseResult parsed = library->parse(std::string(sql).c_str());
  const auto free_result = [&](const PgQueryParseResult* result) { library->free_result(*result); };
  const std::unique_ptr<const PgQueryParseResult, decltype(free_result)> owner(&parsed,
                                                                               free_result);
  if (parsed.error != nullptr) {
    return Error::InvalidParams(base::StrCat(
        "The statement is not valid PostgreSQL (15): ",
        std::string_view(parsed.error->message != nullptr ? parsed.error->message : "error"),
        parsed.error->cursorpos > 0 ? base::StrCat(" (character ", parsed.error->cursorpos, ")")
                                    : std::string()));
  }
  Result<Json> tree = base::ParseJson(parsed.parse_tree, std::move(storage), kDeepestTree);
  if (!tree) {
    base::Log(base::Severity::kDebug, "statement tree refused", {{"detail", tree.error().message}});
    return Error::InvalidParams(
        "The statement nests too deeply: split it, or replace long chains of operators");
  }
  return tree;
}

}  // namespace toolpost::db
