// Record templates, forced errors and scripted answers.
#include "tools/mssql/stub_adapter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/json_parse.h"
#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kDefaultRows = 3;
constexpr std::int64_t kForcedCode = 50000;  // what SQL Server gives errors of a script

struct TemplateColumn {
  std::string_view name;
  std::string_view type;
  std::array<std::string_view, 3> samples;  // by row, again and again; empty: the row's number
};

struct RecordTemplate {
  std::string_view word;  // in the query; empty: every query
  std::span<const TemplateColumn> columns;
};

constexpr TemplateColumn kEmployees[] = {
    {"employee_id", "int", {}},
    {"full_name", "nvarchar", {"Ada Example", "Boris Sample", "Chen Mock"}},
    {"department", "nvarchar", {"Engineering", "Finance", "Support"}},
    {"hired_on", "date", {"2020-01-15", "2021-06-01", "2023-11-20"}}};
constexpr TemplateColumn kOrders[] = {
    {"order_id", "int", {}},
    {"customer", "nvarchar", {"Contoso", "Fabrikam", "Northwind"}},
    {"total", "decimal", {"19.90", "250.00", "7.45"}},
    {"ordered_at",
     "datetime2",
     {"2024-03-01T09:00:00", "2024-03-02T14:30:00", "2024-03-05T18:15:00"}}};
constexpr TemplateColumn kCustomers[] = {{"customer_id", "int", {}},
                                         {"name", "nvarchar", {"Contoso", "Fabrikam", "Northwind"}},
                                         {"country", "nvarchar", {"DE", "FR", "US"}}};
constexpr TemplateColumn kAnything[] = {
    {"id", "int", {}},
    {"name", "nvarchar", {"Sample A", "Sample B", "Sample C"}},
    {"created_at",
     "datetime2",
     {"2024-01-01T00:00:00", "2024-01-02T00:00:00", "2024-01-03T00:00:00"}}};

constexpr RecordTemplate kTemplates[] = {
    {"employee", kEmployees}, {"order", kOrders}, {"customer", kCustomers}, {"", kAnything}};

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '@' || c == '#' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool HasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsWordCharacter(text[at - 1])) &&
        (end == text.size() || !IsWordCharacter(text[end])))
      return true;
  }
  return false;
}

std::optional<std::string_view> ForcingWord(std::string_view query) {
  const std::string upper = Upper(query);
  for (const std::string_view word : {"RAISEERROR", "RAISERROR", "THROW"}) {
    if (HasWord(upper, word)) return word;
  }
  return std::nullopt;
}

Error Forced(std::string_view word) {
  const std::string message = base::StrCat("Simulated SQL Server error: the query contains ", word);
  return Error::Verbatim(message, JsonObject{{"message", message},
                                             {"code", kForcedCode},
                                             {"severity", 16},
                                             {"state", 1},
                                             {"keyword", word}});
}

const RecordTemplate& TemplateFor(std::string_view query) {
  const std::string upper = Upper(query);
  return *std::ranges::find_if(kTemplates, [&](const RecordTemplate& each) {
    return upper.find(Upper(each.word)) != std::string::npos;
  });
}

JsonArray RowOf(const RecordTemplate& record, std::size_t number) {
  JsonArray row;
  for (const TemplateColumn& column : record.columns) {
    const std::string_view sample = column.samples[number % column.samples.size()];
    row.push_back(sample.empty() ? Json(number + 1) : Json(sample));
  }
  return row;
}

JsonObject RecordSet(const RecordTemplate& record, std::size_t count) {
  JsonArray columns;
  for (const TemplateColumn& column : record.columns)
    columns.push_back(JsonObject{{"name", column.name}, {"type", column.type}});
  JsonArray rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(RowOf(record, i));
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Result<JsonArray> Scripted(const Json& answer) {
  if (answer.is_array()) return JsonArray();
  if (answer.is_string()) return Error::Verbatim(std::string(answer.get_string()), {});
  return Error::Verbatim(std::string(answer.at("message").as_string()), answer);
}

}  // namespace

std::size_t MaxRowsOf(const Json* max_rows) {
  if (max_rows == nullptr || !max_rows->is_number()) return kDefaultRows;
  const double wanted = max_rows->to_number<double>();
  if (!(wanted >= 0)) return kDefaultRows;
  return static_cast<std::size_t>(
      std::min(std::floor(wanted), static_cast<double>(std::int64_t{1} << 53)));
}

StubAdapter::StubAdapter(Script script) : script_(std::move(script)) {}

Result<JsonArray> StubAdapter::Execute(const AdapterRequest& request) {
  const bool readable = request.query != nullptr && request.query->is_string();
  const std::string_view query =
      readable ? std::string_view(request.query->get_string()) : std::string_view();
  if (const auto found = script_.find(query); readable && found != script_.end())
    return Scripted(found->second);
  if (const auto word = ForcingWord(query)) return Forced(*word);
  const std::size_t count = std::min(MaxRowsOf(request.max_rows), kMostRows);
  if (count == 0) return JsonArray();
  return JsonArray{RecordSet(TemplateFor(query), count)};
}

Result<StubAdapter::Script> ParseStubScript(std::string_view text) {
  ASSIGN_OR_RETURN(const Json parsed, base::ParseJson(text));
  if (!parsed.is_object())
    return Error::InvalidParams("must be a JSON object from query text to answer");
  StubAdapter::Script script;
  for (const auto& [query, answer] : parsed.get_object()) {
    const bool is_error =
        answer.is_string() || (answer.is_object() && answer.get_object().contains("message") &&
                               answer.at("message").is_string());
    if (!is_error && !(answer.is_array() && answer.get_array().empty())) {
      return Error::InvalidParams(base::StrCat(
          "the answer to \"", std::string_view(query).substr(0, 60),
          "\" must be a string or an object with message (an error), or [] (nothing)"));
    }
    script.emplace(query, Json(answer, boost::json::storage_ptr()));
  }
  return script;
}

}  // namespace toolpost::tools::mssql
