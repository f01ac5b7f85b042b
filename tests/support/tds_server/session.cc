// Statements, calls and transactions; session_login.cc has what comes before.
#include "tds_server/session.h"

#include <algorithm>

namespace toolpost::tds_server {
namespace {

// Where a procedure that runs a statement has its parts; -1: it has none.
struct Layout {
  std::string_view procedure;
  int handle;
  int text;
  int values;
};

constexpr Layout kLayouts[] = {
    {"sp_executesql", -1, 0, 2}, {"sp_prepare", -1, 2, 4},   {"sp_prepexec", -1, 2, 3},
    {"sp_execute", 0, -1, 1},    {"sp_unprepare", 0, -1, 1},
};

std::string TextAt(const std::vector<Parameter>& parameters, int at) {
  if (at < 0 || static_cast<std::size_t>(at) >= parameters.size()) return {};
  const Json& value = parameters[static_cast<std::size_t>(at)].value;
  return value.is_string() ? std::string(std::string_view(value.get_string())) : std::string();
}

std::int64_t IntegerAt(const std::vector<Parameter>& parameters, int at) {
  if (at < 0 || static_cast<std::size_t>(at) >= parameters.size()) return 0;
  const Json& value = parameters[static_cast<std::size_t>(at)].value;
  return value.is_int64() ? value.get_int64() : 0;
}

std::string_view TransactionName(TransactionRequest request) {
  switch (request) {
    case TransactionRequest::kBegin:
      return "begin";
    case TransactionRequest::kCommit:
      return "commit";
    case TransactionRequest::kRollback:
      return "rollback";
    default:
      return "save";
  }
}

}  // namespace

void Session::Run() {
  if (LogIn()) {
    while (const auto message = ReadMessage(channel_)) {
      if (!Serve(*message)) break;
    }
  }
  around_.record->Add(Note(Received::Kind::kClosed));
}

bool Session::Serve(const Message& message) {
  if (message.ignored) return AnswerNothing();
  switch (message.type) {
    case MessageType::kBatch:
      return AnswerBatch(message);
    case MessageType::kCall:
      return AnswerCalls(message);
    case MessageType::kTransaction:
      return AnswerTransaction(message);
    case MessageType::kAttention:
      return AnswerAttention();
    default:
      return false;
  }
}

Player::End Session::Play(Player& player, Rules& rules, const Received& request) {
  const bool in_procedure = request.kind == Received::Kind::kCall;
  const Rules::Steps chosen = rules.Choose(request);
  const Player::End end = player.Play(chosen.steps, in_procedure);
  if (end != Player::End::kDone || player.failed()) return end;
  return player.Play(chosen.after, in_procedure);
}

bool Session::AnswerBatch(const Message& message) {
  auto text = ReadBatch(message.body);
  if (!text) return false;
  Received request = Note(Received::Kind::kBatch);
  request.text = *std::move(text);
  around_.record->Add(request);
  const auto rules = around_.rules();
  Reply reply = NewReply();
  Player player(channel_, reply, rules->script(), [&] {
    around_.record->Add(Note(Received::Kind::kAttention));
    return !rules->script().ignore_attention;
  });
  const Player::End end = Play(player, *rules, request);
  if (end == Player::End::kCut) return false;
  if (end == Player::End::kAttention) return BreakOff(reply);
  player.FinishBatch();
  return reply.Finish();
}

bool Session::AnswerCalls(const Message& message) {
  const auto calls = ReadCalls(message.body);
  if (!calls) return false;
  Reply reply = NewReply();
  for (std::size_t i = 0; i < calls->size(); ++i) {
    const Player::End end = AnswerCall((*calls)[i], reply, i + 1 < calls->size());
    if (end == Player::End::kCut) return false;
    if (end == Player::End::kAttention) return BreakOff(reply);
  }
  return reply.Finish();
}

Player::End Session::AnswerCall(const Call& call, Reply& reply, bool more) {
  Received request = Note(Received::Kind::kCall);
  request.procedure = call.procedure;
  request.parameters = call.parameters;
  const auto* layout = std::find_if(std::begin(kLayouts), std::end(kLayouts),
                                    [&](const Layout& l) { return l.procedure == call.procedure; });
  std::int32_t handle = 0;
  if (layout != std::end(kLayouts)) {
    const std::int64_t used = IntegerAt(call.parameters, layout->handle);
    request.text = layout->handle >= 0 ? prepared_[used] : TextAt(call.parameters, layout->text);
    const auto values = std::min(static_cast<std::size_t>(layout->values), call.parameters.size());
    request.parameters.erase(request.parameters.begin(),
                             request.parameters.begin() + static_cast<std::ptrdiff_t>(values));
    if (call.procedure == "sp_prepare" || call.procedure == "sp_prepexec") {
      handle = ++last_handle_;
      prepared_[handle] = request.text;
    }
    if (call.procedure == "sp_unprepare") prepared_.erase(used);
  }
  around_.record->Add(request);
  const auto rules = around_.rules();
  Player player(channel_, reply, rules->script(), [&] {
    around_.record->Add(Note(Received::Kind::kAttention));
    return !rules->script().ignore_attention;
  });
  const bool runs = call.procedure != "sp_prepare" && call.procedure != "sp_unprepare";
  const Player::End end = runs ? Play(player, *rules, request) : Player::End::kDone;
  if (end == Player::End::kDone) player.FinishProcedure(handle, more);
  return end;
}

bool Session::AnswerTransaction(const Message& message) {
  const auto kind = ReadTransactionRequest(message.body);
  if (!kind) return false;
  Received request = Note(Received::Kind::kTransaction);
  request.procedure = TransactionName(*kind);
  around_.record->Add(request);
  ByteWriter descriptor;
  if (*kind == TransactionRequest::kBegin) ++transaction_;
  descriptor.U64(transaction_);
  Reply reply = NewReply();
  if (*kind == TransactionRequest::kBegin) {
    WriteRawChange(reply, Change::kBegin, descriptor.data(), {});
  } else if (*kind == TransactionRequest::kCommit) {
    WriteRawChange(reply, Change::kCommit, {}, descriptor.data());
  } else if (*kind == TransactionRequest::kRollback) {
    WriteRawChange(reply, Change::kRollback, {}, descriptor.data());
  }
  WriteDone(reply, DoneToken::kDone, 0);
  return reply.Finish();
}

// One that crossed the end of the reply it was meant for.
bool Session::AnswerAttention() {
  around_.record->Add(Note(Received::Kind::kAttention));
  return around_.rules()->script().ignore_attention || AcknowledgeAttention();
}

bool Session::AcknowledgeAttention() {
  Reply reply = NewReply();
  WriteDone(reply, DoneToken::kDone, kAttentionDone);
  return reply.Finish();
}

// In two messages, as SQL Server does: tedious waits for the second.
bool Session::BreakOff(Reply& reply) {
  WriteDone(reply, DoneToken::kDone, kFailed);
  return reply.Finish() && AcknowledgeAttention();
}

bool Session::AnswerNothing() {
  Reply reply = NewReply();
  WriteDone(reply, DoneToken::kDone, kFailed);
  return reply.Finish();
}

}  // namespace toolpost::tds_server
