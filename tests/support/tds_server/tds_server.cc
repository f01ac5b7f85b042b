// tds_server SCRIPT [--port N] [--record FILE]: prints `port N` and serves until its standard input
// ends.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tds_server/server.h"

namespace {

using toolpost::tds_server::ParseScript;
using toolpost::tds_server::Server;

int Usage() {
  std::fputs("Usage: tds_server SCRIPT [--port N] [--record FILE]\n", stderr);
  return 2;
}

int Fail(const toolpost::Error& error) {
  std::fprintf(stderr, "tds_server: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  Server::Options options;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--") && i + 1 == argc) return Usage();
    if (argument == "--record") {
      options.record_file = argv[++i];
    } else if (argument == "--port") {
      const std::string_view port = argv[++i];
      std::from_chars(port.data(), port.data() + port.size(), options.port);
    } else if (file.empty()) {
      file = argument;
    } else {
      return Usage();
    }
  }
  if (file.empty()) return Usage();
  std::ifstream in(file);
  const std::string json((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  auto script = ParseScript(json);
  if (!script) return Fail(script.error());
  const auto server = Server::Start(*std::move(script), options);
  if (!server) return Fail(server.error());
  std::printf("port %d\n", (*server)->port());
  std::fflush(stdout);
  char unused[256];
  while (read(STDIN_FILENO, unused, sizeof unused) > 0) {
  }
  return 0;
}
