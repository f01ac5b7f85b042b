// Where the values of secrets end.
#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

TEST(RedactSecrets, FindsTheEndOfValuesOfDocuments) {
  Expect({
      {R"({"password":"pa\"hunter2","x":1})", R"({"password":"***","x":1})"},
      {R"({"password":"hunter2\\","x":"visible"})", R"({"password":"***","x":"visible"})"},
      {R"(curl -d "{\"password\": \"pa\\\"hunter2\", \"x\":\"visible\"}")",
       R"(curl -d "{\"password\": \"***\", \"x\":\"visible\"}")"},
      {R"("{\\\"password\\\":\\\"hunter2\\\",\\\"x\\\":\\\"visible\\\"}")",
       R"("{\\\"password\\\":\\\"***\\\",\\\"x\\\":\\\"visible\\\"}")"},
      {R"('{\""password\"": \""hunter2\"", \""x\"":1}')",
       R"('{\""password\"": \""***\"", \""x\"":1}')"},
      {R"("{`"password`":`"hunter2`",`"x`":`"visible`"}")",
       R"("{`"password`":`"***`",`"x`":`"visible`"}")"},
      {R"('{\'password\':\'hunter2\',\'x\':1}')", R"('{\'password\':\'***\',\'x\':1}')"},
      {R"("{""password"":""hunter2"",""x"":""visible""}")",
       R"("{""password"":""***"",""x"":""visible""}")"},
      {R"(SET @j = N'{"password":"hun''ter2","x":"it''s"}')",
       R"(SET @j = N'{"password":"***","x":"it''s"}')"},
      {R"({"password":12345678,"x":1})", R"({"password":***,"x":1})"},
      {R"({"passwords":1,"password": ["hun]ter2", "hunter3"], "x": 1})",
       R"({"passwords":1,"password": [***], "x": 1})"},
      {R"("password":[12345678])", R"("password":[***])"},
      {R"("adminPassword": { "value": "hun}ter2" }, "x": 1)", R"("adminPassword": {***}, "x": 1)"},
      {R"("{\"password\":[\"hun]ter2\"],\"x\":1}")", R"("{\"password\":[***],\"x\":1}")"},
  });
}

TEST(RedactSecrets, FindsTheEndOfValuesOfElements) {
  Expect({
      {"<Password><![CDATA[hun<ter2]]></Password>", "<Password><![CDATA[***]]></Password>"},
      {"<w:Password>hunter2</w:Password>", "<w:Password>***</w:Password>"},
      {"&lt;Password&gt;hun&amp;ter2&lt;/Password&gt;", "&lt;Password&gt;***&lt;/Password&gt;"},
      {"<Password>\n <value>hunter2</value>\n</Password>",
       "<Password>\n <value>***</value>\n</Password>"},
      {"<setting name=\"Password\" serializeAs=\"String\">\n  <value>hunter2</value>",
       "<setting name=\"Password\" serializeAs=\"String\">\n  <value>***</value>"},
      {"<property name=\"password\">hunter2</property>",
       "<property name=\"password\">***</property>"},
      {"<DTS:Property DTS:Name=\"Password\">hunter2</DTS:Property>",
       "<DTS:Property DTS:Name=\"Password\">***</DTS:Property>"},
      {"<x Password=\"hun&quot;ter2\" y=\"visible\"/>", "<x Password=\"***\" y=\"visible\"/>"},
      {"<add key=\"ApiPassword\" value=\"hun&quot;ter2\"/>",
       "<add key=\"ApiPassword\" value=\"***\"/>"},
      {"<add connectionString=\"Server=a;Password=h&amp;unter2&lt;;UID=u\"/>",
       "<add connectionString=\"Server=a;Password=***;UID=u\"/>"},
  });
}

TEST(RedactSecrets, FindsTheEndOfSettings) {
  Expect({
      {"Server=a;PWD={a}}b;hunter2};UID=u", "Server=a;PWD={***};UID=u"},
      {"Server=a;Password='a''hunter2';UID=u", "Server=a;Password='***';UID=u"},
      {"Server=a;Password=\"a\"\"hunter2\";UID=u", "Server=a;Password=\"***\";UID=u"},
      {"Server=a;Password=a\"hunter2;UID=u", "Server=a;Password=***;UID=u"},
      {"Server=a;Password=a'hunter2;UID=u", "Server=a;Password=***;UID=u"},
      {"Server=a;Password=a''hunter2;UID=u", "Server=a;Password=***;UID=u"},
      {"Password=a\"hunter2", "Password=***"},
      {"Server=a;Password=[*hunter2];UID=u", "Server=a;Password=***;UID=u"},
      {"set PASSWORD=a\"hunter2", "set PASSWORD=***"},
      {"set PASSWORD=a^&hunter2 & echo visible", "set PASSWORD=***& echo visible"},
  });
}

TEST(RedactSecrets, LeavesWhatIsBehindValues) {
  for (const char* text : {
           R"({"password":null,"x":"visible"})",
           R"({"password":"","x":"visible"})",
           R"({"password":true,"x":"visible"})",
           R"("{\"password\":\"\",\"x\":\"visible\"}")",
           R"("{`"password`":`"`",`"x`":`"visible`"}")",
           R"({"password":[],"x":["visible"]})",
           R"("properties":{"password":{"type":"string","minLength":1}})",
           "`password`: {visible | Buffer}",
           R"(for (const char* token : {"visible", "x"}))",
           "the password: [ask Bob]",
           "<Password></Password><x>visible</x>",
           "<Password/>visible<x/>",
           "<x Password=\"\">visible</x>",
           "<setting name=\"Port\"><value>25</value></setting>",
           "<label name=\"password\">visible</label>",
           "<setting name=\"Password\"/><value>visible</value>",
           "&lt;Password/&gt;visible&lt;x&gt;",
           "IF a&lt;b PRINT 'visible &gt;'",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
  Expect({
      {"$c = \"Server=a;Password=hunter2\"; Run \"visible\"",
       "$c = \"Server=a;Password=***\"; Run \"visible\""},
      {"['Server=a;Password=hunter2','visible']", "['Server=a;Password=***','visible']"},
      {"EXEC('SELECT ''Password=hunter2'', 1')", "EXEC('SELECT ''Password=***'', 1')"},
      {"set \"PASSWORD=hunter2\" & echo visible", "set \"PASSWORD=***\" & echo visible"},
  });
}

}  // namespace
}  // namespace toolpost::tools::mssql
