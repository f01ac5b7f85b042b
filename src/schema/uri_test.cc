// Reference resolution: the examples of RFC 3986, section 5.4, and what schemas do besides.
#include "schema/uri.h"

#include <gtest/gtest.h>

namespace toolpost::schema {
namespace {

TEST(ResolveUri, NormalAndAbnormalExamplesOfRfc3986) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/../h", "http://a/b/c/h"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(ResolveUri("http://a/b/c/d;p?q", reference), expected) << reference;
  }
}

TEST(ResolveUri, EmptyOpaqueAndRelativeBases) {
  EXPECT_EQ(ResolveUri("", "#/a"), "#/a");
  EXPECT_EQ(ResolveUri("", "x.json"), "x.json");
  EXPECT_EQ(ResolveUri("d/x.json", "y.json#f"), "d/y.json#f");
  EXPECT_EQ(ResolveUri("urn:uuid:1", "#f"), "urn:uuid:1#f");
  EXPECT_EQ(ResolveUri("http://a", "b"), "http://a/b");
}

TEST(PercentDecode, LeavesMalformedEscapes) {
  EXPECT_EQ(PercentDecode("a%25b%22"), "a%b\"");
  EXPECT_EQ(PercentDecode("%"), "%");
  EXPECT_EQ(PercentDecode("%2"), "%2");
  EXPECT_EQ(PercentDecode("%zz%-1"), "%zz%-1");
}

}  // namespace
}  // namespace toolpost::schema
