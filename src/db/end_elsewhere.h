// Databases that nobody waits for when they go.
#pragma once

#include <memory>

#include "base/quiet_thread.h"

namespace toolpost::db {

// Shares `server`, a Database or SqlServer. The destructor of its pool waits for what is being
// opened, for as long as a login may take: whoever drops the last reference does not.
template <typename Server>
std::shared_ptr<Server> EndedElsewhere(std::unique_ptr<Server> server) {
  return {server.release(), [](Server* last) {
            if (last->Status().opening == 0) {
              delete last;
            } else {
              base::EndElsewhere([last] { delete last; });
            }
          }};
}

}  // namespace toolpost::db
