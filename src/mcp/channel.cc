// Batches: one reply for many requests.
#include "mcp/channel.h"

namespace toolpost::mcp {

const Arrival& Channel::arrival() const {
  static const Arrival kWithin;
  return kWithin;
}

// The other kinds of channel keep it. NOLINTNEXTLINE(performance-unnecessary-value-param)
void Channel::FinishLong(base::LongMessage message) {
  Result<std::string> whole = message.Whole();
  if (whole) {
    Finish(*std::move(whole), 200);
  } else {
    Abandon();
  }
}

namespace {

class BatchMember : public Channel {
 public:
  explicit BatchMember(std::shared_ptr<BatchReply> batch) : batch_(std::move(batch)) {}

  void Send(std::string message) override { batch_->below().Send(std::move(message)); }
  void Finish(std::string message, int /*http_status*/) override { batch_->Add(message); }
  void Abandon() override { batch_->Add({}); }
  void OnCancel(std::function<void()> cancel) override {
    batch_->below().OnCancel(std::move(cancel));
  }
  SharedPrincipal principal() const override { return batch_->below().principal(); }
  const Arrival& arrival() const override { return batch_->below().arrival(); }

 private:
  std::shared_ptr<BatchReply> batch_;
};

}  // namespace

BatchReply::BatchReply(std::shared_ptr<Channel> below, std::size_t requests)
    : below_(std::move(below)), open_(requests) {}

std::shared_ptr<Channel> BatchReply::Member(std::shared_ptr<BatchReply> batch) {
  return std::make_shared<BatchMember>(std::move(batch));
}

void BatchReply::Add(std::string_view message) {
  std::string reply;
  {
    std::lock_guard lock(mutex_);
    if (!message.empty()) {
      if (array_.size() > 1) array_.push_back(',');
      array_.append(message);
    }
    if (--open_ > 0) return;
    if (array_.size() > 1) reply = std::move(array_) + "]";
  }
  if (reply.empty()) {
    below_->Abandon();
  } else {
    below_->Finish(std::move(reply), 200);
  }
}

}  // namespace toolpost::mcp
