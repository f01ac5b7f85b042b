// Labels of encodings.
#include "html/encodings.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"

namespace toolpost::html {
namespace {

using enum Decoder;

constexpr Encoding kEncodings[] = {
    {"UTF-8", kUtf8, "", "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"},
    {"IBM866", kLibrary, "CP866", "866 cp866 csibm866"},
    {"ISO-8859-2", kLibrary, "ISO-8859-2",
     "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"},
    {"ISO-8859-3", kLibrary, "ISO-8859-3",
     "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"},
    {"ISO-8859-4", kLibrary, "ISO-8859-4",
     "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"},
    {"ISO-8859-5", kLibrary, "ISO-8859-5",
     "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"},
    {"ISO-8859-6", kLibrary, "ISO-8859-6",
     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
     "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"},
    {"ISO-8859-7", kLibrary, "ISO-8859-7",
     "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
     "iso_8859-7:1987 sun_eu_greek"},
    {"ISO-8859-8", kLibrary, "ISO-8859-8",
     "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
     "iso_8859-8:1988 visual"},
    {"ISO-8859-8-I", kLibrary, "ISO-8859-8", "csiso88598i logical"},
    {"ISO-8859-10", kLibrary, "ISO-8859-10",
     "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    {"ISO-8859-13", kLibrary, "ISO-8859-13", "iso8859-13 iso885913"},
    {"ISO-8859-14", kLibrary, "ISO-8859-14", "iso8859-14 iso885914"},
    {"ISO-8859-15", kLibrary, "ISO-8859-15", "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"},
    {"ISO-8859-16", kLibrary, "ISO-8859-16", ""},
    {"KOI8-R", kLibrary, "KOI8-R", "cskoi8r koi koi8 koi8_r"},
    {"KOI8-U", kLibrary, "KOI8-U", "koi8-ru"},
    {"macintosh", kLibrary, "MACINTOSH", "csmacintosh mac x-mac-roman"},
    {"windows-874", kLibrary, "CP874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"},
    {"windows-1250", kLibrary, "CP1250", "cp1250 x-cp1250"},
    {"windows-1251", kLibrary, "CP1251", "cp1251 x-cp1251"},
    {"windows-1252", kWindows1252, "",
     "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
     "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252"},
    {"windows-1253", kLibrary, "CP1253", "cp1253 x-cp1253"},
    {"windows-1254", kLibrary, "CP1254",
     "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 "
     "latin5 x-cp1254"},
    {"windows-1255", kLibrary, "CP1255", "cp1255 x-cp1255"},
    {"windows-1256", kLibrary, "CP1256", "cp1256 x-cp1256"},
    {"windows-1257", kLibrary, "CP1257", "cp1257 x-cp1257"},
    {"windows-1258", kLibrary, "CP1258", "cp1258 x-cp1258"},
    {"x-mac-cyrillic", kLibrary, "MAC-UK", "x-mac-ukrainian"},
    {"GBK", kLibrary, "GB18030",
     "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk"},
    {"gb18030", kLibrary, "GB18030", ""},
    {"Big5", kLibrary, "BIG5-HKSCS", "big5-hkscs cn-big5 csbig5 x-x-big5"},
    {"EUC-JP", kLibrary, "EUC-JP-MS", "cseucpkdfmtjapanese x-euc-jp"},
    {"ISO-2022-JP", kLibrary, "ISO-2022-JP", "csiso2022jp"},
    {"Shift_JIS", kLibrary, "CP932", "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis"},
    {"EUC-KR", kLibrary, "CP949",
     "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
     "windows-949"},
    {"replacement", kReplacement, "",
     "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr"},
    {"UTF-16BE", kUtf16be, "", "unicodefffe"},
    {"UTF-16LE", kUtf16le, "", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16"},
    {"x-user-defined", kUserDefined, "", ""},
};

bool HasLabel(const Encoding& encoding, std::string_view label) {
  if (base::EqualIgnoringCase(encoding.name, label)) return true;
  const auto labels = base::Split(encoding.labels, ' ');
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace

const Encoding* FindEncoding(std::string_view label) {
  constexpr std::string_view kSpace = " \t\n\f\r";
  const std::size_t first = label.find_first_not_of(kSpace);
  constexpr std::size_t kLongestLabel = 32;
  if (first == label.npos) return nullptr;
  label = label.substr(first, label.find_last_not_of(kSpace) - first + 1);
  if (label.size() > kLongestLabel) return nullptr;
  const std::string lower = base::ToLower(label);
  const auto* found =
      std::find_if(std::begin(kEncodings), std::end(kEncodings),
                   [&](const Encoding& encoding) { return HasLabel(encoding, lower); });
  return found == std::end(kEncodings) ? nullptr : found;
}

}  // namespace toolpost::html
