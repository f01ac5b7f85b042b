// One request of a call, and what its reply is.
#include "tools/web/exchange.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "html/charset.h"

namespace toolpost::tools::web {

Result<net::HttpResponse> Send(net::HttpRequest request, const WebServices& services,
                               std::chrono::milliseconds timeout, CallContext& context) {
  net::FetchOptions options = services.options;
  const auto now = std::chrono::steady_clock::now();
  options.timeout =
      context.deadline() - now < timeout
          ? std::chrono::duration_cast<std::chrono::milliseconds>(context.deadline() - now)
          : timeout;
  // Redirects begin a new body, and progress must grow.
  options.on_progress = [&context, most = std::int64_t{0}](std::int64_t bytes) mutable {
    if (bytes <= most) return;
    most = bytes;
    context.Progress(static_cast<double>(bytes), {}, base::StrCat(bytes, " bytes"));
  };
  options.on_hop = [&context](const net::FetchHop& hop) {
    context.Reached({.host = hop.url.host,
                     .port = hop.url.port,
                     .address = std::string(hop.address),
                     .outcome = hop.status != 0 ? base::StrCat(hop.status)
                                : hop.refused   ? "refused"
                                                : "failed",
                     .sent = hop.sent,
                     .received = hop.received});
  };
  Result<net::HttpResponse> fetched = net::Fetch(std::move(request), options, context.stop_token());
  if (!fetched && fetched.error().code == Code::kTimeout) {
    return Error{
        Code::kTimeout,
        base::StrCat(fetched.error().message, " The timeout was ", options.timeout.count(), " ms."),
        {}};
  }
  ASSIGN_OR_RETURN(net::HttpResponse response, std::move(fetched));
  const std::string_view address = response.address;
  ASSIGN_OR_RETURN(const net::HttpUrl last, net::HttpUrl::Parse(response.url));
  base::Log(base::Severity::kInfo, "web request",
            {{"request_id", context.request_id()},
             {"host", std::string_view(last.host)},
             {"address", address},
             {"status", static_cast<std::int64_t>(response.status)},
             {"redirects", static_cast<std::int64_t>(response.redirects)},
             {"wire_bytes", response.wire_bytes},
             {"bytes", static_cast<std::int64_t>(response.body.size())}});
  return response;
}

std::string MediaType(std::string_view content_type) {
  return base::ToLower(base::Trim(content_type.substr(0, content_type.find(';'))));
}

bool IsPageType(std::string_view media_type) {
  return media_type == "text/html" || media_type == "application/xhtml+xml";
}

bool IsTextType(std::string_view media_type) {
  return media_type.starts_with("text/") || media_type.ends_with("+json") ||
         media_type.ends_with("+xml") || media_type == "application/json" ||
         media_type == "application/xml" || media_type == "application/javascript" ||
         media_type == "application/x-ndjson" || media_type == "application/yaml" ||
         media_type == "application/x-www-form-urlencoded";
}

std::string ToUtf8(std::string_view value) { return html::Decode(value, {}, false).text; }

Output Untrusted(Json structured) {
  Output output = Output::Structured(std::move(structured));
  output.meta["toolpost/untrusted"] = true;
  return output;
}

}  // namespace toolpost::tools::web
