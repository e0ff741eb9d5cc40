#include "program/schedule-picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

char
Letter(InstructionKind kind)
{
    switch (kind)
    {
    case InstructionKind::Forward:
        return 'F';
    case InstructionKind::Recompute:
        return 'R';
    case InstructionKind::WeightGradient:
        return 'W';
    default:
        return 'B';
    }
}

// Columns that resolve the shortest computation in a few characters, if there is room.
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

} // namespace

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
    std::vector<std::string> rows(result.order.stages.size(), std::string(width, '.'));
    for (const auto& span : result.spans)
    {
        const auto begin = columnOf(span.start);
        const auto end = columnOf(span.end);
        auto text = Letter(span.kind) + std::to_string(span.microbatch);
        text.resize(std::max(text.size(), end - begin), '-');
        rows[span.stage].replace(begin, end - begin, text.substr(0, end - begin));
    }
    std::string picture;
    for (std::size_t stage = 0; stage < rows.size(); ++stage)
    {
        picture += fmt::format("stage {:>3} |{}|\n", stage, rows[stage]);
    }
    return picture;
}

std::string
OrderText(const StageOrder& order)
{
    std::string text;
    for (const auto& operation : order)
    {
        const char letter = operation.kind == Operation::Kind::Forward
                                ? 'F'
                                : (operation.kind == Operation::Kind::Backward ? 'B' : 'W');
        text += (text.empty() ? "" : " ") + (letter + std::to_string(operation.microbatch));
    }
    return text;
}

} // namespace geotrain
