// Values: JSON in fixtures and records, bytes on the wire.
//
// In JSON a number is a number or, with all its digits, a string; a date or time is ISO 8601; bytes
// are `0x` and hexadecimal digits; a bit is a boolean. `{"repeat": "ab", "times": 1000000}` is a
// long text, or bytes, that nobody has to write down. `{"type": "int", "value": 5}` is a
// sql_variant; geography and its kin are bytes.
#pragma once

#include "tds_server/bytes.h"
#include "tds_server/type.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

// Code::kInvalidArgument when `value` is none of the type; what was written until then is of no
// use.
Result<void> WriteValue(ByteWriter& out, const Type& type, const Json& value);
// Of a parameter of a remote call.
Result<Json> ReadValue(ByteReader& in, const Type& type);

}  // namespace toolpost::tds_server
