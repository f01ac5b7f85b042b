// What the types of sys.objects are called.
#pragma once

#include <string>
#include <string_view>

namespace toolpost::tools::mssql {

// Codes of sys.objects, as ",U,V,", for TABLE, VIEW, PROCEDURE, FUNCTION, TRIGGER, SYNONYM,
// SEQUENCE and TYPE (plural and short forms too, in any case) and for ALL; empty for anything else.
std::string TypeCodes(std::string_view object_type);
// The name of a code: TABLE for U. Unknown codes name themselves; the view is of `code` then.
std::string_view TypeName(std::string_view code);

}  // namespace toolpost::tools::mssql
