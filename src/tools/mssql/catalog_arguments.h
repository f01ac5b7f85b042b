// Arguments the metadata tools share.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "tools/mssql/catalog.h"
#include "tools/mssql/definition.h"

namespace toolpost::tools::mssql {

struct CatalogArgs {
  std::string connection_name;
  std::string schema;
  std::string name_pattern;
  std::string detail;
  std::int64_t limit = 100;
  std::string cursor;
};

template <typename Args>
constexpr auto CatalogFields() {
  return std::tuple{ConnectionField<Args>(),
                    Opt("schema", &Args::schema, "Default: all.").MaxLength(128),
                    Opt("namePattern", &Args::name_pattern, "LIKE this.").MaxLength(200),
                    Opt("limit", &Args::limit, "Most.").Range(1, 1000).Default(100),
                    Opt("cursor", &Args::cursor, "nextCursor.").MaxLength(2000)};
}

inline Result<CatalogFilter> FilterOf(const CatalogArgs& args, std::string types) {
  RETURN_IF_ERROR(CheckNotBlank("schema", args.schema, "name one, or leave it out for all"));
  RETURN_IF_ERROR(CheckNotBlank("namePattern", args.name_pattern, kAnyName));
  return CatalogFilter{.schema = args.schema,
                       .pattern = args.name_pattern,
                       .types = std::move(types),
                       .cursor = args.cursor,
                       .limit = args.limit};
}

}  // namespace toolpost::tools::mssql
