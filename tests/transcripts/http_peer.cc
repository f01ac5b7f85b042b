// A raw HTTP/1.1 client: one connection per request, replies as JSON or as a stream of events.
#include <atomic>
#include <charconv>
#include <map>
#include <thread>
#include <vector>

#include "peer.h"
#include "socket.h"

namespace toolpost::transcripts {
namespace {

std::string Lower(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

// One request and the thread that reads its reply into the inbox.
class Exchange {
 public:
  Exchange(std::uint16_t port, const std::string& request, Mailbox& inbox)
      : socket_(port), inbox_(inbox) {
    socket_.Write(request);
    ReadHead();
    reader_ = std::thread([this] { ReadBody(); });
  }
  ~Exchange() {
    socket_.Shutdown();
    reader_.join();
  }

  int status() const { return status_; }
  std::string header(const std::string& name) const {
    const auto found = headers_.find(name);
    return found == headers_.end() ? std::string() : found->second;
  }

 private:
  void ReadHead() {
    const std::string line = socket_.ReadLine();
    if (line.size() > 12) std::from_chars(line.data() + 9, line.data() + 12, status_);
    for (std::string field; !(field = socket_.ReadLine()).empty();) {
      const auto colon = field.find(':');
      const auto value = field.find_first_not_of(' ', colon + 1);
      headers_[Lower(field.substr(0, colon))] =
          value == std::string::npos ? "" : field.substr(value);
    }
  }

  void ReadBody() {
    const bool events = header("content-type").starts_with("text/event-stream");
    std::string text;
    for (std::string piece; !(piece = NextPiece()).empty();) {
      text += piece;
      if (events) TakeEvents(text);
    }
    if (!events && !text.empty()) inbox_.Push(text);
  }

  std::string NextPiece() {
    if (header("transfer-encoding") == "chunked") {
      std::size_t size = 0;
      const std::string line = socket_.ReadLine();
      std::from_chars(line.data(), line.data() + line.size(), size, 16);
      std::string piece = socket_.Read(size);
      socket_.ReadLine();
      return piece;
    }
    if (const std::string length = header("content-length"); !length.empty() && !body_read_) {
      body_read_ = true;
      return socket_.Read(std::stoul(length));
    }
    return header("content-length").empty() ? socket_.Read(1) : std::string();
  }

  // Events end with an empty line. Only data is looked at; an empty one is the priming event.
  void TakeEvents(std::string& text) {
    for (std::size_t end; (end = text.find("\n\n")) != std::string::npos; text.erase(0, end + 2)) {
      std::string data;
      std::string_view event(text.data(), end);
      while (!event.empty()) {
        const auto line_end = event.find('\n');
        const std::string_view line = event.substr(0, line_end);
        if (line.starts_with("data: ")) data += line.substr(6);
        event = line_end == std::string_view::npos ? "" : event.substr(line_end + 1);
      }
      if (!data.empty()) inbox_.Push(data);
    }
  }

  Socket socket_;
  Mailbox& inbox_;
  int status_ = 0;
  bool body_read_ = false;
  std::map<std::string, std::string> headers_;
  std::thread reader_;
};

class HttpPeer : public Peer {
 public:
  explicit HttpPeer(std::uint16_t port) : port_(port) {
    headers_["Accept"] = "application/json, text/event-stream";
    headers_["Content-Type"] = "application/json";
  }

  Result<void> Send(std::string_view text) override { return Request("POST", text); }
  Result<void> Get() override { return Request("GET", ""); }
  Result<void> Delete() override { return Request("DELETE", ""); }
  std::optional<std::string> Receive() override { return inbox_.Pop(); }
  Result<void> Close() override {
    exchanges_.clear();
    inbox_.Close();
    if (!inbox_.Ended()) return Error::Internal("the server said more");
    return {};
  }

  Result<void> SetHeader(std::string_view line) override {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return Error::InvalidParams("a header needs a colon");
    const auto value = line.find_first_not_of(' ', colon + 1);
    const std::string name(line.substr(0, colon));
    headers_.erase(name);
    if (value != std::string_view::npos) headers_[name] = std::string(line.substr(value));
    return {};
  }
  Result<void> SetPath(std::string_view path) override {
    path_ = std::string(path);
    return {};
  }
  Result<int> Status() override {
    if (exchanges_.empty()) return Error::InvalidParams("nothing was requested yet");
    return exchanges_.back()->status();
  }
  std::string Session() override {
    return exchanges_.empty() ? std::string() : exchanges_.back()->header("mcp-session-id");
  }

 private:
  Result<void> Request(std::string_view method, std::string_view body) {
    std::string request = std::string(method) + " " + path_ + " HTTP/1.1\r\n";
    request += "Host: 127.0.0.1:" + std::to_string(port_) + "\r\nConnection: close\r\n";
    for (const auto& [name, value] : headers_) request += name + ": " + value + "\r\n";
    if (method == "POST") request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    request += "\r\n";
    request += body;
    exchanges_.push_back(std::make_unique<Exchange>(port_, request, inbox_));
    return {};
  }

  std::uint16_t port_;
  std::string path_ = "/mcp";
  std::map<std::string, std::string> headers_;
  Mailbox inbox_;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
};

}  // namespace

std::unique_ptr<Peer> ConnectHttp(std::uint16_t port) { return std::make_unique<HttpPeer>(port); }

}  // namespace toolpost::transcripts
