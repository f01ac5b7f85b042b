// The connection string that the driver gets: made of a login, never of a caller's words.
#pragma once

#include <string>

#include "db/odbc_driver.h"
#include "db/sql_server_login.h"
#include "toolpost/result.h"

namespace toolpost::db {

// The port must be known for FreeTDS (see sql_browser.h): it does not look at the instance.
// `authorities`: a PEM file of certificate authorities, by which FreeTDS verifies the server.
// Code::kInvalidArgument when the driver cannot do what the login asks for, or cannot take one of
// its values; says which, and never quotes one.
Result<std::string> OdbcConnectionString(const OdbcDriver& driver, const SqlServerLogin& login,
                                         const std::string& authorities);

}  // namespace toolpost::db
