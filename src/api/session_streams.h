// The event streams of one Streamable HTTP session: the standalone GET stream and those of POST
// replies, resumable.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "api/ticker.h"
#include "mcp/session.h"
#include "net/http_server.h"

namespace toolpost::api {

// Every event is kept in a bounded ring under the id `<stream>-<number>`; GET with Last-Event-ID
// replays what came after it on that stream, and stays attached. Thread-safe.
class SessionStreams : public mcp::SessionDoor,
                       public Ticking,
                       public std::enable_shared_from_this<SessionStreams> {
 public:
  static constexpr std::size_t kMaxEvents = 256;                      // per session
  static constexpr std::size_t kMaxBytes = std::size_t{1024} * 1024;  // per session
  static constexpr unsigned kRetryMs = 500;

  explicit SessionStreams(std::weak_ptr<mcp::Session> session) : session_(std::move(session)) {}

  // The standalone stream for `reader`; false when one is open already.
  bool OpenStandalone(const std::shared_ptr<net::Exchange>& exchange, mcp::SharedPrincipal reader,
                      std::string_view headers, bool prime);
  // Continues a stream for `reader`; false when the id is none of ours, or no longer kept.
  bool Resume(std::string_view last_event_id, const std::shared_ptr<net::Exchange>& exchange,
              mcp::SharedPrincipal reader, std::string_view headers);
  // True if nobody has been told to tick this yet, or it stopped since.
  bool StartTicking();

  // A stream for the reply of one POST. `prime`: 2025-11-25 clients get an id to come back with
  // first.
  std::uint64_t Open(const std::shared_ptr<net::Exchange>& exchange, std::string_view headers,
                     bool prime);
  void Write(std::uint64_t stream, std::string_view message);
  // The last message (empty: none) and the end of the stream.
  void Finish(std::uint64_t stream, std::string_view message);
  // The same for a message too long to be kept: who comes back later does not find it.
  void FinishLong(std::uint64_t stream, base::LongMessage message);
  // Ends the connection, not the stream.
  void Release(std::uint64_t stream);

  void Push(std::string message) override;
  void StopWaiting() override;
  void Close() override;
  // Keeps alive what was opened by GET, and ends it with the credential of its reader.
  bool Tick() override;

 private:
  struct Event {
    std::uint64_t number;
    std::string frame;
  };
  struct Stream {
    std::shared_ptr<net::Exchange> exchange;  // null while nobody is connected
    mcp::SharedPrincipal reader;              // who opened it by GET; null: it answers a POST
    std::uint64_t next_number = 1;
    bool finished = false;
    std::deque<Event> events;
  };
  static constexpr std::uint64_t kStandalone = 0;

  void Attach(std::uint64_t id, Stream& stream, const std::shared_ptr<net::Exchange>& exchange,
              std::string_view headers);
  void Detach(std::uint64_t id, const net::Exchange* exchange);
  void Append(std::uint64_t id, Stream& stream, std::string_view message);
  void Trim();

  const std::weak_ptr<mcp::Session> session_;
  // Recursive: writing on the loop's thread may find the peer gone and call Detach before it
  // returns.
  std::recursive_mutex mutex_;
  bool closed_ = false;
  bool ticking_ = false;
  std::uint64_t next_stream_ = 1;
  std::size_t kept_events_ = 0;
  std::size_t kept_bytes_ = 0;
  std::map<std::uint64_t, Stream> streams_;
};

}  // namespace toolpost::api
