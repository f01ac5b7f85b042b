// system/info: what runs, where, since when.
#include <sys/utsname.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

struct Args {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct Info {
  std::string platform;
  std::string arch;
  std::int64_t uptime = 0;
  std::string version;
  std::string started_at;
  std::optional<ConfinementView> confinement;
  static constexpr auto Fields() {
    return std::tuple{Req("platform", &Info::platform),
                      Req("arch", &Info::arch),
                      Req("uptime", &Info::uptime, "Seconds."),
                      Req("version", &Info::version),
                      Req("startedAt", &Info::started_at),
                      Opt("confinement", &Info::confinement, "Of commands.")};
  }
};

Result<Info> Read(const SystemProbes& probes) {
  utsname host{};
  if (uname(&host) != 0) return Error::Internal("The system does not say what it is");
  Info info;
  info.platform = base::ToLower(host.sysname);
  info.arch = host.machine;
  info.uptime =
      std::chrono::duration_cast<std::chrono::seconds>(base::Now() - probes.started).count();
  info.version = probes.version;
  info.started_at = base::ToIso8601(probes.started);
  info.confinement = ConfinementOf(probes);
  return info;
}

}  // namespace

std::optional<ConfinementView> ConfinementOf(const SystemProbes& probes) {
  if (!probes.confinement) return std::nullopt;
  const sandbox::Confinement& found = probes.confinement();
  return ConfinementView{found.level, found.description};
}

Tool InfoTool(SystemProbes probes) {
  return MakeTool<Args, Info>(
      {.name = "system/info",
       .title = "System information",
       .description = "Platform, architecture, version and uptime of this server.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .run = Run::kInline},
      [probes = std::move(probes)](const Args&, CallContext&) { return Read(probes); });
}

}  // namespace toolpost::tools::system
