// Turns the steps of a script into one reply, while it listens for an attention.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "tds_server/channel.h"
#include "tds_server/packet.h"
#include "tds_server/script.h"
#include "tds_server/token.h"

namespace toolpost::tds_server {

class Player {
 public:
  // `on_attention` is called when the client cancels; it says whether the server gives in.
  Player(Channel& channel, Reply& reply, const Script& script, std::function<bool()> on_attention)
      : channel_(channel), reply_(reply), script_(script), on_attention_(std::move(on_attention)) {}

  enum class End { kDone, kAttention, kCut };
  // Everything but the last DONE. kAttention: the client wants no more. kCut: close the connection.
  End Play(std::span<const Step> steps, bool in_procedure);
  // After an error that ended the statement.
  bool failed() const { return failed_; }
  // The last DONE of a batch.
  void FinishBatch();
  // RETURNSTATUS, output parameters and the DONE of a procedure, whose prepared handle (if it has
  // one) is returned with the name `@handle`.
  void FinishProcedure(std::int32_t handle, bool more);

 private:
  End Take(const SetStep& step);
  End Take(const RowsStep& step);
  End Take(const MessageStep& step);
  End Take(const CountStep& step);
  End Take(const DelayStep& step);
  End Take(const CutStep& step);
  End Take(const StatusStep& step);
  End Take(const OutputStep& step);
  End Listen(std::chrono::milliseconds patience);
  // The DONE of a statement is written when it is known whether another follows.
  void EndStatement(bool more);

  Channel& channel_;
  Reply& reply_;
  const Script& script_;
  const std::function<bool()> on_attention_;
  bool in_procedure_ = false;
  const SetStep* set_ = nullptr;  // the open one
  bool statement_ = false;        // one is waiting for its DONE
  std::uint16_t status_ = 0;
  std::uint64_t rows_ = 0;
  bool failed_ = false;
  std::int32_t return_status_ = 0;
  std::vector<const OutputStep*> outputs_;
};

}  // namespace toolpost::tds_server
