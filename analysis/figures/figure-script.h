// SPDX-License-Identifier: GPL-2.0-only
// Collects what makes a figure: gnuplot commands, and the data that they draw. From one script come
// the figure's pictures, its .gp file and its .csv file, so that all show the same numbers.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace geotrain
{

/// Returns a gnuplot string of exactly these bytes. Whatever is not plain is escaped: gnuplot runs
/// backticks inside double quotes.
std::string Literal(std::string_view text);

/// Returns `text` as a gnuplot string literal; control characters become spaces. Every text that a
/// user may have chosen goes through this function: a name must never become a command.
std::string Quoted(std::string_view text);

/// Returns an expression for a text of several lines, each of which Quoted() makes harmless.
std::string QuotedLines(const std::vector<std::string>& lines);

/// Returns an axis label such as "Iteration time (s)" as the name of a column: iteration_time_s.
std::string ColumnNameOf(std::string_view label);

/// A FigureCell is a number or a text of a figure's data. NaN is an empty cell.
using FigureCell = std::variant<double, std::string>;

/// A FigureTable is data of a figure that is drawn in one way, such as one curve.
struct FigureTable
{
    /// What all rows have in common, such as {{"link", "dc-a -> dc-b"}}: columns of the CSV file
    /// that the datablock has not.
    std::vector<std::pair<std::string, std::string>> keys;

    std::vector<std::string> columns;               ///< names that end in the unit, such as time_s
    std::vector<std::vector<FigureCell>> rows = {}; ///< a cell per column
};

/// A FigureScript is the commands and the data of one figure.
class FigureScript
{
  public:
    /// Adds gnuplot commands.
    template <typename T>
    FigureScript& operator<<(const T& commands)
    {
        m_commands << commands;
        return *this;
    }

    /// Adds data. Returns the gnuplot name of its datablock, for commands such as
    /// `plot $data1 using 1:2 with lines`; columns count from 1, without the keys.
    std::string Add(FigureTable table);

    /// Returns the datablocks as gnuplot commands.
    std::string Datablocks() const;

    std::string Commands() const;

    /// Returns all data as CSV, tidy: a header, and a row per row of any table. Columns are those
    /// of all tables, keys first; a cell is empty where a table has no such column.
    std::string Csv() const;

  private:
    std::ostringstream m_commands;
    std::vector<FigureTable> m_tables;
};

} // namespace geotrain
