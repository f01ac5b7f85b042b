// Tables and whole results as resources.
#include <algorithm>
#include <string>
#include <utility>

#include "auth/policy.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/run_query.h"
#include "tools/database/table_view.h"

namespace toolpost::tools::database {
namespace {

constexpr std::size_t kMostCompletions = 100;
constexpr int kMostPages = 20;  // of names that are like those wanted

// Reading a resource is calling the tool by another name.
std::optional<Error> Refused(const Principal& principal, std::string_view tool) {
  const ToolInfo info{.name = std::string(tool),
                      .toolset = "database",
                      .permissions = {"read"},
                      .hints = {.read_only = true}};
  return auth::Refusal(principal, info);
}

std::string Variable(const std::map<std::string, std::string, std::less<>>& variables,
                     std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

Result<ResourceContents> ReadTable(const DatabaseServices& services, const UriVariables& variables,
                                   CallContext& context) {
  if (auto refused = Refused(context.principal(), "database/schema")) return *std::move(refused);
  const db::Patience patience = PatienceOf(services, context);
  ASSIGN_OR_RETURN(const auto database, services.connections->Use(Variable(variables, "connection"),
                                                                  context.principal(), patience));
  const std::vector<std::string> names = {Variable(variables, "table")};
  const std::string schema = Variable(variables, "schema");
  ASSIGN_OR_RETURN(const std::vector<db::TableDetails> found,
                   database->Describe(SchemaOf(*database, schema), names, patience));
  if (found.empty()) return Error::NotFound("There is no such table");
  return ResourceContents{.mime_type = {}, .data = base::ToJson(Encode(ViewOf(found.front())))};
}

Result<std::shared_ptr<const base::LongText>> ReadResult(const DatabaseServices& services,
                                                         const UriVariables& variables,
                                                         CallContext& context) {
  if (auto refused = Refused(context.principal(), "database/query")) return *std::move(refused);
  const auto kept = services.links->Get(context.principal(), Variable(variables, "id"));
  if (!kept) {
    return Error{
        Code::kResourceNotFound, "There is no such result (any more): run the query again", {}};
  }
  return RunExport(services, *kept, context);
}

// As a LIKE pattern that matches what starts with it, and a little more: the engines share no way
// to escape a character, so that any other may stand in its place.
std::string Prefix(std::string_view text) {
  std::string pattern(text);
  for (char& c : pattern) c = c == '%' || c == '\\' ? '_' : c;
  return pattern + "%";
}

Result<Completion> Complete(const DatabaseServices& services, std::string_view argument,
                            std::string_view value,
                            const std::map<std::string, std::string, std::less<>>& known,
                            const Principal& principal) {
  Completion completion;
  const auto offer = [&](const std::string& text) {
    if (text.starts_with(value)) completion.values.push_back(text);
  };
  if (argument == "connection") {
    for (const auto& each : services.connections->For(principal)) offer(each->name);
    return completion;
  }
  if (Refused(principal, "database/tables")) return completion;
  const auto database = services.connections->Use(Variable(known, "connection"), principal);
  if (!database) return completion;  // no connection yet, or not theirs: nothing to propose
  const std::string schema = Variable(known, "schema");
  db::TableFilter filter;
  if (argument == "schema") {
    filter.limit = 1;
    if (const auto page = (*database)->Tables(filter)) {
      for (const std::string& name : page->schemas) offer(name);
    }
    return completion;
  }
  filter.schema = SchemaOf(**database, schema);
  filter.pattern = Prefix(value);
  filter.limit = kMostCompletions + 1;
  bool more = true;
  for (int pages = 0; more && completion.values.size() <= kMostCompletions; ++pages) {
    const auto page = (*database)->Tables(filter);
    if (!page) break;  // a call will say why
    for (const db::TableSummary& table : page->tables) offer(table.name);
    more = page->more && pages < kMostPages;
    if (more) filter.after = page->tables.back().name;
  }
  if (completion.values.size() > kMostCompletions) {
    completion.values.resize(kMostCompletions);
    completion.total = kMostCompletions + 1;
  }
  return completion;
}

}  // namespace

Result<void> AddResources(const DatabaseHost& host, const DatabaseServices& services) {
  ResourceInfo results;
  results.uri = base::StrCat(ResultLinks::kUriPrefix, "{id}");
  results.name = "query_results";
  results.title = "Whole query results";
  results.description = "All rows of a query whose reply was cut, as CSV; for who asked it.";
  results.mime_type = "text/csv";
  results.tool = "database/query";
  RETURN_IF_ERROR(host.add_long_template(
      std::move(results), [services](const UriVariables& variables, CallContext& context) {
        return ReadResult(services, variables, context);
      }));
  ResourceInfo tables;
  tables.uri = "database://{connection}/{schema}/{table}";
  tables.name = "tables";
  tables.title = "Tables";
  tables.description = "Columns, keys, indexes and checks of a table.";
  tables.mime_type = "application/json";
  tables.tool = "database/schema";
  return host.add_template(
      std::move(tables),
      [services](std::string_view, const UriVariables& variables, CallContext& context) {
        return ReadTable(services, variables, context);
      },
      [services](std::string_view argument, std::string_view value, const auto& known,
                 const Principal& principal) {
        return Complete(services, argument, value, known, principal);
      });
}

}  // namespace toolpost::tools::database
