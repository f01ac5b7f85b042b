// Content blocks in every revision.
#include "mcp/content_block.h"

#include <gtest/gtest.h>

#include "base/json_write.h"

namespace toolpost::mcp {
namespace {

std::string Written(const Json& block, Revision revision) {
  std::string out;
  AppendContentBlock(out, block, revision);
  return out;
}

TEST(ContentBlock, AudioIsASentenceBefore2025_03_26) {
  const Json audio = JsonObject{{"type", "audio"}, {"data", "AAAA"}, {"mimeType", "audio/wav"}};
  EXPECT_EQ(
      Written(audio, Revision::k2024_11_05),
      R"({"type":"text","text":"[Audio of type audio/wav: not available in this protocol revision]"})");
  EXPECT_EQ(Written(audio, Revision::k2025_03_26), base::ToJson(audio));
  EXPECT_EQ(Written(audio, kModernRevision), base::ToJson(audio));
}

TEST(ContentBlock, ALinkIsItsNameAddressAndDescriptionBefore2025_06_18) {
  JsonObject link{{"type", "resource_link"}, {"uri", "t://log"}};
  EXPECT_EQ(Written(link, Revision::k2025_03_26), R"({"type":"text","text":"t://log"})");
  link["name"] = "Log";
  EXPECT_EQ(Written(link, Revision::k2025_03_26), R"({"type":"text","text":"Log: t://log"})");
  link["description"] = "All \"of\" it";
  EXPECT_EQ(Written(link, Revision::k2024_11_05),
            R"json({"type":"text","text":"Log: t://log (All \"of\" it)"})json");
  EXPECT_EQ(Written(link, Revision::k2025_06_18), base::ToJson(link));
}

TEST(ContentBlock, MembersOfTheWrongTypeCountAsAbsent) {
  EXPECT_EQ(Written(JsonObject{{"type", "resource_link"}, {"uri", "t://a"}, {"name", 1}},
                    Revision::k2024_11_05),
            R"({"type":"text","text":"t://a"})");
  for (const Json& odd : {Json("text"), Json(nullptr), Json(JsonObject{{"type", 7}})}) {
    EXPECT_EQ(Written(odd, Revision::k2024_11_05), base::ToJson(odd));
  }
}

}  // namespace
}  // namespace toolpost::mcp
