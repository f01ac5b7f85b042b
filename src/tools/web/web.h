// The tools that reach out to the web.
//
// What they may reach is the operator's decision (section `web` of the configuration) and is
// enforced by net/http_client; arguments cannot widen it. What they bring back was written by
// strangers: every result says so in `_meta` under "toolpost/untrusted".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "net/http_client.h"
#include "toolpost/tool.h"

namespace toolpost::tools::web {

struct WebServices {
  net::FetchOptions options;  // all but the timeout, which is the call's
};

// `listening_port` gives the port of our own HTTP server, 0 while there is none; called for each
// request, must be thread-safe. Code::kInvalidArgument names the setting that cannot be read.
Result<WebServices> MakeServices(const config::Config& config,
                                 std::function<std::uint16_t()> listening_port);

// The rules of the section `web`, with `hosts` for web.allow_hosts. Code::kInvalidArgument says
// what cannot be read.
Result<net::FetchOptions> MakeOptions(const config::Config& config,
                                      const std::vector<std::string>& hosts,
                                      std::function<std::uint16_t()> listening_port);

Tool RequestTool(WebServices services);
Tool FetchTool(WebServices services);

// All of them.
std::vector<Tool> Tools(const WebServices& services);

}  // namespace toolpost::tools::web
