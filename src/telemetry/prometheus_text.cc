// Lines of the text format, without formatting a label set twice.
#include "telemetry/prometheus_text.h"

#include <cmath>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::telemetry {
namespace {

constexpr std::size_t kTypicalLabels = 96;

void AppendName(std::string& out, std::string_view dotted) {
  for (const char c : dotted) out.push_back(c == '.' ? '_' : c);
}

void AppendValue(std::string& out, double value) {
  constexpr double kExact = 9'007'199'254'740'992.0;  // 2^53
  if (std::trunc(value) == value && std::abs(value) <= kExact) {
    base::AppendJsonInt(out, static_cast<std::int64_t>(value));
  } else {
    base::AppendJsonDouble(out, value);
  }
}

void AppendEscaped(std::string& out, std::string_view text) {
  if (text.find_first_of("\\\"\n") == text.npos) {
    out.append(text);
    return;
  }
  for (const char c : text) {
    if (c == '\n') {
      out.append("\\n");
      continue;
    }
    if (c == '\\' || c == '"') out.push_back('\\');
    out.push_back(c);
  }
}

// Without the braces. To Prometheus a label without a value is no label.
std::string LabelText(const Sample& sample) {
  std::string text;
  text.reserve(kTypicalLabels);
  for (const Label& label : sample.labels) {
    if (label.value.empty()) continue;
    if (!text.empty()) text.push_back(',');
    AppendName(text, label.name);
    text.append("=\"");
    AppendEscaped(text, label.value);
    text.push_back('"');
  }
  return text;
}

void AppendLine(std::string& out, std::string_view name, std::string_view labels, double value) {
  out.append(name);
  if (!labels.empty()) out.append("{").append(labels).append("}");
  out.push_back(' ');
  AppendValue(out, value);
  out.push_back('\n');
}

// What stands between the labels of a sample and the count, for each bucket.
std::vector<std::string> BucketLabels(const MetricFamily& family) {
  std::vector<std::string> labels;
  for (const double bound : family.bounds) {
    std::string text = "le=\"";
    AppendValue(text, bound);
    labels.push_back(text + "\"} ");
  }
  labels.emplace_back("le=\"+Inf\"} ");
  return labels;
}

// A little more than the text of a family is going to take: it grows to megabytes.
void ReserveFor(std::string& out, const MetricFamily& family, const std::string& name) {
  constexpr std::size_t kBoundAndValue = 32;
  const std::size_t lines = family.samples.size() *
                            (family.kind == MetricKind::kHistogram ? family.bounds.size() + 3 : 1);
  out.reserve(out.size() + lines * (name.size() + kTypicalLabels + kBoundAndValue));
}

void AppendHistograms(std::string& out, const MetricFamily& family, const std::string& name) {
  const std::vector<std::string> bounds = BucketLabels(family);
  for (const Sample& sample : family.samples) {
    const std::string labels = LabelText(sample);
    const std::string before = base::StrCat(name, "_bucket{", labels, labels.empty() ? "" : ",");
    std::uint64_t count = 0;
    std::string line_end = "0\n";
    for (std::size_t i = 0; i < sample.counts.size(); ++i) {
      if (sample.counts[i] != 0) {
        count += sample.counts[i];
        line_end = base::StrCat(count, "\n");
      }
      out.append(before).append(bounds[i]).append(line_end);
    }
    AppendLine(out, name + "_sum", labels, sample.value);
    AppendLine(out, name + "_count", labels, static_cast<double>(count));
  }
}

}  // namespace

std::string PrometheusName(const MetricFamily& family) {
  std::string name;
  AppendName(name, family.name);
  if (family.unit == "s") name.append("_seconds");
  if (family.unit == "By") name.append("_bytes");
  if (family.kind == MetricKind::kCounter) name.append("_total");
  return name;
}

std::string PrometheusText(const MetricFamilies& families) {
  std::string out;
  for (const MetricFamily& family : families) {
    if (family.samples.empty()) continue;
    const std::string name = PrometheusName(family);
    out.append("# HELP ").append(name).append(" ").append(family.help);
    out.append("\n# TYPE ").append(name);
    out.append(family.kind == MetricKind::kCounter     ? " counter\n"
               : family.kind == MetricKind::kHistogram ? " histogram\n"
                                                       : " gauge\n");
    ReserveFor(out, family, name);
    if (family.kind == MetricKind::kHistogram) {
      AppendHistograms(out, family, name);
      continue;
    }
    for (const Sample& sample : family.samples)
      AppendLine(out, name, LabelText(sample), sample.value);
  }
  return out;
}

}  // namespace toolpost::telemetry
