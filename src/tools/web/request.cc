// web/request: one HTTP request with full control.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "html/charset.h"
#include "html/invisible.h"
#include "tools/web/exchange.h"
#include "tools/web/web.h"

namespace toolpost::tools::web {
namespace {

struct Args {
  std::string url;
  std::string method;
  std::map<std::string, std::string> headers;
  Json body;
  std::string body_encoding;
  int timeout = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("url", &Args::url, "http or https."),
        Opt("method", &Args::method, "HTTP method.")
            .OneOf({"GET", "POST", "PUT", "DELETE", "PATCH"})
            .Default("GET"),
        Opt("headers", &Args::headers, "By name."),
        Opt("body", &Args::body, "Strings go as they are, all else as JSON."),
        Opt("bodyEncoding", &Args::body_encoding, "base64: body is bytes.")
            .OneOf({"text", "base64"})
            .Default("text"),
        Opt("timeout", &Args::timeout, "ms").Range(1, kMaxTimeout).Default(kDefaultTimeout)};
  }
};

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
  std::optional<std::string> body_encoding;
  std::optional<std::int64_t> hidden_chars;
  std::string content_type;
  std::int64_t size = 0;
  std::int64_t execution_time = 0;
  std::string url;
  int redirects = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("status", &Reply::status),
        Req("headers", &Reply::headers, "Names in lower case; repeated ones joined."),
        Req("body", &Reply::body),
        Opt("bodyEncoding", &Reply::body_encoding, "base64 when the body is no text."),
        Opt("hiddenChars", &Reply::hidden_chars, "Invisible characters in the body."),
        Req("contentType", &Reply::content_type),
        Req("size", &Reply::size, "Bytes of the body after decompression."),
        Req("executionTime", &Reply::execution_time, "ms"),
        Req("url", &Reply::url, "After redirects."),
        Req("redirects", &Reply::redirects)};
  }
};

// The body to send; sets the Content-Type the caller left out.
Result<std::string> BodyOf(const Args& args, net::HeaderList& headers) {
  if (args.body.is_null()) return std::string();
  const bool typed = std::any_of(headers.begin(), headers.end(), [](const auto& header) {
    return base::EqualIgnoringCase(header.first, "content-type");
  });
  const auto type = [&](const char* value) {
    if (!typed) headers.emplace_back("Content-Type", value);
  };
  const bool base64 = args.body_encoding == "base64";
  if (!args.body.is_string()) {
    if (base64) return Error::InvalidParams("With bodyEncoding base64, body must be a string.");
    type("application/json");
    return base::ToJson(args.body);
  }
  const std::string_view text(args.body.get_string().data(), args.body.get_string().size());
  if (!base64) {
    type("text/plain; charset=utf-8");
    return std::string(text);
  }
  std::optional<std::string> bytes = base::FromBase64(text);
  if (!bytes) return Error::InvalidParams("body is not valid base64.");
  type("application/octet-stream");
  return *std::move(bytes);
}

std::map<std::string, std::string> HeadersOf(const net::HttpResponse& response) {
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : response.headers) {
    const std::string key = base::ToLower(ToUtf8(name));
    const auto [at, added] = headers.try_emplace(key, ToUtf8(value));
    // RFC 9110 5.3: Set-Cookie alone cannot be joined by commas.
    if (!added) at->second += (key == "set-cookie" ? "\n" : ", ") + ToUtf8(value);
  }
  return headers;
}

bool LooksLikeText(std::string_view bytes) {
  return base::IsValidUtf8(bytes) && std::none_of(bytes.begin(), bytes.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' &&
                  c != '\f';
         });
}

void SetBody(Reply& reply, const std::string& bytes) {
  const std::string type = MediaType(reply.content_type);
  reply.size = static_cast<std::int64_t>(bytes.size());
  if (IsTextType(type) || LooksLikeText(bytes)) {
    reply.body = html::Decode(bytes, reply.content_type, IsPageType(type)).text;
    const std::size_t hidden = html::CountInvisible(reply.body);
    if (hidden > 0) reply.hidden_chars = static_cast<std::int64_t>(hidden);
  } else {
    reply.body = base::ToBase64(bytes);
    reply.body_encoding = "base64";
  }
}

Result<Output> Run(const Args& args, const WebServices& services, CallContext& context) {
  net::HttpRequest request{.method = args.method, .url = args.url};
  for (const auto& [name, value] : args.headers) request.headers.emplace_back(name, value);
  ASSIGN_OR_RETURN(request.body, BodyOf(args, request.headers));
  const auto started = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(
      const net::HttpResponse response,
      Send(std::move(request), services, std::chrono::milliseconds(args.timeout), context));
  Reply reply;
  reply.execution_time = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now() - started)
                             .count();
  reply.status = response.status;
  reply.headers = HeadersOf(response);
  reply.content_type = ToUtf8(response.Find("content-type"));
  SetBody(reply, response.body);
  reply.url = response.url;
  reply.redirects = response.redirects;
  return Untrusted(Encode(reply));
}

}  // namespace

Tool RequestTool(WebServices services) {
  Tool tool = MakeTool<Args, Output>(
      {.name = "web/request",
       .title = "HTTP request",
       .description = "Sends an HTTP request; follows redirects.",
       .hints = {.read_only = false, .destructive = true, .idempotent = false, .open_world = true}},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Run(args, services, context);
      });
  tool.output_schema = LateJson(&OutputSchemaOf<Reply>);
  return tool;
}

}  // namespace toolpost::tools::web
