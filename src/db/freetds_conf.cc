// A memory file that FreeTDS opens with each login. Appending is enough: a reader that meets half a
// section meets one that is not its own.
#include "db/freetds_conf.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace toolpost::db {
namespace {

// FreeTDS reads lines of at most 256 bytes.
constexpr std::size_t kLongestValue = 200;

struct Named {
  FreetdsSection settings;
  std::string name;
};

struct File {
  std::mutex mutex;
  int descriptor = -1;
  std::vector<Named> sections;
};

File& TheFile() {
  static auto* const kFile = new File;
  return *kFile;
}

bool IsPlain(std::string_view text, std::string_view also) {
  if (text.size() > kLongestValue) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    const char low = base::ToLower(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') ||
           also.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
  });
}

Result<void> Check(const FreetdsSection& section) {
  if (section.host.empty() || !IsPlain(section.host, ".-_:%")) {
    return Error::InvalidParams("The host of the SQL Server is not a name or an address");
  }
  if (section.authorities.size() > kLongestValue ||
      section.authorities.find('\n') != std::string::npos) {
    return Error::InvalidParams("The file of certificate authorities has too long a name");
  }
  return {};
}

std::string Format(const FreetdsSection& section, std::string_view name) {
  std::string out = base::StrCat("[", name, "]\nhost = ", section.host, "\n");
  out += base::StrCat("tds version = 7.4\nclient charset = UTF-8\nencryption = ",
                      section.encrypted ? "require" : "off", "\n");
  if (!section.authorities.empty()) {
    out += base::StrCat("ca file = ", section.authorities, "\ncheck certificate hostname = yes\n");
  }
  return out;
}

Result<void> Open(File& file) {
  if (file.descriptor >= 0) return {};
  const int descriptor = memfd_create("freetds.conf", MFD_CLOEXEC);
  const Error failed = Error::Unavailable("No memory for the settings of the SQL Server driver");
  if (descriptor < 0) return failed;
  // Threads that read the environment meanwhile see the old array or the new one: nothing else in
  // the program adds to it, so glibc has none to free.
  const std::string path = base::StrCat("/proc/self/fd/", descriptor);
  if (setenv("FREETDSCONF", path.c_str(), 1) != 0) {
    close(descriptor);
    return failed;
  }
  file.descriptor = descriptor;
  return {};
}

// The server is told the name: Azure SQL Database finds out by it who is meant. Further settings of
// a host have names that no host has, as [global] is for all sections.
std::string NameFor(const std::string& host, const std::vector<Named>& sections) {
  const auto others = std::count_if(sections.begin(), sections.end(), [&](const Named& section) {
    return section.settings.host == host;
  });
  return others == 0 && host != "global" ? host : base::StrCat(host, ",", others);
}

}  // namespace

// FreeTDS tells names of sections apart without regard to case.
Result<std::string> AddFreetdsSection(FreetdsSection section) {
  RETURN_IF_ERROR(Check(section));
  section.host = base::ToLower(section.host);
  File& file = TheFile();
  const std::lock_guard lock(file.mutex);
  RETURN_IF_ERROR(Open(file));
  const auto known = std::find_if(file.sections.begin(), file.sections.end(),
                                  [&](const Named& one) { return one.settings == section; });
  if (known != file.sections.end()) return known->name;
  std::string name = NameFor(section.host, file.sections);
  const std::string text = Format(section, name);
  if (write(file.descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return Error::Unavailable("No memory for the settings of the SQL Server driver");
  }
  file.sections.push_back({std::move(section), name});
  return name;
}

}  // namespace toolpost::db
