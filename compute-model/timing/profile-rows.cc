// SPDX-License-Identifier: GPL-2.0-only
#include "timing/profile-rows.h"

#include "units/config-error.h"
#include "units/csv-cells.h"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

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
    RequiredColumns,
    Gpu = RequiredColumns,
    OptimizerMs,
    Model,
    Sequence,
    PrecisionName,
    Columns
};

constexpr std::array<const char*, Columns> columnNames{"layer",
                                                       "microbatch",
                                                       "tp",
                                                       "forward_ms",
                                                       "backward_input_ms",
                                                       "backward_weight_ms",
                                                       "gpu",
                                                       "optimizer_ms",
                                                       "model",
                                                       "sequence",
                                                       "precision"};

constexpr std::size_t absent = SIZE_MAX;        // position of a column that isn't there
constexpr std::uint32_t largestCount = 1000000; // layers, sequences, GPUs, tokens
constexpr double shortestMs = 1e-6;             // a nanosecond, the least time there is
constexpr double longestMs = 1e9;               // eleven days

using Cells = std::vector<std::string>;

std::string
ColumnList(std::size_t from, std::size_t to)
{
    std::string list;
    for (std::size_t column = from; column < to; ++column)
    {
        list += (list.empty() ? "" : ",") + std::string(columnNames[column]);
    }
    return list;
}

using Positions = std::array<std::size_t, Columns>;

/// Returns where each column stands in the header.
Positions
ReadHeader(const std::string& fileName, const Cells& header)
{
    Positions positions{};
    std::size_t known = 0;
    bool isComplete = true;
    for (std::size_t column = 0; column < Columns; ++column)
    {
        const auto found = std::find(header.begin(), header.end(), columnNames[column]);
        const bool isThere = found != header.end();
        positions[column] = isThere ? static_cast<std::size_t>(found - header.begin()) : absent;
        known += isThere ? 1 : 0;
        isComplete = isComplete && (isThere || column >= RequiredColumns);
    }
    if (!isComplete || known != header.size())
    {
        throw ConfigError(fileName,
                          "line 1",
                          "",
                          "must name the columns " + ColumnList(0, RequiredColumns) +
                              ", and may name " + ColumnList(RequiredColumns, Columns));
    }
    return positions;
}

/// Holds one row's cells and throws errors that name its line.
class RowReader
{
  public:
    RowReader(const std::string& fileName,
              std::size_t line,
              const Positions& positions,
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

    bool Has(Column column) const
    {
        return m_positions[column] != absent;
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

    Precision PrecisionNamed(Column column) const
    {
        const std::string name = boost::to_upper_copy(std::string(Cell(column)));
        std::string names;
        for (const Precision precision : allPrecisions)
        {
            if (name == NameOf(precision))
            {
                return precision;
            }
            names += (names.empty() ? "" : ", ") + std::string(NameOf(precision));
        }
        Refuse(column, "must be one of " + names);
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
    const Positions& m_positions;
    const Cells& m_cells;
};

/// Returns the row in `cells`.
ProfileRow
ReadRow(const RowReader& reader)
{
    ProfileRow row;
    row.layer = reader.LayerName();
    row.microbatch = reader.Count(Microbatch, 1);
    row.tensorParallel = reader.Count(TensorParallel, 1);
    row.forward = reader.Time(ForwardMs);
    row.backwardInput = reader.Time(BackwardInputMs);
    row.backwardWeight = reader.Time(BackwardWeightMs);
    row.gpu = reader.Has(Gpu) ? reader.Cell(Gpu) : "";
    row.model = reader.Has(Model) ? reader.Cell(Model) : "";
    row.sequence = reader.Has(Sequence) ? reader.Count(Sequence, 1) : 0;
    if (reader.Has(PrecisionName))
    {
        row.precision = reader.PrecisionNamed(PrecisionName);
    }
    if (reader.Has(OptimizerMs))
    {
        row.optimizer = reader.Time(OptimizerMs);
    }
    return row;
}

} // namespace

std::vector<ProfileRow>
ReadProfileRows(const std::string& fileName, const std::string& text)
{
    std::vector<ProfileRow> rows;
    std::set<std::tuple<std::string,
                        std::string,
                        std::uint32_t,
                        std::string,
                        std::uint32_t,
                        std::uint32_t,
                        std::optional<Precision>>>
        seen;
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    const Cells header = CsvCells(line);
    const Positions positions = ReadHeader(fileName, header);
    for (std::size_t number = 2; std::getline(in, line); ++number)
    {
        const Cells cells = CsvCells(line);
        if (cells.size() != header.size())
        {
            throw ConfigError(fileName,
                              "line " + std::to_string(number),
                              "",
                              "must have " + std::to_string(header.size()) + " values, not " +
                                  std::to_string(cells.size()));
        }
        const RowReader reader(fileName, number, positions, cells);
        const ProfileRow row = ReadRow(reader);
        if (!seen.emplace(row.gpu,
                          row.model,
                          row.sequence,
                          row.layer,
                          row.microbatch,
                          row.tensorParallel,
                          row.precision)
                 .second)
        {
            reader.Refuse(Layer, "has a row for this microbatch and tp already");
        }
        rows.push_back(row);
    }
    if (rows.empty())
    {
        throw ConfigError(fileName, "", "", "must have at least one row");
    }
    return rows;
}

} // namespace geotrain
