// What a client sent, for tests to look at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tds_server/login.h"
#include "toolpost/json.h"

namespace toolpost::tds_server {

struct Parameter {
  std::string name;  // often empty
  std::string type;
  Json value;
  bool output = false;
};

struct Received {
  enum class Kind { kLogin, kBatch, kCall, kTransaction, kAttention, kClosed };

  int connection = 0;  // 1 for the first
  Kind kind = Kind::kBatch;
  // The statement: of a batch, and of sp_executesql and its kin the one that it runs.
  std::string text;
  // kCall: the procedure. kTransaction: begin, commit, rollback or save.
  std::string procedure;
  // Of sp_executesql and its kin only those of the statement.
  std::vector<Parameter> parameters;
  Login login;  // kLogin
};

// `toolpost:tables` of a statement with the comment `/* toolpost:tables */`; empty if there is
// none.
std::string_view TagOf(std::string_view text);

Json ToJson(const Received& received);

}  // namespace toolpost::tds_server
