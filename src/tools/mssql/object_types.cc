// What the types of sys.objects are called.
#include "tools/mssql/object_types.h"

#include <algorithm>
#include <cctype>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

struct ObjectType {
  std::string_view name;
  std::string_view plural;
  std::string_view brief;
  std::string_view codes;  // separated and ended by commas
};

constexpr ObjectType kTypes[] = {{"TABLE", "TABLES", "U", "U,"},
                                 {"VIEW", "VIEWS", "V", "V,"},
                                 {"PROCEDURE", "PROCEDURES", "PROC", "P,PC,X,"},
                                 {"FUNCTION", "FUNCTIONS", "FUNC", "FN,IF,TF,FS,FT,"},
                                 {"TRIGGER", "TRIGGERS", "TR", "TR,TA,"},
                                 {"SYNONYM", "SYNONYMS", "SN", "SN,"},
                                 {"SEQUENCE", "SEQUENCES", "SO", "SO,"},
                                 {"TYPE", "TYPES", "UT", "UT,"}};

}  // namespace

std::string TypeCodes(std::string_view object_type) {
  std::string wanted(object_type);
  for (char& c : wanted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string codes = ",";
  for (const ObjectType& type : kTypes) {
    if (wanted == "ALL" || wanted == type.name || wanted == type.plural || wanted == type.brief)
      codes.append(type.codes);
  }
  return codes.size() == 1 ? std::string() : codes;
}

std::string_view TypeName(std::string_view code) {
  const std::string wanted = base::StrCat(",", code, ",");
  const auto found = std::ranges::find_if(kTypes, [&](const ObjectType& type) {
    return base::StrCat(",", type.codes).find(wanted) != std::string::npos;
  });
  return found == std::end(kTypes) ? code : found->name;
}

}  // namespace toolpost::tools::mssql
