// Takes secrets out of text that others wrote: commands of agent jobs, messages of their runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolpost::tools::mssql {

// Replaces by *** what looks like a secret, and nothing else:
//  - the value behind a name that ends in password, pwd, secret, apikey, accesskey, accesstoken …,
//    or in one of them and prod, test, old …, in Transact-SQL (PASSWORD = N'x', also inside another
//    literal, SECRET = 'x', PASSWORD = 0x1F HASHED, DECLARE @password sysname = 'x'), connection
//    strings (Password=x;), environment variables, JSON (also inside of literals, arrays and
//    objects), XML (also escaped) and headers;
//  - the argument of -P and /P of sqlcmd, bcp, dtexec, psexec and their kind, of --password, -pw
//    and the like everywhere, and what goes into ConvertTo-SecureString;
//  - arguments that are passwords by their place: of OPENROWSET, sp_addlinkedsrvlogin,
//    ENCRYPTBYPASSPHRASE, NetworkCredential …, and what IDENTIFIED BY says;
//  - the value beside a name of a secret: key="Password" value="x", name="Password"><value>x, also
//    with the value first, SetEnvironmentVariable, Set-Item Env:, setx, :setvar, aws configure set;
//  - the password of net use, net user, sc config, curl -u, lftp, smbclient, redis-cli -a,
//    openssl -k, of Oracle's programs (user/x@host), and of a URL (https://user:x@host);
//  - tokens behind Bearer and Basic, those known by their beginning (AKIA…, ghp_…), the sig= of
//    shared access signatures, and private keys.
// Values that are variables (@x, $(x), ${x}, $env:x, %x%, $x if that names a secret or was named
// before), NULL or empty are no secrets. What it cannot know it leaves: a secret without any of
// these around it. A value that is never closed ends with the text. Of a text of 2000 bytes or more
// that ends in … the last 1000 are left out: what says that they are secret may have been cut off.
// Takes linear time. `package_options`: every line is what dtexec is called with, as in the steps
// of the subsystem SSIS.
std::string RedactSecrets(std::string_view text, bool package_options = false);
// Nothing of nothing.
std::optional<std::string> Redacted(const std::optional<std::string>& text,
                                    bool package_options = false);
// The value of what has this name: *** if the name contains that of a secret (Password_Prod) and is
// not about something else of it (PasswordLength).
std::string RedactValue(std::string_view name, std::string_view value);

}  // namespace toolpost::tools::mssql
