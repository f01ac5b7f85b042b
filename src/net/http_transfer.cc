// A libcurl handle of its own per transfer: reused connections would bypass the check of the
// address.
#include "net/http_transfer.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "base/strings.h"
#include "net/curl_library.h"
#include "net/host_policy.h"
#include "net/http_reply.h"

namespace toolpost::net {
namespace {

using base::StrCat;

constexpr std::chrono::milliseconds kLongestPoll{1'000};
constexpr std::chrono::milliseconds kBetweenReports{250};
constexpr std::int64_t kLeastBytesPerSecond = 1024;

// What the callbacks work with.
struct Progress {
  const Hop& hop;
  const CurlLibrary& curl;
  CURL* easy;
  ReplyReader reply;
  bool wrong_address = false;

  std::int64_t WireBytes() const {
    curl_off_t bytes = 0;
    curl.easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
    return bytes;
  }
};

std::size_t OnBody(char* data, std::size_t, std::size_t size, void* user) {
  auto& progress = *static_cast<Progress*>(user);
  return progress.reply.TakeBody({data, size}, progress.WireBytes()) ? size : 0;
}

std::size_t OnHeader(char* data, std::size_t, std::size_t size, void* user) {
  return static_cast<Progress*>(user)->reply.TakeHeaderLine({data, size}) ? size : 0;
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
  const HttpUrl& target = hop.proxy != nullptr ? *hop.proxy : hop.url;
  std::string pin = StrCat(target.host, ':', target.port, ':');
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
  const HttpUrl& target = hop.proxy != nullptr ? *hop.proxy : hop.url;
  if (!IpAddress::Parse(target.host)) ok = ok && lists.Add(lists.resolve, Pin(hop));
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

void SetRoute(Options& options, const Hop& hop) {
  options.Set(CURLOPT_PROTOCOLS_STR, "http,https");
  // An empty proxy is what keeps the environment's out.
  options.Set(CURLOPT_PROXY, hop.proxy != nullptr ? hop.proxy->text.c_str() : "");
  options.Set(CURLOPT_NOPROXY, hop.proxy != nullptr ? "" : "*");
  options.Set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));
  options.Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  options.Set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  options.Set(CURLOPT_SSL_VERIFYPEER, 1L);
  options.Set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!hop.options.ca_file.empty()) {
    options.Set(CURLOPT_CAINFO, hop.options.ca_file.c_str());
    options.Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
}

void SetLimits(Options& options, const Hop& hop, std::chrono::milliseconds left) {
  options.Set(CURLOPT_NOSIGNAL, 1L);
  options.Set(CURLOPT_FOLLOWLOCATION, 0L);
  options.Set(CURLOPT_FRESH_CONNECT, 1L);
  options.Set(CURLOPT_FORBID_REUSE, 1L);
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

// Sees replies that trickle. What happens before the first byte is the timeout's affair: a server
// may think before it answers.
class StallWatch {
 public:
  explicit StallWatch(const Progress& progress) : progress_(progress) {}

  bool Stalled() {
    if (!progress_.reply.began()) return false;
    const auto now = std::chrono::steady_clock::now();
    const auto window = progress_.hop.options.stall_time;
    if (since_ == base::SteadyTime{}) since_ = now;
    if (now - since_ < window) return false;
    const std::int64_t bytes =
        progress_.WireBytes() + static_cast<std::int64_t>(progress_.reply.header_bytes());
    const bool stalled = (bytes - bytes_) * 1'000 < kLeastBytesPerSecond * window.count();
    since_ = now;
    bytes_ = bytes;
    return stalled;
  }

 private:
  const Progress& progress_;
  base::SteadyTime since_{};
  std::int64_t bytes_ = 0;
};

class ProgressReports {
 public:
  explicit ProgressReports(const Progress& progress) : progress_(progress) {}

  void Report() {
    const auto& tell = progress_.hop.options.on_progress;
    const auto now = std::chrono::steady_clock::now();
    if (!tell || now - last_ < kBetweenReports) return;
    const std::int64_t bytes = progress_.WireBytes();
    if (bytes == bytes_) return;
    last_ = now;
    bytes_ = bytes;
    tell(bytes);
  }

 private:
  const Progress& progress_;
  base::SteadyTime last_ = std::chrono::steady_clock::now();
  std::int64_t bytes_ = 0;
};

// Runs the transfer to its end; CURLE_ABORTED_BY_CALLBACK when stopped.
CURLcode Run(CURLM* multi, const Progress& progress, const std::stop_token& stop) {
  const CurlLibrary& curl = progress.curl;
  const std::stop_callback wake(stop, [&] { curl.multi_wakeup(multi); });
  const auto poll = std::min({kLongestPoll, progress.hop.options.stall_time,
                              progress.hop.options.on_progress ? kBetweenReports : kLongestPoll});
  StallWatch watch(progress);
  ProgressReports reports(progress);
  for (int running = 1; running > 0;) {
    if (stop.stop_requested()) return CURLE_ABORTED_BY_CALLBACK;
    if (curl.multi_perform(multi, &running) != CURLM_OK) return CURLE_RECV_ERROR;
    if (running == 0) break;
    if (watch.Stalled()) return CURLE_OPERATION_TIMEDOUT;
    reports.Report();
    curl.multi_poll(multi, nullptr, 0, static_cast<int>(poll.count()), nullptr);
  }
  int left = 0;
  const CURLMsg* message = curl.multi_info_read(multi, &left);
  return message != nullptr ? message->data.result : CURLE_RECV_ERROR;
}

void Describe(const Progress& progress, HttpResponse& response) {
  long status = 0;
  long version = 0;
  char* address = nullptr;
  progress.curl.easy_getinfo(progress.easy, CURLINFO_RESPONSE_CODE, &status);
  progress.curl.easy_getinfo(progress.easy, CURLINFO_HTTP_VERSION, &version);
  progress.curl.easy_getinfo(progress.easy, CURLINFO_PRIMARY_IP, &address);
  response.status = static_cast<int>(status);
  response.version = version == CURL_HTTP_VERSION_2_0   ? "2"
                     : version == CURL_HTTP_VERSION_1_0 ? "1.0"
                                                        : "1.1";
  response.address = address != nullptr ? address : "";
  response.wire_bytes = progress.WireBytes();
}

Error TooLarge(const Progress& progress) {
  const std::string& host = progress.hop.url.host;
  switch (progress.reply.excess()) {
    case ReplyReader::Excess::kHeaders:
      return {Code::kTooLarge, StrCat("The headers of the reply of ", host, " exceed 64 KiB."), {}};
    case ReplyReader::Excess::kRatio:
      return {Code::kTooLarge,
              StrCat("The compressed reply of ", host,
                     " grows to more than 200 times its size: it was not read further."),
              {}};
    case ReplyReader::Excess::kEncodings:
      return {
          Code::kTooLarge, StrCat("The reply of ", host, " is compressed more than twice."), {}};
    default:
      return {Code::kTooLarge,
              StrCat("The reply of ", host, " is larger than ", progress.hop.options.max_body_bytes,
                     " bytes."),
              {}};
  }
}

Error Explain(CURLcode code, const Progress& progress) {
  const std::string& host = progress.hop.url.host;
  if (code == CURLE_ABORTED_BY_CALLBACK) return Error::Cancelled();
  if (progress.reply.excess() != ReplyReader::Excess::kNone) return TooLarge(progress);
  if (progress.wrong_address) return Refusal(host);
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
  Lists lists(*curl);
  const CurlHandle<CURL> easy(curl->easy_init(), curl->easy_cleanup);
  const Multi multi(*curl);
  if (multi.handle == nullptr || !easy || !Fill(lists, hop))
    return Error::Unavailable("Out of memory.");
  Progress progress{hop, *curl, easy.get(), ReplyReader(hop.options)};
  if (left.count() <= 0) return Explain(CURLE_OPERATION_TIMEDOUT, progress);
  Options options(*curl, easy.get());
  SetRequest(options, hop, lists);
  SetRoute(options, hop);
  SetLimits(options, hop, left);
  SetCallbacks(options, progress);
  if (!options.ok() || curl->multi_add_handle(multi.handle, easy.get()) != CURLM_OK) {
    return Error::Unavailable("The request could not be prepared: install a newer libcurl4.");
  }
  const CURLcode code = Run(multi.handle, progress, stop);
  HttpResponse& response = progress.reply.response();
  if (code == CURLE_OK) Describe(progress, response);
  curl->multi_remove_handle(multi.handle, easy.get());
  if (code != CURLE_OK) return Explain(code, progress);
  response.url = hop.url.text;
  return std::move(response);
}

}  // namespace toolpost::net
