// Plan trees as indented lines.
#include "tools/database/plan_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/strings.h"

namespace toolpost::tools::database {
namespace {

constexpr std::size_t kMaxLines = 30;
constexpr std::size_t kMaxDepth = 100;
constexpr double kManyRows = 10'000;

std::string_view TextOf(const JsonObject& node, std::string_view key) {
  const Json* value = node.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

double NumberOf(const JsonObject& node, std::string_view key) {
  const Json* value = node.if_contains(key);
  if (value == nullptr || !value->is_number()) return -1;
  return value->to_number<double>();
}

std::string Rounded(double number) {
  if (std::abs(number) >= 1e15) return "very many";
  const auto hundredths = static_cast<std::int64_t>(std::llround(number * 100));
  std::string text = base::StrCat(hundredths / 100);
  if (hundredths % 100 != 0 && number < 1000)
    text.append(base::StrCat(".", hundredths % 100 < 10 ? "0" : "", hundredths % 100));
  return text;
}

// The object that has the member `Plan`, an object too; null: none.
const JsonObject* RootOf(const Json& plan) {
  const Json* root = &plan;
  if (root->is_array() && !root->get_array().empty()) root = &root->get_array().front();
  if (!root->is_object()) return nullptr;
  const Json* top = root->get_object().if_contains("Plan");
  return top != nullptr && top->is_object() ? &root->get_object() : nullptr;
}

class Summary {
 public:
  std::vector<std::string> Of(const Json& plan) {
    const JsonObject* root = RootOf(plan);
    if (root == nullptr) return {};
    Node(root->at("Plan").get_object(), 0);
    if (left_out_ > 0) lines_.push_back(base::StrCat("… and ", left_out_, " more nodes"));
    for (const char* key : {"Planning Time", "Execution Time"}) {
      const double ms = NumberOf(*root, key);
      if (ms >= 0) lines_.push_back(base::StrCat(key, ": ", Rounded(ms), " ms"));
    }
    lines_.insert(lines_.end(), remarks_.begin(), remarks_.end());
    return std::move(lines_);
  }

 private:
  void Node(const JsonObject& node, std::size_t depth) {
    if (lines_.size() >= kMaxLines || depth > kMaxDepth) {
      ++left_out_;
    } else {
      lines_.push_back(std::string(2 * depth, ' ') + Line(node));
      Remark(node);
    }
    const Json* children = node.if_contains("Plans");
    if (children == nullptr || !children->is_array() || depth > kMaxDepth) return;
    for (const Json& child : children->get_array()) {
      if (child.is_object()) Node(child.get_object(), depth + 1);
    }
  }

  static std::string Line(const JsonObject& node) {
    std::string line(TextOf(node, "Node Type"));
    const std::string_view relation = TextOf(node, "Relation Name");
    const std::string_view index = TextOf(node, "Index Name");
    if (!index.empty()) line.append(base::StrCat(" using ", index));
    if (!relation.empty()) line.append(base::StrCat(" on ", relation));
    line.append(base::StrCat(" (cost ", Rounded(NumberOf(node, "Total Cost")), ", rows ",
                             Rounded(NumberOf(node, "Plan Rows"))));
    const double rows = NumberOf(node, "Actual Rows");
    if (rows >= 0) {
      line.append(base::StrCat("; actual rows ", Rounded(rows), ", ",
                               Rounded(NumberOf(node, "Actual Total Time")), " ms, loops ",
                               Rounded(NumberOf(node, "Actual Loops"))));
    }
    return line + ")";
  }

  void Remark(const JsonObject& node) {
    const double planned = NumberOf(node, "Plan Rows");
    const double actual = NumberOf(node, "Actual Rows");
    const double removed = NumberOf(node, "Rows Removed by Filter");
    const std::string_view relation = TextOf(node, "Relation Name");
    const bool filtered = node.contains("Filter");
    if (TextOf(node, "Node Type") == "Seq Scan" && filtered &&
        (planned + std::max(removed, 0.0)) >= kManyRows) {
      remarks_.push_back(base::StrCat("Reads all of ", relation, " to apply a filter (",
                                      TextOf(node, "Filter"), "): an index may help"));
    }
    if (actual >= 0 && planned >= 0 && std::max(actual, planned) > 1000 &&
        std::max(actual, 1.0) / std::max(planned, 1.0) > 10) {
      remarks_.push_back(base::StrCat(TextOf(node, "Node Type"), " gave ", Rounded(actual),
                                      " rows where ", Rounded(planned),
                                      " were expected: ANALYZE of the table may help"));
    }
    if (TextOf(node, "Sort Space Type") == "Disk") {
      remarks_.push_back(base::StrCat("A sort needed ", Rounded(NumberOf(node, "Sort Space Used")),
                                      " kB on disk: work_mem is too small for it"));
    }
  }

  std::vector<std::string> lines_;
  std::vector<std::string> remarks_;
  std::size_t left_out_ = 0;
};

}  // namespace

std::vector<std::string> SummaryOfPostgresPlan(const Json& plan) { return Summary().Of(plan); }

double CostOfPostgresPlan(const Json& plan) {
  const JsonObject* root = RootOf(plan);
  return root == nullptr ? -1 : NumberOf(root->at("Plan").get_object(), "Total Cost");
}

std::string Comparison(double cost_without, double cost_with) {
  if (cost_with >= cost_without) {
    return base::StrCat("The hypothetical indexes would not help: the cost stays ",
                        Rounded(cost_without));
  }
  return base::StrCat("With the hypothetical indexes (named <…>) the cost is ", Rounded(cost_with),
                      " instead of ", Rounded(cost_without));
}

std::vector<std::string> SummaryOfSqlitePlan(const std::vector<TextRow>& rows) {
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> depths;
  for (const TextRow& row : rows) {
    if (row.size() < 4) continue;
    const auto parent = depths.find(row[1]);
    const std::size_t depth = parent == depths.end() ? 0 : parent->second + 1;
    depths[row[0]] = depth;
    if (lines.size() < kMaxLines) lines.push_back(std::string(2 * depth, ' ') + row[3]);
  }
  if (rows.size() > kMaxLines)
    lines.push_back(base::StrCat("… and ", rows.size() - kMaxLines, " more steps"));
  return lines;
}

}  // namespace toolpost::tools::database
