// Any bytes as a statement: what the guard lets through changes nothing, and the next caller finds
// the connection as it was.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/timer_queue.h"
#include "db/libsqlite.h"
#include "db/sqlite_reader.h"

namespace {

using namespace toolpost;

void Require(bool holds) {
  if (!holds) std::abort();
}

class Nothing : public db::RowSink {
 public:
  void Begin(std::span<const db::ResultColumn>) override {}
  bool Add(std::span<const db::Cell> row) override {
    for (const db::Cell& cell : row) text.append(cell.text.substr(0, 1000)).push_back('|');
    return ++rows < 50;
  }
  int rows = 0;
  std::string text;
};

std::shared_ptr<const std::string> MakeImage() {
  const db::LibSqlite& lite = **db::LibSqlite::Load();
  sqlite3* database = nullptr;
  Require(lite.open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
  Require(
      lite.exec(database,
                "CREATE TABLE t (a, b INTEGER PRIMARY KEY); INSERT INTO t VALUES ('x',1),('y',2);"
                "CREATE VIRTUAL TABLE f USING fts5(w); INSERT INTO f VALUES ('word');"
                "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END;",
                nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_int64 size = 0;
  unsigned char* bytes = lite.serialize(database, "main", &size, 0);
  auto image = std::make_shared<const std::string>(reinterpret_cast<char*>(bytes),
                                                   static_cast<std::size_t>(size));
  lite.free(bytes);
  lite.close(database);
  return image;
}

std::string Answer(db::SqliteReader& reader, std::string_view sql) {
  Nothing sink;
  const auto read =
      reader.Read({.sql = sql,
                   .parameters = nullptr,
                   .deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200),
                   .stop = {}},
                  sink);
  return read ? sink.text : "error";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const std::string> kImage = MakeImage();
  static const std::string kBefore = *kImage;
  static base::TimerQueue timers;
  static const auto kReader = db::SqliteReader::Open({.path = {}, .image = kImage}, timers).value();
  constexpr std::string_view kState =
      "SELECT (SELECT group_concat(a||b) FROM t), (SELECT group_concat(name) FROM "
      "sqlite_schema), (SELECT count(*) FROM sqlite_temp_schema), (SELECT "
      "count(DISTINCT schema) FROM pragma_table_list), 'A' LIKE 'a', (SELECT user_version FROM "
      "pragma_user_version)";
  static const std::string kFound = Answer(*kReader, kState);
  Require(kFound != "error");
  (void)Answer(*kReader, std::string_view(reinterpret_cast<const char*>(data), size));
  Require(Answer(*kReader, kState) == kFound);
  Require(*kImage == kBefore);
  Require(db::LibSqlite::Loaded().hard_heap_limit64(-1) == sqlite3_int64{1} << 30);
  return 0;
}
