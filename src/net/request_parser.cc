// RequestParser over Beast's basic_parser, with the storage and the anti-smuggling rules of our
// own.
#include "net/request_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>
#include <string>

#include "base/strings.h"

namespace toolpost::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::size_t kKeptBody = std::size_t{64} * 1024;
constexpr std::size_t kShortestChunkedEnd = 5;  // "0\r\n\r\n"

struct Slot {
  std::size_t name;
  std::size_t name_size;
  std::size_t value_size;
};

// What outlives one request, so that parsing the next allocates nothing.
struct Storage {
  std::string arena;  // method, target, then name and value of each header
  std::size_t method_size = 0;
  std::size_t target_size = 0;
  std::vector<Slot> slots;
  std::vector<Header> headers;
  std::string body_copy;
  std::string_view body;
  std::size_t max_header_bytes = 0;
  std::size_t header_bytes = 0;
  std::size_t hosts = 0;
  bool is_get = false;
  bool http11 = false;
  bool header_done = false;
  bool body_started = false;
  bool has_upgrade = false;
  bool has_length = false;
  bool has_coding = false;
  bool coding_is_chunked = false;
  std::size_t expect_slot = 0;  // 1-based

  void Clear() {
    arena.clear();
    slots.clear();
    headers.clear();
    if (body_copy.capacity() > kKeptBody) std::string().swap(body_copy);
    body_copy.clear();
    body = {};
    header_bytes = hosts = expect_slot = 0;
    is_get = http11 = header_done = body_started = false;
    has_upgrade = has_length = has_coding = coding_is_chunked = false;
  }
};

class BeastParser final : public http::basic_parser<true> {
 public:
  BeastParser(Storage& storage, std::size_t max_body_bytes) : storage_(storage) {
    eager(true);
    header_limit(static_cast<std::uint32_t>(storage.max_header_bytes));
    body_limit(max_body_bytes);
  }

 private:
  // Beast applies its limit to what is still unparsed; fed in pieces, the sum would be unbounded.
  bool CountHeader(std::size_t bytes, error_code& ec) {
    storage_.header_bytes += bytes;
    if (storage_.header_bytes <= storage_.max_header_bytes) return true;
    ec = http::error::header_limit;
    return false;
  }

  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code& ec) override {
    if (!CountHeader(method.size() + target.size() + 12, ec)) return;
    storage_.http11 = version == 11;
    storage_.arena.append(method).append(target);
    storage_.method_size = method.size();
    storage_.target_size = target.size();
    storage_.is_get = method == "GET";
  }

  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& ec) override {
    if (!CountHeader(name.size() + value.size() + 4, ec)) return;
    if (storage_.header_done) return;  // trailers are counted and dropped
    if (storage_.slots.size() == RequestParser::kMaxHeaders) {
      ec = http::error::header_limit;
      return;
    }
    switch (field) {
      case http::field::host:
        ++storage_.hosts;
        break;
      case http::field::content_length:
        storage_.has_length = true;
        break;
      case http::field::upgrade:
        storage_.has_upgrade = base::EqualIgnoringCase(value, "websocket");
        break;
      case http::field::expect:
        storage_.expect_slot = storage_.slots.size() + 1;
        break;
      case http::field::transfer_encoding:
        storage_.coding_is_chunked =
            !storage_.has_coding && base::EqualIgnoringCase(value, "chunked");
        storage_.has_coding = true;
        break;
      default:
        break;
    }
    storage_.slots.push_back({storage_.arena.size(), name.size(), value.size()});
    storage_.arena.append(name).append(value);
  }

  void on_header_impl(error_code& ec) override {
    if (storage_.has_coding && !storage_.has_length && !storage_.coding_is_chunked) {
      ec = http::error::bad_transfer_encoding;
      return;
    }
    // RFC 9112 6.1: Transfer-Encoding beside Content-Length or in HTTP/1.0 is faulty framing. 3.2:
    // one Host in 1.1.
    if ((storage_.has_coding && (storage_.has_length || !storage_.http11)) || storage_.hosts > 1 ||
        (storage_.http11 && storage_.hosts == 0)) {
      ec = http::error::bad_value;
      return;
    }
    for (const Slot& slot : storage_.slots) {
      const char* name = storage_.arena.data() + slot.name;
      storage_.headers.push_back(
          {{name, slot.name_size}, {name + slot.name_size, slot.value_size}});
    }
    storage_.header_done = true;
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    length_ = length.value_or(0);
  }

  std::size_t on_body_impl(string_view body, error_code&) override {
    if (!storage_.body_started && body.size() == length_) {
      storage_.body = body;
    } else {
      storage_.body_copy.append(body);
      storage_.body = storage_.body_copy;
    }
    storage_.body_started = true;
    return body.size();
  }

  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    storage_.body_started = true;
    storage_.body_copy.append(body);
    storage_.body = storage_.body_copy;
    return body.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view extensions, error_code& ec) override {
    CountHeader(extensions.size(), ec);
  }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_finish_impl(error_code&) override {}

  Storage& storage_;
  std::uint64_t length_ = 0;
};

