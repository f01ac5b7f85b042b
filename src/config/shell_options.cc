// The rows of the option table about commands.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> ShellTable() {
  return {
      List(
          "shell.allowed_commands",
          "ls,pwd,echo,cat,grep,find,wc,sort,uniq,head,tail,git,npm,node,pnpm,yarn",
          [](Config& c) -> Strings& { return c.shell.allowed_commands; },
          "Programs shell/execute may run, by name; sudo, chmod, chown, kill, pkill and rm -rf "
          "never "
          "run"),
      List(
          "shell.allowed_env", "", [](Config& c) -> Strings& { return c.shell.allowed_env; },
          "Variables callers may set besides LANG, LC_*, TZ, NO_COLOR, FORCE_COLOR, CI, TERM, "
          "COLUMNS and NODE_ENV"),
      List(
          "shell.network_hosts", "", [](Config& c) -> Strings& { return c.shell.network_hosts; },
          "Hosts that node, npm, pnpm, yarn, git and programs added to the list reach through the "
          "server's own proxy: example.com, *.example.com, an address, or * for all; ports and "
          "kinds of addresses as web.* says. Empty: commands have no network"),
      Integer(
          "shell.min_confinement", "3", 0, 4,
          [](Config& c) -> std::uint64_t& { return c.shell.min_confinement; },
          "Least confinement (see `system/info`) for node, npm, pnpm, yarn and programs added to "
          "the "
          "list; the others need 2, or this if it is less"),
      Time(
          "shell.max_timeout", "10m", 1, 600 * kSecond,
          [](Config& c) -> Duration& { return c.shell.max_timeout; },
          "Longest run of a command; callers that ask for more get this"),
      Integer(
          "shell.concurrent", "8", 1, 1024,
          [](Config& c) -> std::uint64_t& { return c.shell.concurrent; },
          "Commands running at once"),
      Integer(
          "shell.concurrent_per_user", "4", 1, 1024,
          [](Config& c) -> std::uint64_t& { return c.shell.concurrent_per_user; },
          "Commands of one caller running at once"),
      Integer(
          "shell.queue", "32", 0, 10'000, [](Config& c) -> std::uint64_t& { return c.shell.queue; },
          "Commands that may wait for their turn before callers are told to retry"),
      Size(
          "shell.max_memory", "1GiB", kKiB * kKiB, kKiB * kGiB,
          [](Config& c) -> std::uint64_t& { return c.shell.max_memory; },
          "Memory of one process of a command"),
      Size(
          "shell.max_total_memory", "2GiB", kKiB * kKiB, kKiB * kGiB,
          [](Config& c) -> std::uint64_t& { return c.shell.max_total_memory; },
          "Memory of all processes of a command together, at confinement level 4"),
      Integer(
          "shell.max_processes", "128", 2, 100'000,
          [](Config& c) -> std::uint64_t& { return c.shell.max_processes; },
          "Processes of one command at once"),
  };
}

}  // namespace toolpost::config
