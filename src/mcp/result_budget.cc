// Cuts results that are longer than the budget.
#include "mcp/result_budget.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/text_cut.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxStructMembers = 64;
constexpr int kMaxCuts = 64;
constexpr std::size_t kNotesRoom = 128;  // the four members that describe the cut
constexpr std::size_t kMinTextRoom = 256;

struct Cut {
  std::size_t total = 0;
  std::size_t returned = 0;
};

std::string_view ViewOf(const boost::json::string& text) { return {text.data(), text.size()}; }

std::size_t JsonChars(const Json& value, std::string& scratch) {
  scratch.clear();
  base::AppendJson(scratch, value);
  return base::CountCodePoints(scratch);
}

std::size_t MostChars(std::string_view text) {
  std::size_t escapes = 0;
  for (const char c : text)
    escapes +=
        static_cast<std::size_t>(static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\');
  return text.size() + 5 * escapes + 2;
}

// Without a look at the text: every character may need an escape.
std::size_t MostCharsAtAll(std::string_view text) { return 6 * text.size() + 2; }

// Subtracts an upper bound of the JSON length from `room`; false as soon as it does not fit. Nearly
// every result passes here without being serialised.
template <std::size_t (*Bound)(std::string_view)>
bool SurelyFits(const Json& value, std::size_t& room) {
  const auto take = [&room](std::size_t chars) {
    if (chars > room) return false;
    room -= chars;
    return true;
  };
  if (value.is_string()) return take(Bound(ViewOf(value.get_string())));
  if (value.is_array()) {
    return take(2) && std::ranges::all_of(value.get_array(), [&](const Json& each) {
             return take(1) && SurelyFits<Bound>(each, room);
           });
  }
  if (value.is_object()) {
    return take(2) && std::ranges::all_of(value.get_object(), [&](const auto& member) {
             return take(Bound(member.key()) + 2) && SurelyFits<Bound>(member.value(), room);
           });
  }
  return take(value.is_number() ? 26 : 5);
}

// What to cut in `value`: the largest thing that can be shortened on the way down the largest
// members; null if there is none.
Json* FindCuttable(Json& value, std::string& scratch) {
  Json* at = &value;
  while (true) {
    if (at->is_string()) return at->get_string().empty() ? nullptr : at;
    if (at->is_array()) {
      if (at->get_array().size() > 1) return at;
      if (at->get_array().empty()) return nullptr;
      at = &at->get_array().front();
      continue;
    }
    if (!at->is_object() || at->get_object().empty()) return nullptr;
    if (at->get_object().size() > kMaxStructMembers) return at;
    Json* largest = nullptr;
    std::size_t most = 0;
    for (auto& member : at->get_object()) {
      const std::size_t chars = JsonChars(member.value(), scratch);
      if (chars > most) most = chars, largest = &member.value();
    }
    at = largest;
  }
}

Cut CutArray(JsonArray& rows, std::size_t room, std::string& scratch) {
  const std::size_t total = rows.size();
  std::size_t used = 1;
  std::size_t fit = 0;
  for (; fit < total; ++fit) {
    used += JsonChars(rows[fit], scratch) + 1;
    if (used > room) break;
  }
  fit = std::max<std::size_t>(fit, 1);
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(fit), rows.end());
  return {total, fit};
}

Cut CutObject(JsonObject& rows, std::size_t room, std::string& scratch) {
  const std::size_t total = rows.size();
  JsonObject kept(rows.storage());
  std::size_t used = 1;
  for (auto& row : rows) {
    used += MostChars(row.key()) + JsonChars(row.value(), scratch) + 2;
    if (used > room && !kept.empty()) break;
    kept.emplace(row.key(), std::move(row.value()));
  }
  rows = std::move(kept);
  return {total, rows.size()};
}

Cut CutValue(Json& value, std::size_t room, std::string& scratch) {
  if (value.is_array()) return CutArray(value.get_array(), room, scratch);
  if (value.is_object()) return CutObject(value.get_object(), room, scratch);
  auto& text = value.get_string();
  const std::size_t total = base::CountCodePoints(ViewOf(text));
  text.resize(PrefixWithinJson(ViewOf(text), room > 2 ? room - 2 : 0).size());
  return {total, base::CountCodePoints(ViewOf(text))};
}

// Cuts until `value` has at most `room` characters; the first cut is the one to report. Empty if it
// cannot be done.
std::optional<Cut> CutToFit(Json& value, std::size_t room) {
  std::string scratch;
  std::optional<Cut> first;
  for (int i = 0; i < kMaxCuts; ++i) {
    const std::size_t chars = JsonChars(value, scratch);
    if (chars <= room) return first;
    Json* target = FindCuttable(value, scratch);
    if (target == nullptr) return std::nullopt;
    const std::size_t others = chars - JsonChars(*target, scratch);
    const Cut cut = CutValue(*target, room > others ? room - others : 0, scratch);
    if (cut.returned == cut.total) return std::nullopt;
    if (!first) first = cut;
  }
  return std::nullopt;
}

void Note(JsonObject& notes, std::string_view key, Json value) {
  Json* present = notes.if_contains(key);
  if (present == nullptr) {
    notes.emplace(key, std::move(value));
  } else if (key != "total" &&
             (present->kind() == value.kind() || (present->is_number() && value.is_number()))) {
    *present = std::move(value);
  }
}

