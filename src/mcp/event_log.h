// The latest events, numbered and serialised once, for readers that come and go and want what they
// missed.
//
// Records only while somebody reads, and for some minutes after the last one left: a server nobody
// watches pays nothing for its events.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/event_bus.h"
#include "toolpost/event.h"

namespace toolpost::mcp {

// Somebody who reads along. Called under the lock of the log, in the order of the events, on the
// threads that cause them: must be quick and must not call the log.
class EventReader {
 public:
  struct Entry {
    std::string id;                 // a place in the log; unique across logs and restarts
    std::optional<EventKind> kind;  // none: events before this one are lost
    std::string principal;          // of the event
    std::string json;               // {"type":…,"time":…} and the members of the event
  };

  virtual ~EventReader() = default;
  // First of all: the place where reading starts.
  virtual void Start(std::string_view id) = 0;
  virtual void Read(const Entry& entry) = 0;
};

// Thread-safe. Destroyed before the bus.
class EventLog {
 public:
  explicit EventLog(EventBus& bus, std::size_t capacity = 1'024,
                    std::chrono::steady_clock::duration linger = std::chrono::minutes(5));
  ~EventLog();

  // Reads from now on; with `after`, the id of a place reached before, first what came since, or
  // an entry that says that some is lost and then what is left. Ends with Leave or the reader.
  void Follow(std::string_view after, const std::shared_ptr<EventReader>& reader);
  void Leave(const EventReader& reader);
  bool recording() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace toolpost::mcp
