// A script in use: chooses the reply to a request and counts rules that are used up.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "tds_server/received.h"
#include "tds_server/script.h"

namespace toolpost::tds_server {

// Thread-safe.
class Rules {
 public:
  explicit Rules(Script script);

  struct Steps {
    std::span<const Step> steps;
    std::span<const Step> after;
  };
  // Valid as long as this object.
  Steps Choose(const Received& request);
  const Script& script() const { return script_; }

 private:
  const Script script_;
  std::mutex mutex_;
  std::vector<std::int64_t> left_;  // of each rule
  std::vector<Step> unknown_;       // the reply to what no rule fits
};

}  // namespace toolpost::tds_server
