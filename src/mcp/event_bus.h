// Publishes what happened to whoever listens. Thread-safe; listeners run on the publisher's thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "toolpost/server.h"

namespace toolpost::mcp {

class EventBus {
 public:
  // Returns a function that unsubscribes; safe to call after the bus is gone.
  std::function<void()> Subscribe(std::function<void(const Event&)> listener);
  // True if somebody listens: lets a publisher skip building the event.
  bool active() const;
  void Publish(const Event& event) const;

  EventBus();

 private:
  struct Listeners;
  std::shared_ptr<Listeners> listeners_;
};

}  // namespace toolpost::mcp
