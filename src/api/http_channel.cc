// Refusals around replies.
#include "api/http_channel.h"

#include "base/strings.h"

namespace toolpost::api {

bool HttpChannel::Refuse(const Error& error) {
  if (context_.authenticator == nullptr || begun()) return false;
  refusal_ = HttpRefusalOf(error, *context_.principal, *context_.authenticator);
  return refusal_.status != 0;
}

void HttpChannel::SendJson(int status, std::string message) {
  if (refusal_.status == 0)
    return exchange_->Send(status, "application/json", std::move(message), context_.cors);
  exchange_->Send(refusal_.status, "application/json", std::move(message),
                  base::StrCat(refusal_.headers, context_.cors));
}

void HttpChannel::SendLongJson(int status, base::LongMessage message) {
  exchange_->SendLong(status, "application/json", std::move(message), context_.cors);
}

}  // namespace toolpost::api
