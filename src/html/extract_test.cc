#include "html/extract.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "html/invisible.h"
#include "html/repeat_fixture.h"

namespace toolpost::html {
namespace {

std::string Resolve(std::string_view base, std::string_view reference) {
  if (reference.starts_with("javascript:") || reference.starts_with("data:")) return {};
  if (reference.find("://") != reference.npos) return std::string(reference);
  return base::StrCat(base.empty() ? "https://site.example/" : base, reference);
}

std::string Plain(std::string_view page) { return ExtractText(page, {}).text; }

std::string Markdown(std::string_view page) {
  return ExtractText(page, {.markdown = true, .resolve = Resolve}).text;
}

struct Case {
  const char* page;
  const char* expected;
};

TEST(Extract, PRD_FR_015_2_RemovesScriptsStylesAndTags) {
  for (const Case& c : {
           Case{"<p>a</p><script>var x = '<p>no</p>';</script><p>b</p>", "a\n\nb"},
           {"<style>p{color:red}</style>text<!-- comment -->", "text"},
           {"<b>bo</b>ld <i>and</i>\n  more", "bold and more"},
           {"<script><!--<script></script>--></script>after", "after"},
           {"a<template><p>no</p></template>b", "ab"},
           {"<noscript>enable it</noscript>x", "x"},
           {"<iframe><p>no</iframe><object>no</object><svg><text>no</text><script>no</script></"
            "svg>y",
            "y"},
           {"<nav><a href=/>Home</a></nav><main>body</main>", "body"},
           {"<div role=navigation>menu</div>z", "z"},
           {"<select><option>a<option>b</select><button>press</button><textarea>t</textarea>q",
            "q"},
           {"1 &lt; 2 &amp;&amp; caf&eacute; &#x41;&nbsp;&copy", "1 < 2 && café A ©"},
           {"<xmp><p>shown</xmp>", "<p>shown"},
           {"<plaintext>all <b>text", "all <b>text"},
           {"<p>one<p>two<div>three</div>four", "one\n\ntwo\n\nthree\nfour"},
           {"x<br>y<br/>z", "x\ny\nz"},
           {"<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"},
           {"<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"},
           {"<pre>\n a\n  b</pre>", " a\n  b"},
           {"<table><tr><th>h</th><th>i</th></tr><tr><td>1<td>2</table>", "h | i\n1 | 2"},
           {"", ""},
           {"   \n ", ""},
           {"<", "<"},
           {"<p", ""},
       }) {
    EXPECT_EQ(Plain(c.page), c.expected) << c.page;
  }
}

TEST(Extract, LeavesOutWhatThePageHides) {
  for (const char* hidden :
       {"<div hidden>secret</div>", "<p style='display:none'>secret</p>",
        "<span style=\"DISPLAY : None !important\">secret</span>",
        "<div style='display:/**/none'>secret</div>",
        "<p style='color:red;visibility:hidden'>secret", "<div style='opacity:0'>secret</div>",
        "<div style='font-size:0px'>secret</div>",
        "<div style='position:absolute;left:-9999px'>secret</div>",
        "<div hidden><p>secret<table><tr><td>secret</div>secret</table></div>",
        "<b><div hidden>a</b>secret</div>", "<dialog>secret</dialog>",
        "<div hidden=until-found>secret</div>"}) {
    const Extract extract = ExtractText(base::StrCat("before ", hidden, "<p>after"), {});
    EXPECT_EQ(extract.text.find("secret"), extract.text.npos) << hidden << "\n" << extract.text;
    EXPECT_NE(extract.text.find("before"), extract.text.npos) << hidden;
    EXPECT_NE(extract.text.find("after"), extract.text.npos) << hidden;
    EXPECT_GE(extract.hidden_chars, 6U) << hidden;
  }
  // And the twins that are seen.
  for (const char* shown :
       {"<div>shown</div>", "<p style='display:block'>shown</p>",
        "<p style='opacity:0.5'>shown</p>", "<p style='font-size:0.9em'>shown</p>",
        "<body style='display:none'>shown</body>", "<div style='left:-20px'>shown</div>",
        "<dialog open>shown</dialog>", "<p hidden>a<p>shown",
        "<div style='background:url(display:none)'>shown</div>"}) {
    EXPECT_NE(Plain(shown).find("shown"), std::string::npos) << shown;
  }
}

TEST(Extract, PromptInjection_RemovesInvisibleCharactersAndCountsThem) {
  const Extract extract = ExtractText(
      "a\xE2\x80\x8B"                                  // zero-width space
      "b\xE2\x80\xAE"                                  // right-to-left override
      "c\xF3\xA0\x81\x81\xF3\xA0\x81\x82"              // tag characters
      "d\x1B[31m&#27;e<pre>f\xE2\x80\xAE</pre>"        // escape sequences
      "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB",  // an emoji with a joiner
      {});
  EXPECT_EQ(extract.text, "abcd[31me\n\nf\n\n\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB");
  EXPECT_EQ(extract.hidden_chars, 7U);
  EXPECT_TRUE(IsInvisible("\xEF\xBB\xBF"));
  EXPECT_FALSE(IsInvisible("\xE2\x80\x8D"));
}

TEST(Extract, FindsTheTitle) {
  EXPECT_EQ(ExtractText("<title> A &amp;\n B </title><title>C</title>x", {}).title, "A & B");
  EXPECT_EQ(ExtractText("<svg><title>no</title></svg><title>yes</title>", {}).title, "yes");
  EXPECT_EQ(ExtractText("x", {}).title, "");
}

TEST(Extract, LinksWithInvisibleCharactersLoseTheirAddress) {
  const auto as_it_is = [](std::string_view, std::string_view link) { return std::string(link); };
  const auto markdown = [&](std::string_view page) {
    return ExtractText(page, {.markdown = true, .resolve = as_it_is}).text;
  };
  EXPECT_EQ(markdown("<a href='/a\x1B[31m'>text</a>"), "text");
  EXPECT_EQ(markdown("<img src='/\xE2\x80\xAE' alt='text'>"), "text");
  EXPECT_EQ(markdown("<a href='/a'>text</a>"), "[text](/a)");
}

TEST(Extract, WritesMarkdown) {
  for (const Case& c : {
           Case{"<h1>Head\n<br>line</h1><p>text", "# Head line\n\ntext"},
           {"<h2>a</h2><h6>b</h6>", "## a\n\n###### b"},
           {"<h3></h3>x", "x"},
           {"<a href=/a>link</a> and <a href='http://b.example/?x=1&amp;y=2'>other</a>",
            "[link](https://site.example//a) and [other](http://b.example/?x=1&y=2)"},
           {"<a href='javascript:alert(1)'>no</a> <a href=#top>up</a> <a>none</a>", "no up none"},
           {"<a href=x> spaced </a>text", "[spaced](https://site.example/x) text"},
           {"<a href=x></a>y", "y"},
           {"<a href=x><div>card</div><p>more</p></a>", "[card more](https://site.example/x)"},
           {"<base href='https://base.example/'><a href=x>y</a>", "[y](https://base.example/x)"},
           {"<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"},
           {"<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"},
           {"<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"},
           {"use <code>x = 1</code>.", "use `x = 1`."},
           {"<pre><code class='language-c++'>int x;\n\n  y\n</code></pre>z",
            "```c++\nint x;\n\n  y\n```\n\nz"},
           {"<pre>```</pre>", "````\n```\n````"},
           {"a<hr>b", "a\n\n---\n\nb"},
           {"<img src=i.png alt='An image'> <img src=x>",
            "![An image](https://site.example/i.png)"},
           {"<a href=x><img src=i.png alt=logo></a>", "[logo](https://site.example/x)"},
           {"<table><tr><th>h<th>i<tr><td>1|2<td>3<br>4<tr><td><td>x</table>after",
            "| h | i |\n| --- | --- |\n| 1\\|2 | 3 4 |\n|  | x |\n\nafter"},
           {"<table><tr><td><table><tr><td>a<td>b</table><td>c</table>",
            "| a | b |\n| --- | --- |\n\nc"},
           {"<table><caption>cap</caption><tbody><tr><td>1</td></tr></tbody></table>",
            "cap\n\n| 1 |\n| --- |"},
           {"<dl><dt>t<dd>d<dt>u<dd>e</dl>", "t\nd\nu\ne"},
       }) {
    EXPECT_EQ(Markdown(c.page), c.expected) << c.page;
  }
}

TEST(Extract, StopsAtTheLimit) {
  std::string page;
  for (int i = 0; i < 1'000; ++i) page += "<p>0123456789";
  const Extract extract = ExtractText(page, {.max_bytes = 1'000});
  EXPECT_FALSE(extract.complete);
  EXPECT_LT(extract.text.size(), 1'100U);
  EXPECT_TRUE(ExtractText(page, {}).complete);
  // Indented lines of one byte.
  const Extract lines = ExtractText(
      "<ol><li><ol><li><ol><li><pre>x" + std::string(100'000, '\n') + "y", {.max_bytes = 100'000});
  EXPECT_FALSE(lines.complete);
  EXPECT_LT(lines.text.size(), 101'000U);
}

TEST(Extract, TwiceThePageIsAtMostTwiceTheWork) {
  for (const std::string_view piece : {
           std::string_view("<div>"),
           std::string_view("<div>x</div>"),
           std::string_view("<table><tr><td>x"),
           std::string_view("<li>x"),
           std::string_view("<ul><li>x"),
           std::string_view("<ul><div><li>x</li>"),
           std::string_view("<blockquote>x"),
           std::string_view("<a href=x>y"),
           std::string_view("<b><div hidden>x</b>"),
           std::string_view("</div></p></b></table>"),
           std::string_view("<p>x"),
           std::string_view("<pre>x"),
           std::string_view("<code>x"),
           std::string_view("<svg><p>x"),
           std::string_view("<h1>x"),
           std::string_view("<dl><dt>x<dd>y"),
           std::string_view("<p style='a:b;display:block'>x"),
           std::string_view("<select><option>x"),
           std::string_view("<x-y>z"),
           std::string_view("<script>a</script>"),
           std::string_view("<button><p>x</button>"),
           std::string_view("<math><mi>x</mi>"),
       }) {
    for (const bool markdown : {false, true}) {
      const ExtractOptions options{.markdown = markdown, .resolve = Resolve};
      const std::string once = Repeat(piece, 4'000);
      const Extract single = ExtractText(once, options);
      const Extract twice = ExtractText(once + once, options);
      EXPECT_LE(twice.steps, 2 * single.steps + 1'000) << piece;
      EXPECT_LE(single.steps, 16 * once.size() + 1'000) << piece;
      EXPECT_LE(twice.text.size(), 2 * single.text.size() + 1'000) << piece;
    }
  }
}

TEST(Extract, ListsBlockedFromTheirOuterListCostNothingExtra) {
  // Each inner <li> could look for the outer one through all the <div>s between.
  const std::string setup = "<li><ul>" + Repeat("<div>", 4'000);
  const Extract few = ExtractText(setup + Repeat("<li></li>", 4'000), {});
  const Extract many = ExtractText(setup + Repeat("<li></li>", 8'000), {});
  EXPECT_LE(many.steps, 2 * few.steps + 1'000);
}

TEST(Extract, SurvivesAnyDepth) {
  const std::string page =
      Repeat("<div>", 100'000) + "deep<script>no</script>" + Repeat("</div>", 100'000) + "<p>end";
  const std::string text = Plain(page);
  EXPECT_NE(text.find("deep"), text.npos);
  EXPECT_NE(text.find("end"), text.npos);
  EXPECT_EQ(text.find("no"), text.npos);
}

}  // namespace
}  // namespace toolpost::html
