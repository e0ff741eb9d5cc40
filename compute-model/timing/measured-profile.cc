// SPDX-License-Identifier: GPL-2.0-only
#include "timing/measured-profile.h"

#include "units/config-error.h"
#include "units/text-file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

namespace geotrain
{

namespace
{

enum Column : std::size_t
{
    Layer,
    Microbatch,
    TensorParallel,
    ForwardMs,
    BackwardInputMs,
    BackwardWeightMs,
    Columns
};

constexpr std::array<const char*, Columns> columnNames{
    "layer", "microbatch", "tp", "forward_ms", "backward_input_ms", "backward_weight_ms"};

constexpr std::uint32_t largestCount = 1000000; // layers, sequences, GPUs
constexpr double shortestMs = 1e-6;             // a nanosecond, the least time there is
constexpr double longestMs = 1e9;               // eleven days

using Cells = std::vector<std::string>;

Cells
SplitLine(std::string line)
{
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    Cells cells;
    std::size_t begin = 0;
    for (std::size_t comma = line.find(','); comma != std::string::npos;
         comma = line.find(',', begin))
    {
        cells.push_back(line.substr(begin, comma - begin));
        begin = comma + 1;
    }
    cells.push_back(line.substr(begin));
    return cells;
}

std::string
ColumnList()
{
    std::string list;
    for (const char* name : columnNames)
    {
        list += (list.empty() ? "" : ",") + std::string(name);
    }
    return list;
}

/// Returns where each column stands in the header.
std::array<std::size_t, Columns>
ReadHeader(const std::string& fileName, const Cells& header)
{
    std::array<std::size_t, Columns> positions{};
    for (std::size_t column = 0; column < Columns; ++column)
    {
        const auto found = std::find(header.begin(), header.end(), columnNames[column]);
        if (found == header.end() || header.size() != Columns)
        {
            throw ConfigError(fileName, "line 1", "", "must name the columns " + ColumnList());
        }
        positions[column] = static_cast<std::size_t>(found - header.begin());
    }
    return positions;
}

/// Holds one row's cells and throws errors that name its line.
class RowReader
{
  public:
    RowReader(const std::string& fileName,
              std::size_t line,
              const std::array<std::size_t, Columns>& positions,
              const Cells& cells)
        : m_fileName(fileName),
          m_line(line),
          m_positions(positions),
          m_cells(cells)
    {
    }

    const std::string& Cell(Column column) const
    {
        return m_cells[m_positions[column]];
    }

    std::uint32_t Count(Column column, std::uint32_t least) const
    {
        const std::string& text = Cell(column);
        std::uint32_t value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || rest != text.data() + text.size() || value < least ||
            value > largestCount)
        {
            Refuse(column,
                   "must be a whole number from " + std::to_string(least) + " to " +
                       std::to_string(largestCount));
        }
        return value;
    }

    std::string LayerName() const
    {
        const std::string& text = Cell(Layer);
        return text == "embedding" || text == "head" ? text : std::to_string(Count(Layer, 0));
    }

    Duration Time(Column column) const
    {
        const std::string& text = Cell(column);
        double value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || rest != text.data() + text.size() || !std::isfinite(value) ||
            value < shortestMs || value > longestMs)
        {
            Refuse(column, "must be a number of milliseconds from 1e-6 to 1e9");
        }
        return Duration::Seconds(value * 1e-3);
    }

    [[noreturn]] void Refuse(Column column, const std::string& rule) const
    {
        throw ConfigError(m_fileName,
                          "line " + std::to_string(m_line) + ": " + columnNames[column],
                          Cell(column),
                          rule);
    }

  private:
    const std::string& m_fileName;
    std::size_t m_line;
    const std::array<std::size_t, Columns>& m_positions;
    const Cells& m_cells;
};

} // namespace

MeasuredProfile
MeasuredProfile::Load(const std::string& path)
{
    return Parse(path, ReadTextFile(path));
}

MeasuredProfile
MeasuredProfile::Parse(const std::string& fileName, const std::string& text)
{
    MeasuredProfile profile;
    profile.m_fileName = fileName;
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    const auto positions = ReadHeader(fileName, SplitLine(line));
    for (std::size_t number = 2; std::getline(in, line); ++number)
    {
        const Cells cells = SplitLine(line);
        if (cells.size() != Columns)
        {
            throw ConfigError(fileName,
                              "line " + std::to_string(number),
                              "",
                              "must have " + std::to_string(Columns) + " values, not " +
                                  std::to_string(cells.size()));
        }
        const RowReader reader(fileName, number, positions, cells);
        const Key key{
            reader.LayerName(), reader.Count(Microbatch, 1), reader.Count(TensorParallel, 1)};
        const Row row{
            reader.Time(ForwardMs), reader.Time(BackwardInputMs), reader.Time(BackwardWeightMs)};
        if (!profile.m_rows.emplace(key, row).second)
        {
            reader.Refuse(Layer, "has a row for this microbatch and tp already");
        }
    }
    if (profile.m_rows.empty())
    {
        throw ConfigError(fileName, "", "", "must have at least one row");
    }
    return profile;
}

const MeasuredProfile::Row*
MeasuredProfile::Find(const std::string& layer, const StageExecution& execution) const
{
    const auto found = m_rows.find({layer, execution.microbatchSize, execution.tensorParallel});
    return found == m_rows.end() ? nullptr : &found->second;
}

StageTiming
MeasuredProfile::TimeStage(const TransformerSpec& model,
                           const StageShare& share,
                           std::uint32_t firstLayer,
                           const GpuSpec& gpu,
                           const StageExecution& execution) const
{
    if (execution.recomputation == Recomputation::Selective &&
        execution.attention == Attention::Unfused)
    {
        throw ConfigError(m_fileName,
                          "",
                          "",
                          "has no time for attention alone, which selective recomputation needs");
    }
    StageTiming timing;
    const auto add = [&timing](const Row& row)
    {
        timing.forward += row.forward;
        timing.backwardInput += row.backwardInput;
        timing.backwardWeight += row.backwardWeight;
    };
    for (std::uint32_t layer = firstLayer; layer < firstLayer + share.layers; ++layer)
    {
        const Row* row = Find(std::to_string(layer), execution);
        if (row == nullptr)
        {
            throw ConfigError(m_fileName,
                              "layer " + std::to_string(layer),
                              "",
                              "must have a row for microbatch " +
                                  std::to_string(execution.microbatchSize) + " and tp " +
                                  std::to_string(execution.tensorParallel));
        }
        add(*row);
        if (execution.recomputation == Recomputation::Full)
        {
            timing.recompute += row->forward;
        }
    }
    for (const auto& [held, name] :
         {std::pair{share.hasEmbedding, "embedding"}, {share.hasHead, "head"}})
    {
        const Row* row = held ? Find(name, execution) : nullptr;
        if (row != nullptr)
        {
            add(*row);
        }
    }
    const double parameters = static_cast<double>(StageParameters(model, share));
    timing.optimizerStep = OptimizerStepTime(parameters / execution.tensorParallel, gpu);
    return timing;
}

} // namespace geotrain
