// pg_query_parse() and its JSON.
#include "db/libpg_query.h"

#include <pg_query.h>

#include <charconv>
#include <memory>
#include <string>

#include "base/json_parse.h"
#include "base/lazy_library.h"
#include "base/log.h"
#include "base/strings.h"
#include "db/select_guard_postgres_text.h"

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

std::size_t Number(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What stands at the sign of a negative integer, after brackets and comments.
std::size_t FirstNumber(std::string_view sql) {
  SqlToken token = NextPostgresToken(sql);
  while (token.kind != SqlToken::Kind::kNumber && token.text.size() < sql.size()) {
    sql.remove_prefix(token.text.size());
    token = NextPostgresToken(sql);
  }
  return Number(token.text);
}

// The library writes negative integers as if they were 0, but says where they stand.
std::string WithNegativeIntegers(std::string_view tree, std::string_view sql) {
  constexpr std::string_view kZero = R"("ival":{},"location":)";
  std::string out;
  for (std::size_t at = 0; (at = tree.find(kZero)) != std::string_view::npos;) {
    const std::string_view rest = tree.substr(at + kZero.size());
    const std::size_t location = Number(rest);
    out += tree.substr(0, at);
    out += location < sql.size() && sql[location] == '-'
               ? base::StrCat(R"("ival":{"ival":-)", FirstNumber(sql.substr(location)),
                              R"(},"location":)")
               : std::string(kZero);
    tree = rest;
  }
  return out.append(tree);
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
  Result<Json> tree = base::ParseJson(WithNegativeIntegers(parsed.parse_tree, sql),
                                      std::move(storage), kDeepestTree);
  if (!tree) {
    base::Log(base::Severity::kDebug, "statement tree refused", {{"detail", tree.error().message}});
    return Error::InvalidParams(
        "The statement nests too deeply: split it, or replace long chains of operators");
  }
  return tree;
}

}  // namespace toolpost::db
