// From the first byte to the logged-in session.
#include <algorithm>

#include "base/strings.h"
#include "tds_server/session.h"

namespace toolpost::tds_server {
namespace {

constexpr std::string_view kCollation("\x09\x04\xd0\x00\x34", 5);

// Waits for the client to go.
bool Silence(Channel& channel) {
  while (ReadMessage(channel)) {
  }
  return false;
}

bool Afflicted(Fault fault, Channel& channel) {
  if (fault == Fault::kSilent) Silence(channel);
  return fault != Fault::kNone;
}

Encrypt Answer(Encrypt asked, const Script& script, bool possible) {
  if (!possible) return Encrypt::kUnsupported;
  if (asked == Encrypt::kOn || asked == Encrypt::kRequired) return Encrypt::kOn;
  if (script.encryption_required) return Encrypt::kRequired;
  return asked;
}

}  // namespace

bool Session::LogIn() {
  const auto rules = around_.rules();
  const Script& script = rules->script();
  if (!Prelogin(script)) return false;
  const auto message = ReadMessage(channel_);
  if (!message || message->type != MessageType::kLogin) return false;
  auto login = ReadLogin(message->body);
  if (!login || Afflicted(script.login, channel_)) return false;
  login->encrypted = channel_.encrypted();
  if (login_only_) channel_.DropTls();
  Received request = Note(Received::Kind::kLogin);
  request.login = *login;
  around_.record->Add(std::move(request));
  if (script.login_delay.count() > 0) channel_.Await(script.login_delay);
  return AnswerLogin(script, *login);
}

bool Session::Prelogin(const Script& script) {
  const auto message = ReadMessage(channel_);
  if (!message || message->type != MessageType::kPrelogin) return false;
  const auto asked = ReadPrelogin(message->body);
  if (!asked || Afflicted(script.prelogin, channel_)) return false;
  const Encrypt answer = Answer(*asked, script, around_.tls != nullptr);
  Reply reply = NewReply();
  reply.Bytes(PreloginReply(answer));
  if (!reply.Finish()) return false;
  login_only_ = answer == Encrypt::kLoginOnly;
  return answer == Encrypt::kUnsupported || Handshake();
}

// Its records travel in PRELOGIN packets.
bool Session::Handshake() {
  channel_.BeginTls(around_.tls);
  for (;;) {
    const auto message = ReadMessage(channel_);
    if (!message || message->type != MessageType::kPrelogin) return false;
    std::string to_send;
    const Channel::Handshake step = channel_.Step(message->body, to_send);
    if (!to_send.empty() && !SendHandshake(to_send)) return false;
    if (step == Channel::Handshake::kFailed) return false;
    if (step == Channel::Handshake::kGoesOn) continue;
    channel_.UseTls();
    return true;
  }
}

bool Session::SendHandshake(std::string_view records) {
  Reply reply = NewReply(MessageType::kPrelogin);
  reply.Bytes(records);
  return reply.Finish();
}

bool Session::AnswerLogin(const Script& script, const Login& login) {
  Reply reply = NewReply();
  const auto refuse_with = [&](ServerMessage message) {
    message.server = script.server_name;
    WriteMessage(reply, message);
    WriteDone(reply, DoneToken::kDone, kFailed);
    reply.Finish();
    return false;
  };
  const auto refuse = [&](std::int32_t number, std::string text) {
    return refuse_with({.number = number, .severity = 14, .text = std::move(text)});
  };
  if (script.refusal) return refuse_with(*script.refusal);
  if (!script.user.empty() && (login.user != script.user || login.password != script.password)) {
    return refuse(18456, base::StrCat("Login failed for user '", login.user, "'."));
  }
  const auto& known = script.databases;
  const std::string initial = known.empty() ? "master" : known.front();
  const std::string database = login.database.empty() ? initial : login.database;
  if (!known.empty() && std::find(known.begin(), known.end(), database) == known.end()) {
    return refuse(4060, base::StrCat("Cannot open database \"", database,
                                     "\" requested by the login. The login failed."));
  }
  const std::uint32_t wanted = login.packet_size == 0 ? 4096 : login.packet_size;
  const std::uint32_t size = std::clamp<std::uint32_t>(wanted, 512, 32'767);
  WriteChange(reply, Change::kDatabase, database, "master");
  WriteMessage(reply, {.number = 5701,
                       .state = 2,
                       .text = base::StrCat("Changed database context to '", database, "'."),
                       .server = script.server_name});
  WriteRawChange(reply, Change::kCollation, kCollation, {});
  WriteChange(reply, Change::kLanguage, "us_english", "");
  WriteMessage(reply, {.number = 5703,
                       .text = "Changed language setting to us_english.",
                       .server = script.server_name});
  WriteLoginAck(reply, "Microsoft SQL Server");
  WriteChange(reply, Change::kPacketSize, base::StrCat(size), "4096");
  WriteDone(reply, DoneToken::kDone, 0);
  if (!reply.Finish()) return false;
  packet_size_ = size;
  return true;
}

}  // namespace toolpost::tds_server
