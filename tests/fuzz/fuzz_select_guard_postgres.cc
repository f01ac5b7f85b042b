// Any bytes as a statement: what the guard lets through has no node that writes, calls nothing that
// the policy refuses, and means the same to those who read its text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "db/select_guard_postgres.h"
#include "db/select_guard_postgres_text.h"

namespace {

using namespace toolpost::db;

void Require(bool holds) {
  if (!holds) std::abort();
}

const FunctionPolicy& ThePolicy() {
  static const FunctionPolicy* policy = [] {
    CatalogFacts facts;
    facts.search_path = {"public"};
    for (const char* name : {"lower", "count", "repeat", "generate_series", "sum", "now"}) {
      facts.functions.push_back({.schema = "pg_catalog", .name = name});
    }
    facts.functions.push_back(
        {.schema = "public", .name = "evil", .is_volatile = true, .attribute = true});
    facts.operators.push_back({.schema = "public", .name = "<!>", .is_volatile = true});
    facts.types = {"int4", "text"};
    return new FunctionPolicy(std::move(facts), {}, {});
  }();
  return *policy;
}

// Words that no accepted statement has outside literals, quoted names and comments, unless as the
// name of a column: those of statements that write, at its start.
bool StartsLikeAWriter(std::string_view sql) {
  while (!sql.empty()) {
    const SqlToken token = NextPostgresToken(sql);
    sql.remove_prefix(token.text.size());
    if (token.kind == SqlToken::Kind::kSpace || token.kind == SqlToken::Kind::kComment) continue;
    if (token.text == "(" || token.text == ";") continue;
    std::string word(token.text);
    for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    for (const char* allowed : {"select", "values", "table", "with", "explain", "show"}) {
      if (word == allowed) return false;
    }
    return true;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  std::string rebuilt;
  for (std::string_view rest = sql; !rest.empty();) {
    const SqlToken token = NextPostgresToken(rest);
    Require(!token.text.empty() && rest.starts_with(token.text));
    rebuilt += token.text;
    rest.remove_prefix(token.text.size());
  }
  Require(rebuilt == sql);
  (void)NumberParameters(sql, {{"a", 1}, {"name", "x"}});
  (void)NumberQuestionMarks(sql, 2);
  if (!CheckPostgresText(sql)) return 0;
  Require(size <= kLongestStatement);
  const auto guarded = GuardPostgresStatement(sql, ThePolicy());
  if (!guarded) {
    Require(!guarded.error().message.empty());
    return 0;
  }
  Require(!StartsLikeAWriter(sql));
  for (const RelationName& relation : guarded->relations) {
    Require(relation.schema != "pg_toast");
    Require(relation.name != "pg_authid" ||
            (!relation.schema.empty() && relation.schema != "pg_catalog"));
  }
  return 0;
}