RequestParser::Outcome ToOutcome(const error_code& ec) {
  using Outcome = RequestParser::Outcome;
  if (ec == http::error::need_more) return Outcome::kNeedMore;
  if (ec == http::error::header_limit) return Outcome::kHeaderTooLarge;
  if (ec == http::error::body_limit) return Outcome::kBodyTooLarge;
  return Outcome::kMalformed;
}

}  // namespace

struct RequestParser::Engine {
  Storage storage;
  std::size_t max_body_bytes;
  std::optional<BeastParser> parser;
};

RequestParser::RequestParser(std::size_t max_header_bytes, std::size_t max_body_bytes)
    : engine_(std::make_unique<Engine>()) {
  engine_->storage.max_header_bytes = max_header_bytes;
  engine_->max_body_bytes = max_body_bytes;
  Reset();
}

RequestParser::~RequestParser() = default;

void RequestParser::Reset() {
  engine_->storage.Clear();
  engine_->parser.emplace(engine_->storage, engine_->max_body_bytes);
}

RequestParser::Outcome RequestParser::Feed(std::string_view input, std::size_t& consumed) {
  consumed = 0;
  // RFC 9112 2.2: empty lines before a request line are ignored.
  while (!started() && input.substr(0, 2) == "\r\n") {
    input.remove_prefix(2);
    consumed += 2;
  }
  if (!started() && (input.empty() || input == "\r")) return Outcome::kNeedMore;
  // Beast asserts that the last chunk's line comes with the empty line after it; at least this much
  // always follows.
  if (header_done() && engine_->parser->chunked() && input.size() < kShortestChunkedEnd) {
    return Outcome::kNeedMore;
  }
  error_code ec;
  std::size_t used = engine_->parser->put({input.data(), input.size()}, ec);
  consumed += used;
  if (!ec) return engine_->parser->is_done() ? Outcome::kComplete : Outcome::kNeedMore;
  const Storage& storage = engine_->storage;
  if (ec == http::error::bad_transfer_encoding && storage.has_coding && storage.http11 &&
      !storage.coding_is_chunked && !storage.header_done) {
    return Outcome::kUnimplemented;
  }
  // Unfinished chunk lines and trailers wait in the input, beyond the reach of Beast's limit.
  if (ec == http::error::need_more && input.size() - used > storage.max_header_bytes) {
    return Outcome::kHeaderTooLarge;
  }
  return ToOutcome(ec);
}

bool RequestParser::started() const { return engine_->parser->got_some(); }
bool RequestParser::header_done() const { return engine_->storage.header_done; }
bool RequestParser::body_started() const { return engine_->storage.body_started; }

std::string_view RequestParser::method() const {
  return std::string_view(engine_->storage.arena).substr(0, engine_->storage.method_size);
}

std::string_view RequestParser::target() const {
  const Storage& storage = engine_->storage;
  return std::string_view(storage.arena).substr(storage.method_size, storage.target_size);
}

const std::vector<Header>& RequestParser::headers() const { return engine_->storage.headers; }
std::string_view RequestParser::body() const { return engine_->storage.body; }
bool RequestParser::keep_alive() const { return engine_->parser->keep_alive(); }
bool RequestParser::http11() const { return engine_->storage.http11; }

bool RequestParser::websocket_upgrade() const {
  const Storage& storage = engine_->storage;
  return storage.has_upgrade && storage.is_get && storage.http11 && engine_->parser->upgrade();
}

std::string_view RequestParser::expect() const {
  const Storage& storage = engine_->storage;
  return storage.expect_slot == 0 ? std::string_view()
                                  : storage.headers[storage.expect_slot - 1].value;
}

TargetParts SplitTarget(std::string_view target) {
  if (!target.starts_with('/')) {
    if (auto scheme = target.find("://"); scheme != std::string_view::npos) {
      auto path = target.find_first_of("/?", scheme + 3);
      if (path == std::string_view::npos) return {"/", {}};
      if (target[path] == '?') return {"/", target.substr(path + 1)};
      target.remove_prefix(path);
    }
  }
  auto mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

}  // namespace toolpost::net
