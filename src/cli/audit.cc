// toolpost audit verify: is the audit log whole?
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/settings.h"
#include "telemetry/audit_log.h"

namespace toolpost::cli {

int RunAudit(const Arguments& arguments) {
  if (arguments.words[0] != "verify")
    return Complain(
        Error::InvalidParams("audit " + arguments.words[0] + " is unknown: use audit verify"),
        kUsage);
  Result<config::Config> config = LoadConfig(arguments);
  if (!config) return Complain(config.error(), kConfiguration);
  const std::string directory = config->state.dir + "/audit";
  const Result<telemetry::AuditLog::Report> report = telemetry::AuditLog::Verify(directory);
  if (!report) return Complain(report.error(), kFailure);
  for (const auto& writer : report->writers) {
    std::cout << writer.name << ": records " << writer.first_sequence << " to "
              << writer.last_sequence << (writer.alive ? ", still writing" : "") << "\n";
  }
  for (const std::string& note : report->notes) std::cout << "note: " << note << "\n";
  for (const std::string& problem : report->problems) std::cout << "PROBLEM: " << problem << "\n";
  std::cout << report->records << " records in " << report->segments << " segments, sequence "
            << report->first_sequence << " to " << report->last_sequence << ": "
            << (report->problems.empty() ? "whole" : "NOT whole") << "\n";
  return report->problems.empty() ? kOk : kFailure;
}

}  // namespace toolpost::cli
