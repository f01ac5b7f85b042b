// Messages in packets: requests put together, replies cut to the agreed size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tds_server/bytes.h"
#include "tds_server/channel.h"

namespace toolpost::tds_server {

enum class MessageType : std::uint8_t {
  kBatch = 0x01,
  kCall = 0x03,
  kReply = 0x04,
  kAttention = 0x06,
  kTransaction = 0x0e,
  kLogin = 0x10,
  kPrelogin = 0x12,
};

struct Message {
  MessageType type = MessageType::kBatch;
  std::string body;
  bool ignored = false;  // the client gave it up while sending it
};

// Nothing when the connection ended or the packet is malformed.
std::optional<Message> ReadMessage(Channel& channel);

// One reply, sent packet by packet while it is written. After a failure it swallows the rest.
class Reply final : public ByteWriter {
 public:
  Reply(Channel& channel, std::size_t packet_size, std::uint16_t session,
        MessageType type = MessageType::kReply)
      : channel_(channel), packet_size_(packet_size), session_(session), type_(type) {}

  void Bytes(std::string_view bytes) override;
  // Sends every full packet; with `all`, also the begun one, as if more followed.
  bool Flush(bool all = false);
  // Sends the rest as the last packet. False when the connection is lost.
  bool Finish();

 private:
  void Send(std::string_view payload, bool last);

  Channel& channel_;
  const std::size_t packet_size_;
  const std::uint16_t session_;
  const MessageType type_;
  std::uint8_t number_ = 1;
  bool lost_ = false;
};

}  // namespace toolpost::tds_server
