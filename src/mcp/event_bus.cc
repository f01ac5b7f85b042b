// Listeners and their notification.
#include "mcp/event_bus.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"

namespace toolpost::mcp {

struct EventBus::Listeners {
  using Function = std::function<void(const Event&)>;
  using List = std::vector<std::shared_ptr<const Function>>;

  std::mutex mutex;
  std::shared_ptr<const List> list = std::make_shared<List>();  // replaced, never changed
  std::atomic<std::size_t> count{0};

  template <typename Change>
  void Replace(Change change) {
    const std::lock_guard lock(mutex);
    List next = *list;
    change(next);
    count.store(next.size(), std::memory_order_release);
    list = std::make_shared<const List>(std::move(next));
  }
};

EventBus::EventBus() : listeners_(std::make_shared<Listeners>()) {}

std::function<void()> EventBus::Subscribe(std::function<void(const Event&)> listener) {
  auto entry = std::make_shared<const Listeners::Function>(std::move(listener));
  listeners_->Replace([&](Listeners::List& list) { list.push_back(entry); });
  return [weak = std::weak_ptr(listeners_), entry] {
    if (const auto listeners = weak.lock()) {
      listeners->Replace([&](Listeners::List& list) { std::erase(list, entry); });
    }
  };
}

bool EventBus::active() const { return listeners_->count.load(std::memory_order_acquire) != 0; }

void EventBus::Publish(const Event& event) const {
  if (!active()) return;
  std::shared_ptr<const Listeners::List> list;
  {
    const std::lock_guard lock(listeners_->mutex);
    list = listeners_->list;
  }
  for (const auto& listener : *list) {
    try {
      (*listener)(event);
    } catch (const std::exception& failure) {
      base::Log(base::Severity::kError, "event listener failed",
                {{"event", event.kind}, {"what", failure.what()}});
    } catch (...) {
      base::Log(base::Severity::kError, "event listener failed", {{"event", event.kind}});
    }
  }
}

}  // namespace toolpost::mcp
