// The sample database that is offered when no connection is configured: a small shop.
#pragma once

#include <memory>
#include <string>

#include "toolpost/result.h"

namespace toolpost::db {

// Customers, products, orders and their items, and a view of totals, as the bytes of an SQLite
// database. The same for everybody, made with the first call. Thread-safe.
Result<std::shared_ptr<const std::string>> SampleImage();

}  // namespace toolpost::db
