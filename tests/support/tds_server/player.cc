// One function for each kind of step.
#include "tds_server/player.h"

#include <algorithm>

namespace toolpost::tds_server {

using std::chrono::milliseconds;

Player::End Player::Play(std::span<const Step> steps, bool in_procedure) {
  in_procedure_ = in_procedure;
  for (const Step& step : steps) {
    const End end = std::visit([this](const auto& kind) { return Take(kind); }, step);
    if (end != End::kDone) return end;
  }
  return End::kDone;
}

void Player::EndStatement(bool more) {
  if (!statement_) return;
  const DoneToken token = in_procedure_ ? DoneToken::kDoneInProcedure : DoneToken::kDone;
  const auto status = static_cast<std::uint16_t>(status_ | (more ? kMore : 0));
  WriteDone(reply_, token, status, rows_);
  statement_ = false;
  set_ = nullptr;
  status_ = 0;
  rows_ = 0;
}

Player::End Player::Take(const SetStep& step) {
  EndStatement(true);
  set_ = &step;
  statement_ = true;
  status_ = kCounted;
  WriteColumns(reply_, step.columns);
  return End::kDone;
}

// Repeated rows are the same bytes again and again.
Player::End Player::Take(const RowsStep& step) {
  if (set_ == nullptr) return End::kDone;
  ByteWriter encoded;
  const bool once = step.repeat == 1;
  for (const Json& row : step.rows) {
    ByteWriter& out = once ? static_cast<ByteWriter&>(reply_) : encoded;
    static_cast<void>(WriteRow(out, set_->columns, row.get_array(), set_->bitmap));
    ++rows_;
    if (const End end = Listen(milliseconds(0)); once && end != End::kDone) return end;
  }
  for (std::int64_t i = 0; !once && i < step.repeat; ++i) {
    reply_.Bytes(encoded.data());
    if (i % 256 != 0) continue;
    if (const End end = Listen(milliseconds(0)); end != End::kDone) return end;
  }
  if (!once) rows_ += step.rows.size() * static_cast<std::uint64_t>(step.repeat - 1);
  return End::kDone;
}

Player::End Player::Take(const MessageStep& step) {
  ServerMessage message = step.message;
  message.server = script_.server_name;
  WriteMessage(reply_, message);
  if (message.severity <= 10) return End::kDone;
  statement_ = true;
  status_ |= kFailed;
  failed_ = failed_ || !step.goes_on;
  return End::kDone;
}

Player::End Player::Take(const CountStep& step) {
  EndStatement(true);
  statement_ = true;
  status_ = kCounted;
  rows_ = static_cast<std::uint64_t>(step.rows);
  return End::kDone;
}

Player::End Player::Take(const DelayStep& step) {
  if (!reply_.Flush(true)) return End::kCut;
  return Listen(step.time);
}

Player::End Player::Take(const CutStep& step) {
  if (step.row && set_ != nullptr) {
    ByteWriter row;
    static_cast<void>(WriteRow(row, set_->columns, *step.row, set_->bitmap));
    reply_.Bytes(std::string_view(row.data()).substr(0, row.data().size() / 2));
  }
  reply_.Flush(true);
  return End::kCut;
}

Player::End Player::Take(const StatusStep& step) {
  return_status_ = step.status;
  return End::kDone;
}

Player::End Player::Take(const OutputStep& step) {
  outputs_.push_back(&step);
  return End::kDone;
}

Player::End Player::Listen(milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + patience;
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    const Channel::Input input = channel_.Await(std::max(left, milliseconds(0)));
    if (input == Channel::Input::kNone && Clock::now() >= until) return End::kDone;
    if (input == Channel::Input::kClosed) return End::kCut;
    if (input == Channel::Input::kNone) continue;
    const auto message = ReadMessage(channel_);
    if (!message || message->type != MessageType::kAttention) return End::kCut;
    if (!on_attention_()) continue;
    return End::kAttention;
  }
}

void Player::FinishBatch() {
  statement_ = true;  // a batch that says nothing is done, too
  EndStatement(false);
}

void Player::FinishProcedure(std::int32_t handle, bool more) {
  EndStatement(true);
  WriteReturnStatus(reply_, return_status_);
  std::uint16_t ordinal = 0;
  if (handle > 0) {
    const Type integer{.token = TypeToken::kInteger, .size = 4};
    WriteReturnValue(reply_, ordinal++, "@handle", integer, Json(handle));
  }
  for (const OutputStep* output : outputs_) {
    WriteReturnValue(reply_, ordinal++, output->name, output->type, output->value);
  }
  WriteDone(reply_, DoneToken::kDoneProcedure, more ? kMore : std::uint16_t{0});
}

}  // namespace toolpost::tds_server
