// A ring of entries and those who read along.
#include "mcp/event_log.h"

#include <charconv>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

using Clock = std::chrono::steady_clock;

std::string Head(std::string_view type, std::chrono::system_clock::time_point time) {
  return base::StrCat(R"({"type":")", type, R"(","time":")", base::ToIso8601(time), "\"");
}

std::string JsonOf(const Event& event) {
  std::string json = Head(NameOf(event.kind), event.time);
  for (const auto& member : event.data) {
    json.push_back(',');
    base::AppendJsonString(json, member.key());
    json.push_back(':');
    base::AppendJson(json, member.value());
  }
  json.push_back('}');
  return json;
}

}  // namespace

struct EventLog::State {
  State(EventBus& events, std::size_t most, Clock::duration after_the_last)
      : bus(events), capacity(most), linger(after_the_last) {}

  EventBus& bus;
  const std::size_t capacity;
  const Clock::duration linger;
  std::mutex mutex;
  std::function<void()> unsubscribe;  // empty: not recording
  std::string run;                    // of ids; another one after every pause of the recording
  std::uint64_t last = 0;             // number of the newest entry
  std::deque<EventReader::Entry> entries;
  std::vector<std::weak_ptr<EventReader>> readers;
  Clock::time_point left;  // when the last reader did

  void Start(const std::shared_ptr<State>& self);
  void Stop();
  void Record(const Event& event);
  std::string IdOf(std::uint64_t number) const { return base::StrCat(run, '-', number); }
  // The number in an id of this run.
  std::optional<std::uint64_t> NumberOf(std::string_view id) const;
  // The number before the oldest entry.
  std::uint64_t Before() const { return last - entries.size(); }
};

void EventLog::State::Start(const std::shared_ptr<State>& self) {
  if (unsubscribe) return;
  run = base::RandomHex(4);
  unsubscribe = bus.Subscribe([weak = std::weak_ptr(self)](const Event& event) {
    if (const auto state = weak.lock()) state->Record(event);
  });
}

void EventLog::State::Stop() {
  if (unsubscribe) std::exchange(unsubscribe, nullptr)();
  entries.clear();
}

void EventLog::State::Record(const Event& event) {
  std::string json = JsonOf(event);
  const std::lock_guard lock(mutex);
  if (!unsubscribe) return;
  if (readers.empty() && Clock::now() - left >= linger) return Stop();
  if (entries.size() == capacity) entries.pop_front();
  entries.push_back({IdOf(++last), event.kind, event.principal, std::move(json)});
  // Under the lock, so that every reader gets the same order.
  const std::size_t gone = std::erase_if(readers, [&](const auto& weak) {
    const auto reader = weak.lock();
    if (reader) reader->Read(entries.back());
    return !reader;
  });
  if (gone != 0 && readers.empty()) left = Clock::now();
}

std::optional<std::uint64_t> EventLog::State::NumberOf(std::string_view id) const {
  if (!id.starts_with(run) || id.size() <= run.size() + 1 || id[run.size()] != '-')
    return std::nullopt;
  std::uint64_t number = 0;
  const char* end = id.data() + id.size();
  const auto [parsed, error] = std::from_chars(id.data() + run.size() + 1, end, number);
  if (error != std::errc() || parsed != end || number > last) return std::nullopt;
  return number;
}

EventLog::EventLog(EventBus& bus, std::size_t capacity, Clock::duration linger)
    : state_(std::make_shared<State>(bus, capacity, linger)) {}

EventLog::~EventLog() {
  const std::lock_guard lock(state_->mutex);
  state_->Stop();
}

void EventLog::Follow(std::string_view after, const std::shared_ptr<EventReader>& reader) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.Start(state_);
  const std::uint64_t before = state.Before();
  std::uint64_t from = state.last;
  bool lost = false;
  if (!after.empty()) {
    const std::optional<std::uint64_t> number = state.NumberOf(after);
    lost = !number || *number < before;
    from = lost ? before : *number;
  }
  reader->Start(state.IdOf(from));
  if (lost) {
    reader->Read(
        {state.IdOf(before), {}, {}, Head("eventsLost", std::chrono::system_clock::now()) + "}"});
  }
  for (std::size_t i = from - before; i < state.entries.size(); ++i) reader->Read(state.entries[i]);
  state.readers.push_back(reader);
}

void EventLog::Leave(const EventReader& reader) {
  const std::lock_guard lock(state_->mutex);
  const std::size_t gone = std::erase_if(
      state_->readers, [&](const auto& weak) { return weak.lock().get() == &reader; });
  if (gone != 0 && state_->readers.empty()) state_->left = Clock::now();
}

bool EventLog::recording() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<bool>(state_->unsubscribe);
}

}  // namespace toolpost::mcp
