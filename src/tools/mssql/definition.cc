// Shared parts of definitions and replies.
#include "tools/mssql/definition.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kFirstWithStructuredContent = "2025-06-18";

}  // namespace

ToolInfo InfoOf(std::string_view name, std::string_view alias, std::string_view title,
                std::string_view description) {
  ToolInfo info;
  info.name = base::StrCat("mssql/", name);
  info.wire = name;
  info.aliases.emplace_back(alias);
  info.title = title;
  info.description = description;
  return info;
}

void UseConnectionName(Tool& tool) {
  tool.connections = [](const JsonObject& arguments) {
    const Json* given = arguments.if_contains("connectionName");
    const bool named = given != nullptr && given->is_string();
    return std::vector<std::string>{
        std::string(named ? std::string_view(given->get_string()) : kDefaultConnection)};
  };
}

Result<void> CheckNotBlank(std::string_view argument, std::string_view text,
                           std::string_view advice) {
  if (text.empty() || text.find_first_not_of(" \t\r\n\f\v") != text.npos) return {};
  return Error::InvalidParams(base::StrCat(argument, " must not be blank: ", advice));
}

std::chrono::steady_clock::time_point DeadlineOf(const MssqlServices& services,
                                                 const CallContext& context) {
  return std::min(context.deadline(), std::chrono::steady_clock::now() + services.timeout);
}

Output WithSentence(Json structured, std::string_view sentence, const CallContext& context) {
  const std::string_view revision = context.protocol_version();
  // Revisions are dates: they compare as text.
  if (!revision.empty() && revision < kFirstWithStructuredContent)
    return Output::Structured(std::move(structured));
  Output output = Output::Text(sentence);
  output.structured = std::move(structured);
  return output;
}

}  // namespace toolpost::tools::mssql
