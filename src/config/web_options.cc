// The rows of the option table about the web tools.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> WebTable() {
  return {
      List(
          "web.allow_hosts", "", [](Config& c) -> Strings& { return c.web.allow_hosts; },
          "Hosts the web tools may reach: `example.com`, `*.example.com` for all below it, or an "
          "IP address; empty is every public host"),
      List(
          "web.deny_hosts", "", [](Config& c) -> Strings& { return c.web.deny_hosts; },
          "Hosts the web tools may not reach, written likewise; wins over `web.allow_hosts`"),
      DefaultNote(List(
                      "web.ports", "", [](Config& c) -> Strings& { return c.web.ports; },
                      "Ports the web tools may reach, such as `443` or `8000-8999`"),
                  "80, 443 and from 1024 on, without those of databases, queues and the like"),
      Switch(
          "web.allow_loopback", "false", [](Config& c) -> bool& { return c.web.allow_loopback; },
          "Let the web tools reach this machine, except for this server itself"),
      Switch(
          "web.allow_private", "false", [](Config& c) -> bool& { return c.web.allow_private; },
          "Let the web tools reach private networks (10/8, 172.16/12, 192.168/16, 100.64/10, "
          "fc00::/7); never link-local and metadata addresses"),
      String(
          "web.proxy", "", [](Config& c) -> std::string& { return c.web.proxy; },
          "HTTP proxy of the web tools, such as `http://proxy.example:3128`; it then looks names "
          "up and has to refuse private addresses; the environment's is not used"),
      DefaultNote(String(
                      "web.ca_file", "", [](Config& c) -> std::string& { return c.web.ca_file; },
                      "PEM file with the certificate authorities the web tools trust"),
                  "those of the system"),
      String(
          "web.user_agent", "GHL-Agency-AI-MCP/1.0",
          [](Config& c) -> std::string& { return c.web.user_agent; },
          "User-Agent of the web tools; callers cannot change it"),
      Size(
          "web.max_body", "10MiB", kKiB, kGiB,
          [](Config& c) -> std::uint64_t& { return c.web.max_body; },
          "Largest reply the web tools read, after decompression"),
  };
}

}  // namespace toolpost::config
