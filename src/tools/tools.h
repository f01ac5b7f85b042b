// All built-in tools.
#pragma once

#include <functional>
#include <optional>

#include "toolpost/tool.h"
#include "tools/database/database.h"
#include "tools/file/file.h"
#include "tools/keys/keys.h"
#include "tools/mssql/mssql.h"
#include "tools/shell/shell.h"
#include "tools/system/system.h"
#include "tools/todo/todo.h"
#include "tools/web/web.h"

namespace toolpost::tools {

// Registers one tool somewhere: a server or a registry.
using AddTool = std::function<Result<void>(Tool&&)>;

// What the tools work with.
struct Services {
  system::SystemProbes system;
  std::optional<keys::KeyServices> keys;  // absent: the toolset is not offered
  std::optional<file::FileServices> file;
  std::optional<shell::ShellServices> shell;
  std::optional<web::WebServices> web;
  std::optional<todo::TodoServices> todo;
  std::optional<database::DatabaseServices> database;
  std::optional<mssql::MssqlServices> mssql;
};

// Adds every built-in tool. Stops at the first that is refused.
Result<void> RegisterAll(const AddTool& add, const Services& services);

}  // namespace toolpost::tools
