// A libcurl handle of its own per transfer: reused connections would bypass the check of the
// address.
#include "net/http_transfer.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "base/strings.h"
#include "net/curl_library.h"

namespace toolpost::net {
namespace {

using base::StrCat;

constexpr std::size_t kMaxHeaderBytes = std::size_t{64} * 1024;
constexpr std::chrono::milliseconds kLongestPoll{1'000};

// What the callbacks fill.
struct Progress {
  const Hop& hop;
  HttpResponse response;
  std::size_t header_bytes = 0;
  bool body_began = false;
  bool too_large = false;
  bool wrong_address = false;
};

std::size_t OnBody(char* data, std::size_t, std::size_t size, void* user) {
  auto& progress = *static_cast<Progress*>(user);
  progress.body_began = true;
  if (size > progress.hop.options.max_body_bytes - progress.response.body.size()) {
    progress.too_large = true;
    return 0;
  }
  progress.response.body.append(data, size);
  return size;
}

std::size_t OnHeader(char* data, std::size_t, std::size_t size, void* user) {
  auto& progress = *static_cast<Progress*>(user);
  progress.header_bytes += size;
  if (progress.header_bytes > kMaxHeaderBytes) {
    progress.too_large = true;
    return 0;
  }
  std::string_view line(data, size);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (progress.body_began) return size;  // a trailer
  if (line.starts_with("HTTP/")) {
    progress.response.headers.clear();  // what came before belonged to an interim response
    return size;
  }
  const std::size_t colon = line.find(':');
  if (colon != line.npos) {
    progress.response.headers.emplace_back(line.substr(0, colon),
                                           base::Trim(line.substr(colon + 1)));
  }
  return size;
}

// The last word on where the connection goes.
curl_socket_t OnSocket(void* user, curlsocktype, curl_sockaddr* target) {
  auto& progress = *static_cast<Progress*>(user);
  const auto address = IpAddress::From(&target->addr);
  const auto& allowed = progress.hop.addresses;
  if (!address || std::find(allowed.begin(), allowed.end(), *address) == allowed.end()) {
    progress.wrong_address = true;
    return CURL_SOCKET_BAD;
  }
  return socket(target->family, target->socktype | SOCK_CLOEXEC, target->protocol);
}

// "HOST:PORT:ADDRESS,ADDRESS" makes libcurl look no further.
std::string Pin(const Hop& hop) {
  std::string pin = StrCat(hop.url.host, ':', hop.url.port, ':');
  for (const IpAddress& address : hop.addresses) {
    if (!pin.ends_with(':')) pin += ',';
    pin += address.v6 ? StrCat('[', address.ToString(), ']') : address.ToString();
  }
  return pin;
}

class Lists {
 public:
  explicit Lists(const CurlLibrary& curl) : curl_(curl) {}
  ~Lists() {
    curl_.slist_free_all(headers);
    curl_.slist_free_all(resolve);
  }
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;

  bool Add(curl_slist*& list, const std::string& line) {
    curl_slist* longer = curl_.slist_append(list, line.c_str());
    if (longer != nullptr) list = longer;
    return longer != nullptr;
  }

  curl_slist* headers = nullptr;
  curl_slist* resolve = nullptr;

 private:
  const CurlLibrary& curl_;
};

bool Fill(Lists& lists, const Hop& hop) {
  bool typed = false;
  bool ok = lists.Add(lists.headers, "Expect:");
  for (const auto& [name, value] : hop.request.headers) {
    typed = typed || base::EqualIgnoringCase(name, "content-type");
    // A header without value is spelled with a semicolon: a colon would remove it.
    ok = ok && lists.Add(lists.headers, value.empty() ? name + ";" : StrCat(name, ": ", value));
  }
  if (!typed) ok = ok && lists.Add(lists.headers, "Content-Type:");
  if (!IpAddress::Parse(hop.url.host)) ok = ok && lists.Add(lists.resolve, Pin(hop));
  return ok;
}

struct Multi {
  explicit Multi(const CurlLibrary& its_curl) : curl(its_curl), handle(curl.multi_init()) {}
  ~Multi() { curl.multi_cleanup(handle); }
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;

  const CurlLibrary& curl;
  CURLM* const handle;
};

// setopt returns the first failure, so that one comparison at the end sees them all.
class Options {
 public:
  Options(const CurlLibrary& curl, CURL* easy) : curl_(curl), easy_(easy) {}
  template <typename Value>
  void Set(CURLoption option, Value value) {
    if (code_ == CURLE_OK) code_ = curl_.easy_setopt(easy_, option, value);
  }
  bool ok() const { return code_ == CURLE_OK; }

 private:
  const CurlLibrary& curl_;
  CURL* easy_;
  CURLcode code_ = CURLE_OK;
};

void SetRequest(Options& options, const Hop& hop, const Lists& lists) {
  const HttpRequest& request = hop.request;
  options.Set(CURLOPT_URL, hop.url.text.c_str());
  options.Set(CURLOPT_HTTPHEADER, lists.headers);
  options.Set(CURLOPT_RESOLVE, lists.resolve);
  options.Set(CURLOPT_USERAGENT, hop.options.user_agent.c_str());
  options.Set(CURLOPT_ACCEPT_ENCODING, "");
  if (request.method == "HEAD") {
    options.Set(CURLOPT_NOBODY, 1L);
  } else if (request.method != "GET") {
    options.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    options.Set(CURLOPT_POSTFIELDS, request.body.c_str());
    options.Set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
}

void SetLimits(Options& options, const Hop& hop, std::chrono::milliseconds left) {
  options.Set(CURLOPT_NOSIGNAL, 1L);
  options.Set(CURLOPT_PROTOCOLS_STR, "http,https");
  options.Set(CURLOPT_PROXY, "");
  options.Set(CURLOPT_NOPROXY, "*");
  options.Set(CURLOPT_FOLLOWLOCATION, 0L);
  options.Set(CURLOPT_FRESH_CONNECT, 1L);
  options.Set(CURLOPT_FORBID_REUSE, 1L);
  options.Set(CURLOPT_SSL_VERIFYPEER, 1L);
  options.Set(CURLOPT_SSL_VERIFYHOST, 2L);
  options.Set(CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
  options.Set(CURLOPT_CONNECTTIMEOUT_MS,
              static_cast<long>(std::min(hop.options.connect_timeout, left).count()));
}

void SetCallbacks(Options& options, Progress& progress) {
  options.Set(CURLOPT_WRITEFUNCTION, &OnBody);
  options.Set(CURLOPT_WRITEDATA, &progress);
  options.Set(CURLOPT_HEADERFUNCTION, &OnHeader);
  options.Set(CURLOPT_HEADERDATA, &progress);
  options.Set(CURLOPT_OPENSOCKETFUNCTION, &OnSocket);
  options.Set(CURLOPT_OPENSOCKETDATA, &progress);
}

// Runs the transfer to its end; CURLE_ABORTED_BY_CALLBACK when stopped.
CURLcode Run(const CurlLibrary& curl, CURLM* multi, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [&] { curl.multi_wakeup(multi); });
  for (int running = 1; running > 0;) {
    if (stop.stop_requested()) return CURLE_ABORTED_BY_CALLBACK;
    if (curl.multi_perform(multi, &running) != CURLM_OK) return CURLE_RECV_ERROR;
    if (running > 0) {
      curl.multi_poll(multi, nullptr, 0, static_cast<int>(kLongestPoll.count()), nullptr);
    }
  }
  int left = 0;
  const CURLMsg* message = curl.multi_info_read(multi, &left);
  return message != nullptr ? message->data.result : CURLE_RECV_ERROR;
}

Error Explain(CURLcode code, const Progress& progress) {
  const std::string& host = progress.hop.url.host;
  if (code == CURLE_ABORTED_BY_CALLBACK) return Error::Cancelled();
  if (progress.too_large) {
    return {Code::kTooLarge,
            StrCat("The reply of ", host, " is larger than ", progress.hop.options.max_body_bytes,
                   " bytes, or its headers are larger than ", kMaxHeaderBytes, "."),
            {}};
  }
  if (progress.wrong_address) {
    return {Code::kPermissionDenied, StrCat("This server may not connect to ", host, "."), {}};
  }
  base::Log(base::Severity::kInfo, "http request failed",
            {{"host", std::string_view(host)}, {"curl", static_cast<std::int64_t>(code)}});
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return {Code::kTimeout, StrCat(host, " did not answer in time."), {}};
    case CURLE_COULDNT_CONNECT:
      return Error::Unavailable(
          StrCat("No connection to ", host, " port ", progress.hop.url.port, "."));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return Error::Unavailable(
          StrCat("No secure connection to ", host,
                 ": its certificate is not trusted or it does not speak TLS."));
    default:
      return Error::Unavailable(StrCat("The reply of ", host, " could not be read."));
  }
}

}  // namespace

Result<HttpResponse> Transfer(const Hop& hop, std::stop_token stop) {
  ASSIGN_OR_RETURN(const CurlLibrary* curl, CurlLibrary::Get());
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      hop.deadline - std::chrono::steady_clock::now());
  Progress progress{hop, {}};
  if (left.count() <= 0) return Explain(CURLE_OPERATION_TIMEDOUT, progress);
  Lists lists(*curl);
  const CurlHandle<CURL> easy(curl->easy_init(), curl->easy_cleanup);
  const Multi multi(*curl);
  if (multi.handle == nullptr || !easy || !Fill(lists, hop))
    return Error::Unavailable("Out of memory.");
  Options options(*curl, easy.get());
  SetRequest(options, hop, lists);
  SetLimits(options, hop, left);
  SetCallbacks(options, progress);
  if (!options.ok() || curl->multi_add_handle(multi.handle, easy.get()) != CURLM_OK) {
    return Error::Unavailable("The request could not be prepared: install a newer libcurl4.");
  }
  const CURLcode code = Run(*curl, multi.handle, stop);
  long status = 0;
  char* address = nullptr;
  curl->easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  curl->easy_getinfo(easy.get(), CURLINFO_PRIMARY_IP, &address);
  progress.response.status = static_cast<int>(status);
  progress.response.address = address != nullptr ? address : "";
  curl->multi_remove_handle(multi.handle, easy.get());
  if (code != CURLE_OK) return Explain(code, progress);
  progress.response.url = hop.url.text;
  return std::move(progress.response);
}

}  // namespace toolpost::net
