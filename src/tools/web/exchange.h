// What web/request and web/fetch have in common.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "toolpost/tool.h"
#include "tools/web/web.h"

namespace toolpost::tools::web {

constexpr int kDefaultTimeout = 30'000;  // milliseconds
constexpr int kMaxTimeout = 600'000;

// Sends the request with the call's timeout (at most until its deadline) and cancellation, and logs
// where it went.
Result<net::HttpResponse> Send(net::HttpRequest request, const WebServices& services,
                               std::chrono::milliseconds timeout, CallContext& context);

// The media type of a Content-Type in lower case, without parameters: "text/html".
std::string MediaType(std::string_view content_type);
// Whether a body of this type is meant to be read by people or parsers of text.
bool IsTextType(std::string_view media_type);
bool IsPageType(std::string_view media_type);

// A value of a reply as valid UTF-8.
std::string ToUtf8(std::string_view value);

// A result whose content was written by strangers.
Output Untrusted(Json structured);

}  // namespace toolpost::tools::web
