// For tests only: texts and what is left of them.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

#include "tools/mssql/redact_secrets.h"

namespace toolpost::tools::mssql {

inline void Expect(std::initializer_list<std::pair<const char*, const char*>> cases) {
  for (const auto& [text, redacted] : cases) {
    EXPECT_EQ(RedactSecrets(text), redacted);
    EXPECT_EQ(RedactSecrets(redacted), redacted) << "again";
  }
}

}  // namespace toolpost::tools::mssql
