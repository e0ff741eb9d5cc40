// SPDX-License-Identifier: GPL-2.0-only
#include "report/metric-text.h"

#include "metrics/mean-text.h"
#include "metrics/metric-names.h"
#include "report/figure-list.h"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

/// Adds those of the metrics that the summary has.
void
AddNamed(std::vector<Metric>& metrics, const Summary& summary, const std::string& name)
{
    if (const auto* metric = summary.MetricNamed(name))
    {
        metrics.push_back(*metric);
    }
}

constexpr int significantDigits = 4;

/// A Scale is a unit and its size.
struct Scale
{
    double size;
    const char* unit;
};

std::vector<Scale>
ScalesOf(const Metric& metric)
{
    if (metric.unit.empty() && IsShare(metric.name))
    {
        return {{0.01, "%"}};
    }
    if (metric.unit == "s")
    {
        return {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
    }
    if (metric.unit == "bps")
    {
        return {{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};
    }
    if (boost::ends_with(metric.name, "_bytes"))
    {
        return {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
    }
    if (metric.unit == "FLOP/s")
    {
        return {{1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1, "FLOP/s"}};
    }
    return {{1, metric.unit.c_str()}};
}

/// Returns the first scale in which the value is at least 1. Zero has the unit's own scale.
Scale
ScaleOf(const Metric& metric)
{
    const auto scales = ScalesOf(metric);
    for (const auto& scale : scales)
    {
        const bool own = metric.value == 0 && (scale.size == 1 || scales.size() == 1);
        if (own || std::abs(metric.value) >= scale.size)
        {
            return scale;
        }
    }
    return scales.back();
}

/// Returns digits with a comma before each three of those before the point.
std::string
WithCommas(std::string digits)
{
    const auto point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("0123456789");
    const bool isPlain = digits.find('e') == std::string::npos;
    for (std::size_t at = point; isPlain && at > first + 3; at -= 3)
    {
        digits.insert(at - 3, ",");
    }
    return digits;
}

/// Returns four digits, and all digits of a large number.
std::string
Digits(double value)
{
    const double size = std::abs(value);
    const bool whole = value == std::floor(value) || size >= 1000;
    return whole && size < 1e15 ? WithCommas(fmt::format("{:.0f}", value))
                                : fmt::format("{:.{}g}", value, significantDigits);
}

} // namespace

std::string
ValueText(const Metric& metric)
{
    const Scale scale = ScaleOf(metric);
    const double value = metric.value / scale.size;
    std::string text = scale.size == 0.01 ? fmt::format("{:.1f}", value) : Digits(value);
    if (metric.halfWidth > 0)
    {
        const auto mean = TextOfMean(value, metric.halfWidth / scale.size, significantDigits);
        text = WithCommas(mean.mean) + " ± " + WithCommas(mean.halfWidth);
    }
    return *scale.unit == '\0' ? text : fmt::format("{} {}", text, scale.unit);
}

HtmlCell
ValueCell(const Metric& metric)
{
    auto html = Escaped(ValueText(metric));
    const auto interval = html.find("±");
    html.insert(std::min(interval, html.size()), interval == std::string::npos ? "" : "<wbr>");
    return {html, true, fmt::format("{}", metric.value)};
}

std::string
LabelOf(const Metric& metric)
{
    return Phrase(metric.name);
}

std::vector<Metric>
MainMetrics(const Summary& summary)
{
    std::vector<Metric> main;
    const bool filled = summary.Find("fill_utilization").value_or(0) > 0;
    for (const auto& name : MainMetricNames())
    {
        if (!filled && (name == "fill_utilization" || name == "total_utilization"))
        {
            continue; // the same as the GPU utilisation
        }
        AddNamed(main, summary, name);
    }
    return main;
}

std::vector<Metric>
ServiceMetrics(const Summary& summary)
{
    std::vector<Metric> service;
    for (const char* name : {"requests",
                             "requests_served",
                             "ttft_p50",
                             "ttft_p99",
                             "promise_kept_share",
                             "prefill_tokens_per_second",
                             "offline_tokens_per_second",
                             "total_utilization_all_gpus",
                             "decode_gpus",
                             "decode_utilization",
                             "dedicated_gpus",
                             "dedicated_ttft_p50"})
    {
        AddNamed(service, summary, name);
    }
    return service;
}

} // namespace geotrain
