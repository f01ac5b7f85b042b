// web/fetch: a page as readable text.
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "html/charset.h"
#include "html/extract.h"
#include "html/invisible.h"
#include "tools/web/exchange.h"
#include "tools/web/links.h"
#include "tools/web/web.h"

namespace toolpost::tools::web {
namespace {

constexpr int kDefaultChars = 20'000;
constexpr int kMaxChars = 1'000'000;

struct Args {
  std::string url;
  bool extract_text = true;
  std::string format;
  int max_chars = 0;
  std::int64_t cursor = 0;
  int timeout = 0;
  static constexpr auto Fields() {
    return std::tuple{
        Req("url", &Args::url, "http or https."),
        Opt("extractText", &Args::extract_text, "false: raw HTML.").Default(true),
        Opt("format", &Args::format, "Of the text.").OneOf({"text", "markdown"}).Default("text"),
        Opt("maxChars", &Args::max_chars, "Per call.").Range(1, kMaxChars).Default(kDefaultChars),
        Opt("cursor", &Args::cursor, "nextCursor of the last call.").Min(0).Default(0),
        Opt("timeout", &Args::timeout, "ms").Range(1, kMaxTimeout).Default(kDefaultTimeout)};
  }
};

struct Page {
  std::string url;
  int status = 0;
  std::string content_type;
  std::int64_t size = 0;
  std::optional<std::string> title;
  std::string content;
  std::int64_t total_chars = 0;
  std::optional<std::int64_t> next_cursor;
  std::optional<std::int64_t> hidden_chars;
  static constexpr auto Fields() {
    return std::tuple{Req("url", &Page::url, "After redirects."),
                      Req("status", &Page::status),
                      Req("contentType", &Page::content_type),
                      Req("size", &Page::size, "Bytes of the page."),
                      Opt("title", &Page::title),
                      Req("content", &Page::content),
                      Req("totalChars", &Page::total_chars),
                      Opt("nextCursor", &Page::next_cursor, "There is more."),
                      Opt("hiddenChars", &Page::hidden_chars,
                          "Characters the page hides; not in extracted text.")};
  }
};

bool StartsLikePage(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  return first != bytes.npos && bytes[first] == '<';
}

// Whether the body is a page; an error when it is no text at all.
Result<bool> IsPage(const net::HttpResponse& response, std::string_view content_type) {
  const std::string type = MediaType(content_type);
  if (IsPageType(type)) return true;
  if (IsTextType(type)) return false;
  const bool text =
      base::IsValidUtf8(response.body) && response.body.find('\0') == std::string::npos;
  if (type.empty() && text) return StartsLikePage(response.body);
  if (text) return false;
  return Error::InvalidParams(base::StrCat("The page is ", type.empty() ? "binary" : type,
                                           ", not text: web/request gives its bytes."));
}

std::size_t OffsetOf(std::string_view text, std::int64_t characters) {
  std::size_t at = 0;
  for (; at < text.size() && characters > 0; --characters) {
    do {
      ++at;
    } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return at;
}

void SetContent(Page& page, std::string_view text, const Args& args) {
  page.total_chars = static_cast<std::int64_t>(base::CountCodePoints(text));
  const std::string_view rest = text.substr(OffsetOf(text, args.cursor));
  const std::string_view part = rest.substr(0, OffsetOf(rest, args.max_chars));
  page.content = part;
  if (part.size() < rest.size()) page.next_cursor = args.cursor + args.max_chars;
}

Result<Output> Run(const Args& args, const WebServices& services, CallContext& context) {
  net::HttpRequest request{
      .url = args.url,
      .headers = {{"Accept", "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5"}}};
  ASSIGN_OR_RETURN(
      const net::HttpResponse response,
      Send(std::move(request), services, std::chrono::milliseconds(args.timeout), context));
  Page page;
  page.url = response.url;
  page.status = response.status;
  page.content_type = ToUtf8(response.Find("content-type"));
  page.size = static_cast<std::int64_t>(response.body.size());
  ASSIGN_OR_RETURN(const bool is_page, IsPage(response, page.content_type));
  std::string text = html::Decode(response.body, page.content_type, is_page).text;
  std::size_t hidden = 0;
  if (is_page && args.extract_text) {
    LinkResolver links(response.url);
    html::Extract extract = html::ExtractText(
        text, {.markdown = args.format == "markdown", .resolve = std::ref(links)});
    text = std::move(extract.text);
    hidden = extract.hidden_chars;
    if (!extract.title.empty()) page.title = std::move(extract.title);
  } else {
    hidden = html::CountInvisible(text);
  }
  if (hidden > 0) page.hidden_chars = static_cast<std::int64_t>(hidden);
  SetContent(page, text, args);
  return Untrusted(Encode(page));
}

}  // namespace

Tool FetchTool(WebServices services) {
  Tool tool = MakeTool<Args, Output>(
      {.name = "web/fetch",
       .title = "Fetch a web page",
       .description = "Reads a web page as text without markup, scripts and navigation.",
       .permissions = {"write"},  // a URL carries data out
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = true},
       .page_argument = "cursor"},
      [services = std::move(services)](const Args& args, CallContext& context) {
        return Run(args, services, context);
      });
  tool.output_schema = LateJson(&OutputSchemaOf<Page>);
  return tool;
}

}  // namespace toolpost::tools::web
