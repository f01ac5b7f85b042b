#include "html/charset.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/source_directory_fixture.h"
#include "base/strings.h"

namespace toolpost::html {
namespace {

namespace fs = std::filesystem;

TEST(Charset, LabelsHaveOneNameEach) {
  EXPECT_EQ(EncodingOfLabel("utf8"), "UTF-8");
  EXPECT_EQ(EncodingOfLabel(" \tLatin1\r\n"), "windows-1252");
  EXPECT_EQ(EncodingOfLabel("ISO-8859-1"), "windows-1252");
  EXPECT_EQ(EncodingOfLabel("us-ascii"), "windows-1252");
  EXPECT_EQ(EncodingOfLabel("x-sjis"), "Shift_JIS");
  EXPECT_EQ(EncodingOfLabel("gb2312"), "GBK");
  for (const char* none :
       {"", " ", "utf-7", "utf-32", "latin", "../../etc/passwd", "UTF-8//IGNORE", "utf-8 latin1"}) {
    EXPECT_EQ(EncodingOfLabel(none), "") << none;
  }
  EXPECT_EQ(EncodingOfLabel(std::string(10'000, 'a')), "");
}

TEST(Charset, ReadsTheParameterOfAContentType) {
  EXPECT_EQ(CharsetParameter("text/html; charset=utf-8"), "utf-8");
  EXPECT_EQ(CharsetParameter("text/html;a=b;CHARSET=\"latin1\" ; c=d"), "latin1");
  for (const char* none : {"", "text/html", "text/html; charset=", "text/html; xcharset=a", ";;;"})
    EXPECT_EQ(CharsetParameter(none), "") << none;
}

TEST(Charset, MarkWinsOverHeaderAndHeaderOverMeta) {
  EXPECT_EQ(Decode("\xEF\xBB\xBF\xC3\xA4", "text/html; charset=latin1", true).text, "ä");
  EXPECT_EQ(Decode(std::string("\xFF\xFE"
                               "a\0\xE4\0",
                               6),
                   "text/html; charset=utf-8", true)
                .text,
            "aä");
  EXPECT_EQ(Decode(std::string("\xFE\xFF\0a\0\xE4", 6), "", false).text, "aä");
  const std::string page = "<meta charset=windows-1251>\xE0";
  EXPECT_EQ(Decode(page, "text/html", true).encoding, "windows-1251");
  EXPECT_EQ(Decode(page, "text/html", true).text, "<meta charset=windows-1251>а");
  EXPECT_EQ(Decode(page, "text/html; charset=latin1", true).encoding, "windows-1252");
  EXPECT_EQ(Decode(page, "text/plain", false).encoding, "windows-1252");
  EXPECT_EQ(Decode("\xC3\xA4", "", false).encoding, "UTF-8");
  EXPECT_EQ(Decode("\xE4\x80", "", false).text, "ä€");
}

TEST(Charset, DecodesWhatTheWebIsWrittenIn) {
  struct Case {
    const char* label;
    const char* bytes;
    const char* text;
  };
  for (const Case& c : {Case{"shift_jis", "\x93\xFA\x96\x7B", "日本"},
                        {"euc-jp", "\xC6\xFC\xCB\xDC", "日本"},
                        {"iso-2022-jp", "\x1B$BF|K\\\x1B(B", "日本"},
                        {"gbk", "\xD6\xD0\xCE\xC4", "中文"},
                        {"big5", "\xA4\xA4\xA4\xE5", "中文"},
                        {"euc-kr", "\xC7\xD1\xB1\xDB", "한글"},
                        {"koi8-r", "\xD2\xD5\xD3", "рус"},
                        {"iso-8859-15", "\xA4", "€"},
                        {"macintosh", "\x8A", "ä"},
                        {"windows-874", "\xA1", "ก"},
                        {"iso-8859-8-i", "\xE0", "א"},
                        {"x-mac-cyrillic", "\x80", "А"},
                        {"ibm866", "\x80", "А"}}) {
    const Decoded decoded = Decode(c.bytes, base::StrCat("text/plain; charset=", c.label), false);
    EXPECT_EQ(decoded.text, c.text) << c.label;
  }
  EXPECT_EQ(Decode("<script>", "text/html; charset=hz-gb-2312", true).text, "\xEF\xBF\xBD");
}

TEST(Charset, EveryListedEncodingIsKnownToTheSystem) {
  for (const char* label :
       {"ibm866",         "iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",
        "iso-8859-6",     "iso-8859-7",   "iso-8859-8",   "iso-8859-10",  "iso-8859-13",
        "iso-8859-14",    "iso-8859-15",  "iso-8859-16",  "koi8-r",       "koi8-u",
        "macintosh",      "windows-874",  "windows-1250", "windows-1251", "windows-1253",
        "windows-1254",   "windows-1255", "windows-1256", "windows-1257", "windows-1258",
        "x-mac-cyrillic", "gb18030"}) {
    const std::string type = base::StrCat("text/plain; charset=", label);
    const Decoded decoded = Decode("\xE1\xE2", type, false);
    // 0xE1 is a letter in all of them; without a converter it would be U+FFFD.
    EXPECT_EQ(decoded.text.find("\xEF\xBF\xBD"), decoded.text.npos) << label;
  }
}

TEST(Charset, BrokenBytesBecomeReplacementsAndNeverMore) {
  EXPECT_EQ(Decode("a\xFFz", "text/plain; charset=utf-8", false).text, "a\xEF\xBF\xBDz");
  EXPECT_EQ(Decode("a\xED\xA0\x80z", "text/plain; charset=utf-8", false).text,
            "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(Decode(std::string("\0\xD8z", 3), "text/plain; charset=utf-16", false).text,
            "\xEF\xBF\xBD\xEF\xBF\xBD");
  for (const char* label : {"shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "iso-2022-jp",
                            "utf-16", "utf-8", "windows-1255", "x-user-defined"}) {
    std::string bytes;
    for (int i = 0; i < 70'000; ++i) bytes.push_back(static_cast<char>(i * 31 + i / 251));
    const Decoded decoded = Decode(bytes, base::StrCat("text/plain; charset=", label), false);
    EXPECT_TRUE(base::IsValidUtf8(decoded.text)) << label;
    EXPECT_LE(decoded.text.size(), bytes.size() * 3) << label;
  }
}

// The vectors say in which encoding a whole parser ends up; a page without <meta> is in
// windows-1252 there.
void RunFile(const fs::path& path, int& run, int& failed) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  std::size_t at = 0;
  while ((at = text.find("#data\n", at)) != text.npos) {
    at += 6;
    const std::size_t mark = text.find("\n#encoding\n", at);
    if (mark == text.npos) break;
    const std::string page = text.substr(at, mark - at);
    const std::size_t name = mark + 11;
    const std::size_t end = std::min(text.find('\n', name), text.size());
    const std::string expected = text.substr(name, end - name);
    at = end;
    std::string_view found = EncodingOfMeta(page);
    if (page.starts_with("\xEF\xBB\xBF")) found = Decode(page, "", true).encoding;
    if (found.empty()) found = "windows-1252";
    ++run;
    if (found == EncodingOfLabel(expected)) continue;
    ++failed;
    ADD_FAILURE() << path.filename() << ": expected " << expected << ", found " << found << " in\n"
                  << page.substr(0, 300);
  }
}

TEST(Charset, AgreesWithThePublishedEncodingVectors) {
  const fs::path root = base::SharedData() / "html5lib-tests/encoding";
  if (!fs::exists(root)) GTEST_SKIP() << "skipped: no test data";
  int run = 0;
  int failed = 0;
  for (const char* name : {"tests1.dat", "tests2.dat", "test-yahoo-jp.dat"})
    RunFile(root / name, run, failed);
  EXPECT_EQ(failed, 0) << "of " << run;
  EXPECT_GT(run, 50);
}

}  // namespace
}  // namespace toolpost::html
