// The conversation with one client.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "tds_server/channel.h"
#include "tds_server/packet.h"
#include "tds_server/player.h"
#include "tds_server/record.h"
#include "tds_server/request.h"
#include "tds_server/rules.h"

namespace toolpost::tds_server {

class Session {
 public:
  struct Surroundings {
    std::function<std::shared_ptr<Rules>()> rules;  // those of now
    Record* record = nullptr;
    SSL_CTX* tls = nullptr;  // null: no encryption
  };

  Session(Channel& channel, int number, Surroundings surroundings)
      : channel_(channel), number_(number), around_(std::move(surroundings)) {}

  // Until the client goes, or the script cuts it off.
  void Run();

 private:
  bool LogIn();
  bool Prelogin(const Script& script);
  bool Handshake();
  bool SendHandshake(std::string_view records);
  bool AnswerLogin(const Script& script, const Login& login);
  bool Serve(const Message& message);
  bool AnswerBatch(const Message& message);
  bool AnswerCalls(const Message& message);
  Player::End AnswerCall(const Call& call, Reply& reply, bool more);
  // Ends the reply that an attention broke off, and acknowledges the attention.
  bool BreakOff(Reply& reply);
  bool AcknowledgeAttention();
  bool AnswerTransaction(const Message& message);
  bool AnswerAttention();
  bool AnswerNothing();
  Player::End Play(Player& player, Rules& rules, const Received& request);
  Received Note(Received::Kind kind) const { return {.connection = number_, .kind = kind}; }
  Reply NewReply(MessageType type = MessageType::kReply) {
    return {channel_, packet_size_, static_cast<std::uint16_t>(50 + number_), type};
  }

  Channel& channel_;
  const int number_;
  const Surroundings around_;
  std::size_t packet_size_ = 4096;
  bool login_only_ = false;  // encryption ends with the login
  std::map<std::int64_t, std::string> prepared_;
  std::int32_t last_handle_ = 0;
  std::uint64_t transaction_ = 0;
};

}  // namespace toolpost::tds_server
