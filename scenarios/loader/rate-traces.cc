// SPDX-License-Identifier: GPL-2.0-only
#include "loader/rate-traces.h"

#include "schema/scenario.pb.h"
#include "units/text-file.h"
#include "topology-import/rate-trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace geotrain
{

namespace
{

constexpr std::uintmax_t mostBytes = 100000000; // some ten million opportunities of Mahimahi

/// Returns the schedule of a file, whose lines it adds, or of the lines where `path` is empty.
RateSchedule
ReadTrace(const std::string& path,
          const std::string& field,
          google::protobuf::RepeatedPtrField<std::string>& lines,
          const ScenarioFile& file)
{
    if (path.empty())
    {
        return ParseRateTrace(fmt::format("{}", fmt::join(lines, "\n")),
                              file.name + ": " + field + "_line");
    }
    const std::string name = file.PathOf(path, field);
    if (std::filesystem::file_size(name) > mostBytes)
    {
        file.Fail(field, path, "must be a file of at most 100 MB");
    }
    const RateSchedule schedule = ParseRateTrace(ReadTextFile(name), name);
    for (const std::string& line : RateTraceLines(schedule))
    {
        *lines.Add() = line;
    }
    return schedule;
}

} // namespace

void
ResolveRateTraces(scenario::WanLink& written,
                  const std::string& field,
                  const ScenarioFile& file,
                  WanTopology::Link& link)
{
    if (written.has_rate_trace() || written.rate_trace_line_size() > 0)
    {
        link.rates = ReadTrace(
            written.rate_trace(), field + ".rate_trace", *written.mutable_rate_trace_line(), file);
        link.rate = link.rates.MeanRate();
        written.clear_rate_trace();
        written.clear_rate();
    }
    if (written.has_rate_trace_back() || written.rate_trace_back_line_size() > 0)
    {
        link.ratesBack = ReadTrace(written.rate_trace_back(),
                                   field + ".rate_trace_back",
                                   *written.mutable_rate_trace_back_line(),
                                   file);
        link.rateBack = link.ratesBack->MeanRate();
        written.clear_rate_trace_back();
    }
}

} // namespace geotrain
