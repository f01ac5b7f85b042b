// Links to whole results: what to run again when one is read.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/context.h"
#include "toolpost/json.h"

namespace toolpost::tools::database {

// Keeps statements, not results: reading a link runs the statement again, for the principal that
// got it and for nobody else. The oldest go first when there are too many. Thread-safe.
class ResultLinks {
 public:
  struct Kept {
    std::string connection;
    std::string statement;
    Json parameters;
  };

  explicit ResultLinks(std::chrono::seconds keep, std::size_t most = 1000)
      : keep_(keep), most_(most) {}

  static constexpr std::string_view kUriPrefix = "database://results/";

  // The URI.
  std::string Put(const Principal& owner, Kept kept);
  // Empty for unknown, expired and foreign ids alike.
  std::optional<Kept> Get(const Principal& reader, std::string_view id);
  std::chrono::seconds keep() const { return keep_; }

 private:
  struct Entry {
    std::string id;
    std::string principal;
    std::chrono::steady_clock::time_point expires;
    Kept kept;
  };

  const std::chrono::seconds keep_;
  const std::size_t most_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // oldest first
};

}  // namespace toolpost::tools::database
