// For tests only: an exchange that writes down what is done to it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "net/http_server.h"

namespace toolpost::api {

// Used by one thread.
class RecordedExchange : public net::Exchange {
 public:
  void Send(int reply_status, std::string_view content_type, std::string reply_body,
            std::string_view reply_headers) override {
    status = reply_status;
    type = content_type;
    headers = reply_headers;
    body = std::move(reply_body);
    ended = true;
  }
  void SendLong(int reply_status, std::string_view content_type, base::LongMessage reply_body,
                std::string_view reply_headers) override {
    Send(reply_status, content_type, *reply_body.Whole(), reply_headers);
  }
  void StartStream(int reply_status, std::string_view content_type,
                   std::string_view reply_headers) override {
    status = reply_status;
    type = content_type;
    headers = reply_headers;
  }
  void Write(std::string data) override { body += data; }
  void WriteLong(base::LongMessage data) override { body += *data.Whole(); }
  void End() override { ended = true; }
  void OnClose(std::function<void()> callback) override { on_close = std::move(callback); }
  std::size_t Backlog() const override { return backlog; }

  int status = 0;  // 0: nothing sent yet
  std::string type;
  std::string headers;
  std::string body;
  std::size_t backlog = 0;
  bool ended = false;
  std::function<void()> on_close;
};

}  // namespace toolpost::api
