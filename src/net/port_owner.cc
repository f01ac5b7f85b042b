// Finds a listening socket in /proc/net/tcp{,6} and the process that holds it open.
#include "net/port_owner.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace toolpost::net {
namespace {

namespace fs = std::filesystem;

void CollectListeners(const char* table, std::uint16_t port, std::set<std::string>& links) {
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >>
        timeout >> inode;
    auto colon = local.rfind(':');
    if (state != "0A" || colon == std::string::npos) continue;
    if (std::strtoul(local.c_str() + colon + 1, nullptr, 16) == port) {
      links.insert("socket:[" + inode + "]");
    }
  }
}

bool HoldsOneOf(const fs::path& process, const std::set<std::string>& links) {
  std::error_code ec;
  for (fs::directory_iterator it(process / "fd", ec), end; !ec && it != end; it.increment(ec)) {
    char target[64];
    ssize_t size = readlink(it->path().c_str(), target, sizeof target);
    if (size > 0 && links.count(std::string(target, static_cast<std::size_t>(size))) != 0)
      return true;
  }
  return false;
}

}  // namespace

std::string PortOwner(std::uint16_t port) {
  std::set<std::string> links;
  CollectListeners("/proc/net/tcp", port, links);
  CollectListeners("/proc/net/tcp6", port, links);
  if (links.empty()) return {};
  std::error_code ec;
  for (fs::directory_iterator it("/proc", ec), end; !ec && it != end; it.increment(ec)) {
    std::string pid = it->path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    if (!HoldsOneOf(it->path(), links)) continue;
    std::string name;
    std::ifstream comm(it->path() / "comm");
    std::getline(comm, name);
    return "process " + pid + (name.empty() ? "" : " (" + name + ")");
  }
  return {};
}

}  // namespace toolpost::net