void AddNotes(JsonObject& notes, const Cut& cut, const ToolInfo& info,
              const JsonObject& arguments) {
  Note(notes, "truncated", true);
  Note(notes, "total", static_cast<std::int64_t>(cut.total));
  Note(notes, "returned", static_cast<std::int64_t>(cut.returned));
  if (info.page_argument.empty()) return;
  const Json* current = arguments.if_contains(info.page_argument);
  const bool absent = current == nullptr || current->is_null();
  if (!absent && !current->is_int64()) return;
  const std::int64_t from = absent ? 0 : current->get_int64();
  if (from < 0) return;
  Note(notes, "next",
       JsonObject{{info.page_argument, from + static_cast<std::int64_t>(cut.returned)}});
}

void AddLink(JsonArray& content, std::string_view name, std::string_view mime_type,
             std::string_view whole, const Principal& principal, ResultStore& store) {
  // The store logs why it failed; the cut result is useful without the link.
  const auto uri = store.Put(principal, mime_type, whole);
  if (!uri) return;
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(store.keep()).count();
  content.push_back(
      JsonObject{{"type", "resource_link"},
                 {"uri", *uri},
                 {"name", name},
                 {"mimeType", mime_type},
                 {"description", base::StrCat("Full result, kept ", minutes, " minutes")}});
}

void CutStructured(Output& output, std::size_t budget, const ToolInfo& info,
                   const JsonObject& arguments, const Principal& principal, ResultStore& store) {
  std::size_t room = budget;
  if (!output.structured_text.empty()) {
    const std::string& text = output.structured_text;
    if (text.size() <= budget || base::CountCodePoints(text) <= budget) return;
    output.structured = output.StructuredValue();
    output.structured_text.clear();
  }
  if (SurelyFits<MostCharsAtAll>(output.structured, room)) return;
  room = budget;
  if (SurelyFits<MostChars>(output.structured, room)) return;
  const std::string whole = base::ToJson(output.structured);
  const std::size_t chars = base::CountCodePoints(whole);
  if (chars <= budget) return;
  const std::size_t notes = kNotesRoom + info.page_argument.size();
  if (const auto cut = CutToFit(output.structured, budget > notes ? budget - notes : 0)) {
    AddNotes(output.structured.is_object() ? output.structured.get_object() : output.meta, *cut,
             info, arguments);
  } else {
    output = Output::Text(base::StrCat("The result of ", info.name, " has ", chars,
                                       " characters, more than the ", budget,
                                       " that fit in a reply, and cannot be cut. Ask for less."));
    output.is_error = true;
  }
  AddLink(output.content, "full result", "application/json", whole, principal, store);
}

boost::json::string* TextOf(Json& block) {
  if (!block.is_object()) return nullptr;
  JsonObject& object = block.get_object();
  const Json* type = object.if_contains("type");
  Json* text = object.if_contains("text");
  if (type == nullptr || !type->is_string() || type->get_string() != "text" || text == nullptr)
    return nullptr;
  return text->if_string();
}

// Keeps the blocks that fit, cuts the one that does not, and drops the text blocks after it.
void CutBlocks(JsonArray& content, std::size_t budget) {
  JsonArray kept(content.storage());
  std::size_t room = budget;
  bool full = false;
  for (Json& block : content) {
    boost::json::string* text = TextOf(block);
    if (text != nullptr) {
      if (full) continue;
      const std::size_t chars = base::CountCodePoints(ViewOf(*text));
      full = chars > room;
      if (full) *text = HeadAndTail(ViewOf(*text), room);
      room -= std::min(chars, room);
    }
    kept.push_back(std::move(block));
  }
  content = std::move(kept);
}

void CutText(Output& output, std::size_t budget, const Principal& principal, ResultStore& store) {
  std::size_t bytes = 0;
  boost::json::string* largest = nullptr;
  for (Json& block : output.content) {
    boost::json::string* text = TextOf(block);
    if (text == nullptr) continue;
    bytes += text->size();
    if (largest == nullptr || text->size() > largest->size()) largest = text;
  }
  if (bytes <= budget) return;
  std::string whole;
  std::size_t total = 0;
  for (Json& block : output.content) {
    boost::json::string* text = TextOf(block);
    if (text == nullptr) continue;
    whole.append(whole.empty() ? "" : "\n").append(ViewOf(*text));
    total += base::CountCodePoints(ViewOf(*text));
  }
  if (total <= budget) return;
  const std::size_t others = total - base::CountCodePoints(ViewOf(*largest));
  if (budget >= others + std::min(kMinTextRoom, budget)) {
    *largest = HeadAndTail(ViewOf(*largest), budget - others);
  } else {
    CutBlocks(output.content, budget);
  }
  output.meta["truncated"] = true;
  output.meta["total"] = static_cast<std::int64_t>(total);
  AddLink(output.content, "full text", "text/plain", whole, principal, store);
}

}  // namespace

Output ApplyBudget(Output output, std::size_t budget, const ToolInfo& info,
                   const JsonObject& arguments, const Principal& principal, ResultStore& store) {
  if (!output.content.empty()) CutText(output, budget, principal, store);
  if (output.has_structured()) CutStructured(output, budget, info, arguments, principal, store);
  return output;
}

}  // namespace toolpost::mcp
