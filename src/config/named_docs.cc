// What docs/configuration.md says of named connections and declared tools.
#include "config/named.h"

namespace toolpost::config {

std::string_view NamedDocs() {
  return R"(
## Named connections

Any number of further databases, in the file only. `NAME` is what the argument `connection` of the database tools takes. They are *live*: one
that is new can be used at once, one that is gone or changed is let go of when its last query ends, and the others keep their connections.

```toml
[database.sales]
url = "${SALES_URL}"              # postgresql://… or sqlite:///path; or url_file = "/run/secrets/sales"
description = "Orders since 2019" # for models
max_connections = 4               # default: database.max_connections
accept_privileged = false
```

## Declared tools

A statement with typed parameters becomes a tool (*live*: added, changed and removed tools are announced to clients). `NAME` becomes
`custom/NAME`; write `[tool."category/name"]` for another category.

```toml
[tool.orders_of]
description = "Orders of a customer, newest first."
statement = "SELECT * FROM orders WHERE customer_id = :customer ORDER BY ordered_on DESC"
connection = "sales"
parameters.customer = { type = "integer", description = "Customer id.", minimum = 1 }
```

| key | meaning |
|---|---|
| `description`, `title` | what models and people read; at most 200 bytes |
| `statement` | one reading statement; `:name` stands for a parameter |
| `connection` | a named connection; without it the only one, or `default` |
| `parameters.NAME` | `type` (`string`, `integer`, `number`, `boolean`), `description`, `default`, `enum` (strings), `minimum`, `maximum`, `required`; without `default` callers have to give it, unless `required = false`: then it is NULL where it is left out. `parameters.NAME = "integer"` is the short form |
| `limit` | rows returned, default 100 |
| `read_only` | only `true` is supported |
| `idempotent`, `open_world` | annotations, default `true` and `false` |
)";
}

}  // namespace toolpost::config
