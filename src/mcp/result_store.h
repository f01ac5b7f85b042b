// Full results of calls whose reply was cut: kept on disk for a while, readable by the same
// principal only.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "toolpost/context.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// Thread-safe. Files (0600) live in <state>/results/<process>/, created with the first Put, removed
// by the first Put or Get after they expire and by the destructor; leftovers of dead processes are
// removed with the first Put. At most `max_total_bytes` are kept: the oldest go first.
class ResultStore {
 public:
  ResultStore(std::string state_directory, std::chrono::seconds keep,
              std::size_t max_total_bytes = std::size_t{256} * 1024 * 1024);
  ~ResultStore();

  static constexpr std::string_view kUriPrefix = "toolpost://results/";

  // Returns the URI of the kept text.
  Result<std::string> Put(const Principal& owner, std::string_view mime_type,
                          std::string_view text);
  struct Stored {
    std::string mime_type;
    std::string text;
  };
  // Code::kResourceNotFound for unknown, expired and foreign URIs alike.
  Result<Stored> Get(const Principal& reader, std::string_view uri) const;
  std::chrono::seconds keep() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::mcp
