// Turns a schema into its graph of nodes.
#pragma once

#include "schema/json_schema.h"
#include "schema/node.h"

namespace toolpost::schema {

// Fails with Code::kInvalidArgument and the place of the mistake. May throw what
// `options.documents` throws. Every subschema of `schema` is compiled, used or not, so that
// mistakes in `$defs` show at once; of other documents only what is referred to.
Result<SchemaGraph> CompileSchema(const Json& schema, const JsonSchema::Options& options);

}  // namespace toolpost::schema
