// Publishes what happened to whoever listens. Thread-safe; listeners run on the publisher's thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "toolpost/event.h"

namespace toolpost::mcp {

class EventBus {
 public:
  // To events of these kinds, or of all when none is named. Returns a function that unsubscribes;
  // safe to call after the bus is gone.
  std::function<void()> Subscribe(std::function<void(const Event&)> listener,
                                  const std::vector<EventKind>& kinds = {});
  // True if somebody listens to such events: lets a publisher skip building one.
  bool active(EventKind kind) const;
  void Publish(const Event& event) const;

  EventBus();

 private:
  struct Listeners;
  std::shared_ptr<Listeners> listeners_;
};

}  // namespace toolpost::mcp
