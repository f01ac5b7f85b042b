// The sample shop, made by SQL without chance or clock.
#include "db/sqlite_sample.h"

#include <mutex>

#include "db/libsqlite.h"

namespace toolpost::db {
namespace {

constexpr const char* kSchema = R"sql(
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL DEFAULT 'US',
  joined_on DATE NOT NULL
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL CHECK (category IN ('books', 'garden', 'kitchen', 'toys')),
  price NUMERIC NOT NULL CHECK (price > 0),
  stock INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
  ordered_on DATE NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'shipped', 'returned'))
);
CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders(id) ON DELETE CASCADE,
  product_id INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
  unit_price NUMERIC NOT NULL,
  PRIMARY KEY (order_id, product_id)
) WITHOUT ROWID;
CREATE INDEX orders_by_customer ON orders (customer_id, ordered_on);
CREATE INDEX open_orders ON orders (ordered_on) WHERE status = 'open';
CREATE VIEW order_totals AS
  SELECT o.id AS order_id, o.customer_id, o.ordered_on, o.status,
         round(sum(i.quantity * i.unit_price), 2) AS total
  FROM orders o JOIN order_items i ON i.order_id = o.id
  GROUP BY o.id;
)sql";

constexpr const char* kRows = R"sql(
INSERT INTO customers (id, name, email, city, country, joined_on) VALUES
  (1, 'Ada Berg', 'ada@example.com', 'Oslo', 'NO', '2024-01-15'),
  (2, 'Ben Castillo', 'ben@example.com', 'Madrid', 'ES', '2024-02-03'),
  (3, 'Chloé Dubois', 'chloe@example.com', 'Lyon', 'FR', '2024-02-20'),
  (4, 'Dmitri Orlov', 'dmitri@example.com', 'Riga', 'LV', '2024-03-08'),
  (5, 'Emma Fischer', 'emma@example.com', 'Berlin', 'DE', '2024-04-11'),
  (6, 'Farid Haddad', 'farid@example.com', 'Boston', 'US', '2024-05-02'),
  (7, 'Grace Okafor', 'grace@example.com', 'Lagos', 'NG', '2024-05-27'),
  (8, 'Hana Sato', 'hana@example.com', 'Osaka', 'JP', '2024-06-19'),
  (9, 'Ivan Novak', 'ivan@example.com', 'Prague', 'CZ', '2024-08-01'),
  (10, 'Julia Kim', 'julia@example.com', 'Austin', 'US', '2024-09-09'),
  (11, 'Kofi Mensah', 'kofi@example.com', 'Accra', 'GH', '2024-10-30'),
  (12, 'Lea Rossi', 'lea@example.com', 'Turin', 'IT', '2024-12-12');
INSERT INTO products (id, name, category, price, stock) VALUES
  (1, 'Atlas of Rivers', 'books', 39.5, 12),
  (2, 'Bread at Home', 'books', 24, 30),
  (3, 'Field Guide to Mosses', 'books', 18.9, 7),
  (4, 'Pruning Shears', 'garden', 27.75, 18),
  (5, 'Watering Can', 'garden', 21, 25),
  (6, 'Herb Seeds', 'garden', 4.95, 140),
  (7, 'Cast-Iron Pan', 'kitchen', 54, 9),
  (8, 'Chef''s Knife', 'kitchen', 72.4, 6),
  (9, 'Kitchen Scale', 'kitchen', 31.2, 15),
  (10, 'Wooden Train', 'toys', 45, 11),
  (11, 'Kite', 'toys', 16.5, 22),
  (12, 'Puzzle, 500 pieces', 'toys', 19.9, 0);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO orders (id, customer_id, ordered_on, status)
  SELECT i, 1 + (i * 7) % 12, date('2025-01-02', '+' || (i * 5) || ' days'),
         CASE WHEN i > 52 THEN 'open' WHEN i % 11 = 0 THEN 'returned' ELSE 'shipped' END
  FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2)
INSERT OR IGNORE INTO order_items (order_id, product_id, quantity, unit_price)
  SELECT o.id, p.id, 1 + (o.id + n.i) % 3, p.price
  FROM orders o, n JOIN products p ON p.id = 1 + (o.id * (3 + n.i) + n.i * 5) % 12
  WHERE n.i <= o.id % 3;
ANALYZE;
)sql";

Result<std::shared_ptr<const std::string>> Make() {
  ASSIGN_OR_RETURN(const LibSqlite* lite, LibSqlite::Load());
  sqlite3* database = nullptr;
  int code =
      lite->open_v2(":memory:", &database,
                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  for (const char* sql : {kSchema, kRows}) {
    if (code == SQLITE_OK) code = lite->exec(database, sql, nullptr, nullptr, nullptr);
  }
  sqlite3_int64 size = 0;
  unsigned char* bytes = code == SQLITE_OK ? lite->serialize(database, "main", &size, 0) : nullptr;
  std::shared_ptr<const std::string> image;
  if (bytes != nullptr) {
    image = std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes),
                                                static_cast<std::size_t>(size));
  }
  lite->free(bytes);
  lite->close(database);
  if (image == nullptr) return Error::Internal("The sample database cannot be made");
  return image;
}

}  // namespace

Result<std::shared_ptr<const std::string>> SampleImage() {
  static std::mutex mutex;
  static std::shared_ptr<const std::string> image;
  const std::lock_guard lock(mutex);
  if (image == nullptr) {
    ASSIGN_OR_RETURN(image, Make());
  }
  return image;
}

}  // namespace toolpost::db
