#include "tds_server/calendar.h"

#include <gtest/gtest.h>

#include "tds_server/decimal.h"

namespace toolpost::tds_server {
namespace {

TEST(Calendar, ReadsDatesTimesAndOffsets) {
  const auto moment = ParseMoment("2024-02-29 23:59:58.1234567 -05:30");
  ASSERT_TRUE(moment);
  EXPECT_EQ(DateText(moment->days), "2024-02-29");
  EXPECT_EQ(TimeText(moment->ticks, 7), "23:59:58.1234567");
  EXPECT_EQ(OffsetText(moment->offset), "-05:30");
  EXPECT_EQ(ParseMoment("0001-01-01")->days, 0);
  EXPECT_EQ(ParseMoment("1900-01-01T00:00:00Z")->days, kDaysTo1900);
  EXPECT_EQ(DateText(ParseMoment("9999-12-31")->days), "9999-12-31");
  EXPECT_EQ(TimeText(ParseMoment("07:08")->ticks, 0), "07:08:00");
}

TEST(Calendar, RefusesWhatIsNoDate) {
  for (const char* text : {"", "x", "2023-02-29", "2023-13-01", "24:00:00", "2023-01-01 1",
                           "2023-01-01 10:00:00 +5", "2023-01-01 10:00:00.1 x", "2023-1-1"}) {
    EXPECT_FALSE(ParseMoment(text)) << text;
  }
}

TEST(Decimal, KeepsAllDigits) {
  const auto value = ParseDecimal("-9999999999999999999999999999.9999999999", 10);
  ASSERT_TRUE(value);
  EXPECT_EQ(DecimalText(*value, 10), "-9999999999999999999999999999.9999999999");
  EXPECT_EQ(DecimalText(*ParseDecimal("0.5", 3), 3), "0.500");
  EXPECT_EQ(DecimalText(*ParseDecimal("7", 0), 0), "7");
}

TEST(Decimal, RefusesWhatDoesNotFit) {
  for (const char* text :
       {"", "-", ".", "1.2.3", "1e5", "1.2345", "123456789012345678901234567890123456789"}) {
    EXPECT_FALSE(ParseDecimal(text, 3)) << text;
  }
}

}  // namespace
}  // namespace toolpost::tds_server
