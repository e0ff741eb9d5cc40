// SPDX-License-Identifier: GPL-2.0-only
#include "cli/schedule-picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the letter of a kind of instruction or operation, which have the same names.
template <typename Kind>
char
LetterOf(Kind kind)
{
    return kind == Kind::Forward          ? 'F'
           : kind == Kind::Recompute      ? 'R'
           : kind == Kind::WeightGradient ? 'W'
                                          : 'B';
}

/// Returns a number of columns that gives the shortest computation a few characters, but no more
/// than `most`.
std::size_t
ColumnsFor(const ScheduleRunResult& result, std::size_t most)
{
    constexpr std::int64_t charactersOfShortest = 3;
    auto shortest = result.makespan.ToNanoseconds();
    for (const auto& span : result.spans)
    {
        const auto length = (span.end - span.start).ToNanoseconds();
        shortest = length > 0 ? std::min(shortest, length) : shortest;
    }
    const auto wanted = charactersOfShortest * result.makespan.ToNanoseconds() / shortest;
    return std::min(most, static_cast<std::size_t>(wanted));
}

/// Returns a computation as `width` characters: its letter, its microbatch where there is room for
/// the whole number, and dashes.
std::string
BoxText(char letter, std::uint32_t microbatch, std::size_t width)
{
    auto text = letter + std::to_string(microbatch);
    text.resize(text.size() > width ? 1 : text.size());
    text.resize(std::max(text.size(), width), '-');
    return text.substr(0, width);
}

/// Returns the time axis: 0 at the left, the makespan at the right.
std::string
AxisText(Duration makespan, std::size_t width)
{
    const std::string end = TimeText(makespan);
    return width < end.size() + 2 ? fmt::format("time      |0 to {}\n", end)
                                  : fmt::format("time      |0{:>{}}|\n", end, width - 1);
}

} // namespace

std::string
TimeText(Duration span)
{
    const double seconds = span.ToSeconds();
    return seconds >= 1      ? fmt::format("{:.4g} s", seconds)
           : seconds >= 1e-3 ? fmt::format("{:.4g} ms", 1e3 * seconds)
                             : fmt::format("{:.4g} us", 1e6 * seconds);
}

std::string
SchedulePicture(const ScheduleRunResult& result, std::size_t columns)
{
    if (!(result.makespan > Duration()))
    {
        return "";
    }
    const auto width = ColumnsFor(result, columns);
    const double scale =
        static_cast<double>(width) / static_cast<double>(result.makespan.ToNanoseconds());
    const auto columnOf = [&](Instant at)
    {
        const auto column =
            static_cast<std::size_t>(static_cast<double>(at.ToNanoseconds()) * scale + 0.5);
        return std::min(column, width);
    };
    std::vector<std::string> rows(result.peakActivations.size(), std::string(width, '.'));
    for (const auto& span : result.spans)
    {
        if (span.start - Instant() > result.makespan)
        {
            continue; // a later iteration of a schedule without flush
        }
        const auto begin = columnOf(span.start);
        const auto end = columnOf(span.end);
        rows[span.worker].replace(
            begin, end - begin, BoxText(LetterOf(span.kind), span.microbatch, end - begin));
    }
    std::string picture;
    const auto* label = result.order.stagesOfWorker.empty() ? "stage" : "worker";
    for (std::size_t worker = 0; worker < rows.size(); ++worker)
    {
        picture += fmt::format(
            "{} {:>3} |{}|\n", label, worker % result.order.stages.size(), rows[worker]);
    }
    return picture + AxisText(result.makespan, width);
}

std::string
OrderText(const ScheduleOrder& order, std::uint32_t worker)
{
    std::string text;
    for (const auto& operation : order.stages[worker])
    {
        text += text.empty() ? "" : " ";
        text += order.stagesOfWorker.empty()
                    ? ""
                    : std::to_string(order.StageOf(worker, operation.chunk));
        text += LetterOf(operation.kind) + std::to_string(operation.microbatch);
    }
    return text;
}

} // namespace geotrain
