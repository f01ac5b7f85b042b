// Mutations of hostile and harmless statements.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/strings.h"
#include "db/postgres_cases_fixture.h"
#include "db/postgres_database_fixture.h"
#include "db/select_guard_postgres_text.h"

namespace toolpost::db {
namespace {

using ::testing::Not;

// Splices, swaps, repeats and removes tokens of all the statements above.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {
    for (const StatementCategory& category : HostileStatements()) {
      for (const std::string& sql : category.statements) AddSeed(sql);
    }
    for (const StatementCategory& category : HarmlessStatements()) {
      for (const std::string& sql : category.statements) AddSeed(sql);
    }
    const auto expressions = HostileExpressions();
    for (const char* place : ExpressionPlaces())
      AddSeed(PutInPlace(place, expressions[Below(expressions.size())]));
  }

  std::string Next() {
    std::vector<std::string> tokens = seeds_[Below(seeds_.size())];
    for (std::size_t i = 1 + Below(4); i > 0; --i) Mutate(tokens);
    std::string sql;
    for (const std::string& token : tokens) sql += token;
    return sql;
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  void AddSeed(std::string_view sql) {
    auto& tokens = seeds_.emplace_back();
    while (!sql.empty()) {
      tokens.emplace_back(NextPostgresToken(sql).text);
      sql.remove_prefix(tokens.back().size());
    }
  }

  void Mutate(std::vector<std::string>& tokens) {
    const auto& other = seeds_[Below(seeds_.size())];
    if (tokens.empty()) tokens = other;
    const std::size_t at = Below(tokens.size());
    const auto here = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t from = Below(other.size()),
                      count = std::min(1 + Below(6), other.size() - from);
    const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    switch (Below(8)) {
      case 0:
        tokens.erase(here);
        break;
      case 1:
        tokens.insert(here, first, last);
        break;
      case 2:
        *here = *first;
        break;
      case 3:
        std::swap(*here, tokens[Below(tokens.size())]);
        break;
      case 4:
        *here = Below(2) == 0 ? InUpperCase(*here) : "\"" + *here + "\"";
        break;
      case 5:
        tokens.insert(here, {"(", "SELECT ", tokens[Below(tokens.size())], ")"});
        break;
      case 6:
        *here = "/**/" + *here;
        break;
      default:
        for (std::string& token : tokens) {
          if (token.size() > 1 && token == other[from]) token = *first;
        }
        // A call of another function.
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
          if (tokens[i + 1] != "(") continue;
          for (std::size_t j = 0; j + 1 < other.size(); ++j) {
            if (other[j + 1] == "(") tokens[i] = other[j];
          }
        }
    }
  }

  std::mt19937 random_;
  std::vector<std::vector<std::string>> seeds_;
};

class PostgresMutationTest : public PostgresDatabaseTest {};

// Whatever a mutation turns a statement into: if it is let through, it changes nothing.
TEST_F(PostgresMutationTest, NoMutatedStatementThatIsAcceptedChangesAnything) {
  const bool full = std::getenv("TOOLPOST_FULL") != nullptr;
  const int count = full ? 1'000'000 : 20'000;
  const std::uint32_t seed = full ? std::random_device{}() : 20250707;
  SCOPED_TRACE(base::StrCat("seed ", seed));
  Mutator mutator(seed);
  const auto database = Open();
  const std::string before = State(), session = SessionState(*database);
  std::vector<std::string> recent;
  int accepted = 0;
  for (int i = 0; i < count; ++i) {
    const std::string sql = mutator.Next();
    KeptRows rows(20);
    const Result<void> done = database->Read(
        {.sql = sql,
         .deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500),
         .stop = {}},
        rows);
    if (done) {
      ++accepted;
      recent.push_back(sql);
    } else {
      ASSERT_THAT(done.error().code, Not(::testing::AnyOf(Code::kInternal, Code::kCancelled)))
          << sql << ": " << done.error().message;
    }
    if (recent.size() < 200 && i + 1 < count) continue;
    ASSERT_EQ(State(), before) << ::testing::PrintToString(recent);
    ASSERT_EQ(SessionState(*database), session) << ::testing::PrintToString(recent);
    recent.clear();
  }
  RecordProperty("accepted", accepted);
  EXPECT_GT(accepted, count / 50);
}

}  // namespace
}  // namespace toolpost::db
