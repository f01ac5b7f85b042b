// system/tools: the tools of this server, in short or one in full.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

struct Args {
  std::optional<std::string> category;
  std::optional<std::string> name;
  bool schemas = false;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("category", &Args::category, "Only this category.").MaxLength(128),
        Opt("name", &Args::name, "Only this tool, with its input schema.").MaxLength(128),
        Opt("schemas", &Args::schemas, "With input schemas.")};
  }
};

struct Entry {
  std::string name;
  std::string title;
  std::string description;
  std::string category;
  std::string version;
  std::vector<std::string> tags;
  std::optional<JsonObject> input_schema;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &Entry::name),
                      Req("title", &Entry::title),
                      Req("description", &Entry::description),
                      Req("category", &Entry::category),
                      Req("version", &Entry::version),
                      Req("tags", &Entry::tags),
                      Opt("inputSchema", &Entry::input_schema)};
  }
};

struct Listing {
  std::vector<Entry> tools;
  std::int64_t count = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("tools", &Listing::tools), Req("count", &Listing::count)};
  }
};

std::string CategoryOf(const ToolInfo& info) { return info.name.substr(0, info.name.find('/')); }

bool IsNamed(const ToolInfo& info, const std::string& name) {
  return info.name == name || info.wire == name ||
         std::ranges::find(info.aliases, name) != info.aliases.end();
}

Entry EntryOf(const Tool& tool, bool full) {
  const ToolInfo& info = tool.info;
  Entry entry{info.name, info.title, info.description, CategoryOf(info), info.version,
              info.tags, {}};
  if (full && tool.input_schema->is_object()) entry.input_schema = tool.input_schema->get_object();
  return entry;
}

Result<Listing> List(const SystemProbes& probes, const Args& args, const Principal& caller) {
  Listing listing;
  for (const auto& tool : probes.tools(caller)) {
    if (args.category && CategoryOf(tool->info) != *args.category) continue;
    if (args.name && !IsNamed(tool->info, *args.name)) continue;
    listing.tools.push_back(EntryOf(*tool, args.schemas || args.name.has_value()));
  }
  if (args.name && listing.tools.empty()) {
    return Error::NotFound(base::StrCat("No tool is named \"", *args.name,
                                        "\". Call system/tools without name for all."));
  }
  listing.count = static_cast<std::int64_t>(listing.tools.size());
  return listing;
}

}  // namespace

Tool ToolsTool(SystemProbes probes) {
  return MakeTool<Args, Listing>(
      {.name = "system/tools",
       .title = "List tools",
       .description =
           "Lists the tools of this server, of one category, or one tool with its input schema.",
       .hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false},
       .run = Run::kInline},
      [probes = std::move(probes)](const Args& args, CallContext& context) {
        return List(probes, args, context.principal());
      });
}

}  // namespace toolpost::tools::system
