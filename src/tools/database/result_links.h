// Links to whole results: what to run again when one is read.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/context.h"
#include "toolpost/json.h"

namespace toolpost::tools::database {

// Keeps statements, not results: reading a link runs the statement again, for the principal that
// got it and for nobody else. Thread-safe.
class ResultLinks {
 public:
  // In all, and of one principal. Whoever has too many loses the own oldest; when there are too
  // many in all, the oldest goes of the principal that has most, so that nobody can push out the
  // links of others by asking a lot.
  struct Limits {
    std::size_t links = 1000;
    std::size_t bytes = 16 << 20;
    std::size_t links_of_one = 250;
    std::size_t bytes_of_one = 4 << 20;
  };
  struct Kept {
    std::string connection;
    std::string statement;
    Json parameters;
  };

  explicit ResultLinks(std::chrono::seconds keep) : ResultLinks(keep, Limits()) {}
  ResultLinks(std::chrono::seconds keep, const Limits& limits) : keep_(keep), limits_(limits) {}

  static constexpr std::string_view kUriPrefix = "database://results/";

  // The URI; nothing when statement and parameters are more than one principal may keep.
  std::optional<std::string> Put(const Principal& owner, const Kept& kept);
  // Empty for unknown, expired and foreign ids alike.
  std::optional<Kept> Get(const Principal& reader, std::string_view id);
  std::chrono::seconds keep() const { return keep_; }

 private:
  struct Entry {
    std::string id;
    std::string principal;
    std::chrono::steady_clock::time_point expires;
    std::string connection;
    std::string statement;
    std::string parameters;  // as JSON text, which is smaller and has a size

    std::size_t bytes() const;
  };

  struct Use {
    std::size_t links = 0;
    std::size_t bytes = 0;
  };

  std::string MostBy(std::size_t Use::*measure) const;
  void DropOldestOf(const std::string& principal);
  void Drop(std::list<Entry>::iterator entry);

  const std::chrono::seconds keep_;
  const Limits limits_;
  std::mutex mutex_;
  std::list<Entry> entries_;         // oldest first
  std::map<std::string, Use> uses_;  // by principal, of those who have any
  std::size_t bytes_ = 0;
};

}  // namespace toolpost::tools::database
