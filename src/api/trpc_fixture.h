// For tests only: requests of tRPC clients and what they are answered.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/exchange_fixture.h"
#include "net/http_server.h"

namespace toolpost::api {

// A request with the memory its views need.
class TrpcTestRequest {
 public:
  explicit TrpcTestRequest(std::string below) : target(std::move(below)) {}

  std::string method = "GET";
  std::string target;  // below /trpc/
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;

  net::Request view() {
    whole_ = "/trpc/" + target;
    all_.clear();
    for (const auto& [name, value] : headers) all_.push_back({name, value});
    const std::size_t mark = std::min(whole_.find('?'), whole_.size());
    net::Request request;
    request.method = method;
    request.target = whole_;
    request.path = std::string_view(whole_).substr(0, mark);
    request.query = std::string_view(whole_).substr(std::min(mark + 1, whole_.size()));
    request.headers = &all_;
    request.body = body;
    return request;
  }

 private:
  std::string whole_;
  std::vector<net::Header> all_;
};

inline TrpcTestRequest TrpcGet(std::string target) { return TrpcTestRequest(std::move(target)); }
inline TrpcTestRequest TrpcPost(std::string target, std::string body) {
  TrpcTestRequest request(std::move(target));
  request.method = "POST";
  request.body = std::move(body);
  request.headers = {{"Content-Type", "application/json"}};
  return request;
}

}  // namespace toolpost::api
