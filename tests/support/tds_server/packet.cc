// The eight bytes before each packet.
#include "tds_server/packet.h"

#include <algorithm>

namespace toolpost::tds_server {
namespace {

constexpr std::size_t kHeader = 8;
constexpr std::size_t kLargestMessage = std::size_t{256} << 20;
constexpr std::size_t kKeep = 65'536;  // of a reply, before it is sent
constexpr std::uint8_t kLast = 0x01, kIgnore = 0x02;

}  // namespace

std::optional<Message> ReadMessage(Channel& channel) {
  Message message;
  for (;;) {
    char header[kHeader];
    if (!channel.Read(header, kHeader)) return std::nullopt;
    ByteReader in({header, kHeader});
    message.type = static_cast<MessageType>(in.U8());
    const std::uint8_t status = in.U8();
    const std::size_t size = in.U16Big();
    if (size < kHeader || message.body.size() + size > kLargestMessage) return std::nullopt;
    const std::size_t start = message.body.size();
    message.body.resize(start + size - kHeader);
    if (!channel.Read(message.body.data() + start, size - kHeader)) return std::nullopt;
    message.ignored = (status & kIgnore) != 0;
    if ((status & kLast) != 0) return message;
  }
}

void Reply::Bytes(std::string_view bytes) {
  if (!lost_) data_.append(bytes);
  if (data_.size() > kKeep) Flush();
}

bool Reply::Flush(bool all) {
  const std::size_t payload = packet_size_ - kHeader;
  std::size_t sent = 0;
  // The last byte stays: the last packet must not be empty.
  while (data_.size() - sent > payload || (all && data_.size() > sent)) {
    const std::size_t size = std::min(payload, data_.size() - sent);
    Send(std::string_view(data_).substr(sent, size), false);
    sent += size;
  }
  data_.erase(0, sent);
  return !lost_;
}

bool Reply::Finish() {
  Flush();
  Send(data_, true);
  data_.clear();
  return !lost_;
}

void Reply::Send(std::string_view payload, bool last) {
  if (lost_) return;
  ByteWriter packet;
  packet.U8(static_cast<std::uint8_t>(type_));
  packet.U8(last ? kLast : 0);
  packet.U16Big(static_cast<std::uint16_t>(payload.size() + kHeader));
  packet.U16Big(session_);
  packet.U8(number_++);
  packet.U8(0);
  packet.Bytes(payload);
  lost_ = !channel_.Write(packet.data());
}

}  // namespace toolpost::tds_server
