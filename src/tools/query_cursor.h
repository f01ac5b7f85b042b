// Cursors of query results: where to go on, and proof that it is the same question.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/context.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::tools {

// What a cursor is for. It is of no use to anybody else, nor for anything else.
struct CursorSubject {
  std::string_view principal;
  std::string_view connection;
  std::string_view statement;
  const Json* parameters = nullptr;
};

std::string MakeCursor(std::string_view key, const CursorSubject& subject, std::uint64_t offset);
// The offset. Code::kInvalidArgument for anything MakeCursor did not make for this subject.
Result<std::uint64_t> ReadCursor(std::string_view key, const CursorSubject& subject,
                                 std::string_view cursor);

}  // namespace toolpost::tools
