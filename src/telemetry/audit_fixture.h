// An audit log in a directory of its own, and ways to tamper with it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "telemetry/audit_index.h"
#include "telemetry/audit_log.h"

namespace toolpost::telemetry {

class AuditTest : public ::testing::Test {
 protected:
  using Lines = std::vector<std::string>;

  AuditTest() {
    std::string pattern = ::testing::TempDir() + "/audit.XXXXXX";
    root_ = mkdtemp(pattern.data());
    directory_ = root_ + "/audit";
  }
  ~AuditTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  AuditOptions Options() const { return {.directory = directory_}; }
  static void AppendCalls(AuditLog& log, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string request = "request-" + std::to_string(i);
      log.Append({.kind = "call",
                  .principal = "key:abc",
                  .tool = "test/echo",
                  .outcome = "OK",
                  .duration = std::chrono::microseconds(1500),
                  .bytes = 10,
                  .request_id = request});
    }
  }
  void WriteLog(int records) const { WriteLog(Options(), records); }
  static void WriteLog(const AuditOptions& options, int records) {
    AuditLog log(options);
    AppendCalls(log, records);
  }
  // Segments of about ten records each.
  AuditOptions SmallSegments() const {
    AuditOptions options = Options();
    options.segment_bytes = 2'000;
    return options;
  }

  std::vector<std::string> Segments() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      const std::string name = entry.path().filename();
      if (SegmentName::Parse(name)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  std::string ReadFile(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void WriteFile(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary | std::ios::trunc) << text;
  }
  Lines ReadLines(const std::string& name) const {
    Lines lines;
    std::istringstream text(ReadFile(name));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  void WriteLines(const std::string& name, const Lines& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    WriteFile(name, text);
  }
  std::vector<std::string> States() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ + "/live")) {
      names.push_back("live/" + entry.path().filename().string());
    }
    return names;
  }

  AuditLog::Report Verify() const {
    auto report = AuditLog::Verify(directory_);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? *report : AuditLog::Report{};
  }
  std::string Problems() const {
    std::string text;
    for (const std::string& problem : Verify().problems) text += problem + "\n";
    return text;
  }

  std::string root_;
  std::string directory_;
};

}  // namespace toolpost::telemetry
