// By path and not by the name in odbcinst.ini, which may be missing or serialise all calls.
#include "db/odbc_driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMicrosoftDirectory = "/opt/microsoft/msodbcsql18/lib64";
constexpr std::string_view kMicrosoftPrefix = "libmsodbcsql-18";

std::vector<OdbcDriver> Candidates(const Libodbc& odbc) {
  std::vector<OdbcDriver> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(kMicrosoftDirectory, ignored)) {
    if (entry.path().filename().string().starts_with(kMicrosoftPrefix)) {
      found.push_back({OdbcDriver::Kind::kMicrosoft, entry.path().string()});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const OdbcDriver& a, const OdbcDriver& b) { return a.file > b.file; });
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(odbc.alloc_handle), &where) != 0) {
    const fs::path beside = fs::path(where.dli_fname).parent_path();
    found.push_back({OdbcDriver::Kind::kFreeTds, (beside / "odbc/libtdsodbc.so").string()});
    found.push_back({OdbcDriver::Kind::kFreeTds, (beside / "libtdsodbc.so").string()});
  }
  for (const char* file : {"/usr/lib/odbc/libtdsodbc.so", "/usr/local/lib/libtdsodbc.so"}) {
    found.push_back({OdbcDriver::Kind::kFreeTds, file});
  }
  return found;
}

}  // namespace

Result<const OdbcDriver*> OdbcDriver::Find(const Libodbc& odbc) {
  static std::mutex mutex;
  static const OdbcDriver* found = nullptr;
  const std::lock_guard lock(mutex);
  if (found != nullptr) return found;
  for (const OdbcDriver& candidate : Candidates(odbc)) {
    std::error_code ignored;
    if (!fs::exists(candidate.file, ignored)) continue;
    // Never closed: unixODBC would unload it with the last connection, and TLS with it.
    if (dlopen(candidate.file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) continue;
    found = std::make_unique<OdbcDriver>(candidate).release();
    return found;
  }
  return Error::Unavailable(
      "No ODBC driver for SQL Server is installed: install the Debian package tdsodbc, or "
      "Microsoft's msodbcsql18");
}

}  // namespace toolpost::db
