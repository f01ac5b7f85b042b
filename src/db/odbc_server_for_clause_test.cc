// Results of FOR JSON and FOR XML.
#include "base/strings.h"
#include "db/odbc_server_fixture.h"

namespace toolpost::db {
namespace {

// Every set that it gets, as `names: row/row`, with `+n` for n missing bytes.
class SetsSink final : public RowSink {
 public:
  void Begin(std::span<const ResultColumn> columns) override {
    sets.emplace_back();
    for (const ResultColumn& column : columns) sets.back() += column.name;
    sets.back() += ":";
  }
  bool Add(std::span<const Cell> row) override {
    for (const Cell& cell : row) {
      sets.back() += base::StrCat(" ", cell.text);
      if (cell.missing > 0) sets.back() += base::StrCat(" +", cell.missing);
    }
    return false;  // enough
  }

  std::vector<std::string> sets;
};

class OdbcServerForClause : public OdbcServerTest {
 protected:
  static std::string Set(std::string_view kind, std::string_view rows) {
    return base::StrCat(R"({"columns": [{"name": ")", kind,
                        R"(_F52E2B61-18A1-11d1-B105-00805F49916B", "type": "ntext"}], "rows": [)",
                        rows, "]}");
  }
  std::vector<std::string> SetsOf(std::string_view sql, std::size_t max_cell = 0) {
    SetsSink sink;
    SqlServerRequest request = Request(sql);
    request.max_cell = max_cell;
    const auto outcome = server_->Read(request, sink);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return sink.sets;
  }
};

TEST_F(OdbcServerForClause, PiecesOfATextAreOneRow) {
  Serve(base::StrCat(
      Rule("SELECT json", Set("JSON", R"(["[{\"a\":\"ü"], ["😀\"},"], ["{\"a\":null}]"])")), ",",
      Rule("SELECT xml", Set("XML", R"(["<r><a/>"], ["</r>"])"))));
  EXPECT_EQ(SetsOf("SELECT json"), std::vector<std::string>{R"(json: [{"a":"ü😀"},{"a":null}])"});
  EXPECT_EQ(SetsOf("SELECT xml"), std::vector<std::string>{"xml: <r><a/></r>"});
}

TEST_F(OdbcServerForClause, NoPieceIsNoRow) {
  Serve(Rule("SELECT none", Set("JSON", "")));
  EXPECT_EQ(SetsOf("SELECT none"), std::vector<std::string>{"json:"});
}

TEST_F(OdbcServerForClause, SetsBesideOneStayWhatTheyAre) {
  Serve(Rule("SELECT sets", base::StrCat(kOneInteger, ",", Set("JSON", R"(["[1,"], ["2]"])"), ",",
                                         Set("XML", R"(["<a/>"])"), ",", kOneInteger)));
  SetsSink sink;
  ASSERT_TRUE(server_->Write(Request("SELECT sets"), sink));
  EXPECT_EQ(sink.sets, (std::vector<std::string>{"a: 1", "json: [1,2]", "xml: <a/>", "a: 1"}));
}

TEST_F(OdbcServerForClause, OtherColumnsAreNotJoined) {
  Serve(base::StrCat(
      Rule("SELECT two", R"({"columns": [{"name": "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"},
                                         {"name": "b"}], "rows": [["x", "y"], ["z", "w"]]})"),
      ",", Rule("SELECT json", R"({"columns": [{"name": "json"}], "rows": [["x"], ["y"]]})")));
  ASSERT_TRUE(Read("SELECT two"));
  ASSERT_TRUE(Read("SELECT json"));
  EXPECT_EQ(sink_.rows, (std::vector<std::string>{"x|y", "z|w", "x", "y"}));
}

// What nobody wants is counted, not kept.
TEST_F(OdbcServerForClause, ALongTextIsCutAndCounted) {
  Serve(
      Rule("SELECT long",
           R"({"columns": [{"name": "JSON_F52E2B61-18A1-11d1-B105-00805F49916B", "type": "ntext"}],
                 "rows": [[{"repeat": "x", "times": 2033}]], "repeat": 5000})"));
  constexpr std::size_t kPiece = 2033;
  const std::vector<std::string> sets = SetsOf("SELECT long", 5000);
  EXPECT_EQ(sets, std::vector<std::string>{base::StrCat("json: ", std::string(3 * kPiece, 'x'),
                                                        " +", (5000 - 3) * kPiece)});
  EXPECT_EQ(SetsOf("SELECT long")[0].size(), 6 + 5000 * kPiece);
}

TEST_F(OdbcServerForClause, APieceThatIsLongerThanWantedCountsToo) {
  Serve(Rule("SELECT long", Set("JSON", R"([{"repeat": "x", "times": 2033}], ["yz"])")));
  const std::string text = SetsOf("SELECT long", 100)[0];
  const std::size_t plus = text.find('+');
  ASSERT_NE(plus, text.npos);
  EXPECT_GT(plus - 7, 100U);
  EXPECT_EQ(plus - 7 + std::stoul(text.substr(plus + 1)), 2035U) << text;
}

}  // namespace
}  // namespace toolpost::db
