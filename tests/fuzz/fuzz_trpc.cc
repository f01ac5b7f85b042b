// Any bytes as a tRPC request: the first line is the target below /trpc/, the second header values,
// the rest the body; the first byte chooses the method. What is read keeps its bounds, every input
// comes from the request, and every refusal is valid JSON.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "api/trpc_request.h"
#include "api/trpc_wire.h"
#include "base/json_parse.h"

namespace {

std::string_view Line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

void Check(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using toolpost::api::TrpcRequest;
  if (size == 0) return 0;
  constexpr std::array<std::string_view, 4> kMethods = {"GET", "POST", "PUT", "HEAD"};
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string target = "/trpc/" + std::string(Line(rest));
  const std::string_view header = Line(rest);
  const std::vector<toolpost::net::Header> headers = {
      {"Content-Type", data[0] & 4 ? header : "application/json"},
      {data[0] & 8 ? "trpc-accept" : "Accept", header}};
  toolpost::net::Request request;
  request.method = kMethods[data[0] & 3];
  request.target = target;
  request.path = std::string_view(target).substr(0, target.find('?'));
  request.query = std::string_view(target).substr(std::min(target.size(), request.path.size() + 1));
  request.headers = &headers;
  request.body = rest;

  const toolpost::api::TrpcHeaders with(request);
  const auto read = TrpcRequest::Read(with.request());
  Check(read->calls().size() <= TrpcRequest::kMaxBatch);
  if (read->refusal()) {
    Check(toolpost::base::ParseJson(toolpost::api::TrpcErrorEnvelope(*read->refusal(), {}))
              .has_value());
    return 0;
  }
  Check(!read->calls().empty());
  read->ReadInputs(request);
  for (std::size_t i = 0; i < read->calls().size(); ++i) {
    const TrpcRequest::Call& call = read->calls()[i];
    if (call.refusal) {
      Check(toolpost::base::ParseJson(toolpost::api::TrpcErrorEnvelope(*call.refusal, call.path))
                .has_value());
    } else {
      Check(call.procedure != nullptr);
      (void)read->InputOf(i);
    }
  }
  return 0;
}
