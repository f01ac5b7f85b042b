// Listeners and their notification.
#include "mcp/event_bus.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "mcp/event_data.h"

namespace toolpost {

std::string_view NameOf(EventKind kind) {
  return EnumNames<EventKind>::kNames[static_cast<std::size_t>(kind)].second;
}

namespace mcp {
namespace {

using Kinds = unsigned;  // a bit for each

Kinds BitOf(EventKind kind) { return 1U << static_cast<unsigned>(kind); }

Kinds BitsOf(const std::vector<EventKind>& kinds) {
  if (kinds.empty()) return ~0U;
  Kinds bits = 0;
  for (const EventKind kind : kinds) bits |= BitOf(kind);
  return bits;
}

}  // namespace

struct EventBus::Listeners {
  struct Entry {
    std::function<void(const Event&)> function;
    Kinds kinds;
  };
  using List = std::vector<std::shared_ptr<const Entry>>;

  std::mutex mutex;
  std::shared_ptr<const List> list = std::make_shared<List>();  // replaced, never changed
  std::atomic<Kinds> wanted{0};

  template <typename Change>
  void Replace(Change change) {
    const std::lock_guard lock(mutex);
    List next = *list;
    change(next);
    Kinds all = 0;
    for (const auto& entry : next) all |= entry->kinds;
    wanted.store(all, std::memory_order_release);
    list = std::make_shared<const List>(std::move(next));
  }
};

EventBus::EventBus() : listeners_(std::make_shared<Listeners>()) {}

std::function<void()> EventBus::Subscribe(std::function<void(const Event&)> listener,
                                          const std::vector<EventKind>& kinds) {
  auto entry = std::make_shared<const Listeners::Entry>(
      Listeners::Entry{std::move(listener), BitsOf(kinds)});
  listeners_->Replace([&](Listeners::List& list) { list.push_back(entry); });
  return [weak = std::weak_ptr(listeners_), entry] {
    if (const auto listeners = weak.lock()) {
      listeners->Replace([&](Listeners::List& list) { std::erase(list, entry); });
    }
  };
}

bool EventBus::active(EventKind kind) const {
  return (listeners_->wanted.load(std::memory_order_acquire) & BitOf(kind)) != 0;
}

void EventBus::Publish(const Event& event) const {
  if (!active(event.kind)) return;
  std::shared_ptr<const Listeners::List> list;
  {
    const std::lock_guard lock(listeners_->mutex);
    list = listeners_->list;
  }
  for (const auto& listener : *list) {
    if ((listener->kinds & BitOf(event.kind)) == 0) continue;
    try {
      listener->function(event);
    } catch (const std::exception& failure) {
      base::Log(base::Severity::kError, "event listener failed",
                {{"event", NameOf(event.kind)}, {"what", failure.what()}});
    } catch (...) {
      base::Log(base::Severity::kError, "event listener failed", {{"event", NameOf(event.kind)}});
    }
  }
}

}  // namespace mcp
}  // namespace toolpost
