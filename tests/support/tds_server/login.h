// PRELOGIN and LOGIN7: what a client says of itself before its first statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tds_server {

// ENCRYPTION of PRELOGIN.
enum class Encrypt : std::uint8_t { kLoginOnly = 0, kOn = 1, kUnsupported = 2, kRequired = 3 };

struct Login {
  std::uint32_t version = 0;  // 0x74000004
  std::uint32_t packet_size = 4096;
  bool odbc = false;
  bool read_only_intent = false;
  bool encrypted = false;  // the login itself; set by the session
  std::string host;
  std::string user;
  std::string password;
  std::string application;
  std::string server;
  std::string library;
  std::string language;
  std::string database;
};

Result<Encrypt> ReadPrelogin(std::string_view body);
std::string PreloginReply(Encrypt answer);
Result<Login> ReadLogin(std::string_view body);

}  // namespace toolpost::tds_server
