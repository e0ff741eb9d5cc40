// SPDX-License-Identifier: GPL-2.0-only
// Reads matrices of delays or rates between sites, as spreadsheets and pandas write them.
#include "topology-import/attribute-name.h"
#include "topology-import/graph-file.h"

#include "units/config-error.h"
#include "units/csv-cells.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::size_t mostNames = 512; // whose full mesh has 130,816 links

using Cells = std::vector<std::string>;

/// Returns a text that says what numbers mean, as the name of an attribute; a unit alone does, too.
/// Returns an empty text where it says nothing.
std::string
AttributeOf(const std::string& text)
{
    for (const std::string& name : {text, "latency_" + text, "bandwidth_" + text})
    {
        if (!text.empty() && AttributeMeaningOf(name))
        {
            return name;
        }
    }
    return "";
}

class MatrixReader
{
  public:
    MatrixReader(const std::string& text, const std::string& file)
        : m_text(text),
          m_file(file)
    {
    }

    GraphFile Read(bool rates)
    {
        ReadRows();
        NameAttribute(rates);
        m_graph.loneArcs = GraphFile::LoneArc::Taken;
        for (const std::string& name : m_names)
        {
            m_graph.nodes.push_back({name, {}});
        }
        for (const Cells& row : m_rows)
        {
            for (std::size_t i = 1; i < row.size(); ++i)
            {
                AddEdge(row.front(), m_names[i - 1], row[i]);
            }
        }
        if (m_hasDiagonal)
        {
            Warn("diagonal", "", "is not read: it holds within a site");
        }
        return std::move(m_graph);
    }

  private:
    [[noreturn]] void
    Refuse(std::size_t line, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(m_file, line > 0 ? "line " + std::to_string(line) : "", value, rule);
    }

    void Warn(const std::string& field, const std::string& value, const std::string& rule)
    {
        m_graph.warnings.emplace_back(ConfigError(m_file, field, value, rule).what());
    }

    /// Returns a line's cells without blanks around them and without empty ones at its end.
    Cells Split(const std::string& line) const
    {
        Cells cells = CsvCells(line, m_separator);
        for (std::string& cell : cells)
        {
            cell.erase(0, cell.find_first_not_of(" \t"));
            cell.erase(cell.find_last_not_of(" \t") + 1);
        }
        while (cells.size() > 1 && cells.back().empty())
        {
            cells.pop_back();
        }
        return cells;
    }

    void ReadRows()
    {
        std::istringstream lines(m_text);
        std::set<std::string> missing; // names of columns whose rows are yet to come
        std::string line;
        for (std::size_t number = 1; std::getline(lines, line); ++number)
        {
            if (line.find_first_not_of(" \t\r,;") == std::string::npos)
            {
                continue;
            }
            if (m_names.empty())
            {
                ReadNames(line, number);
                missing.insert(m_names.begin(), m_names.end());
                continue;
            }
            Cells row = Split(line);
            if (missing.erase(row.front()) == 0)
            {
                Refuse(number,
                       row.front(),
                       "must be the name of a column and of no row above: a matrix has the same "
                       "names in its first row and in its first column");
            }
            if (row.size() > m_names.size() + 1)
            {
                Refuse(number, row.front(), "has more cells than the first row");
            }
            m_rows.push_back(std::move(row)); // those of a triangle are shorter
        }
        if (m_names.empty() || !missing.empty())
        {
            Refuse(0,
                   missing.empty() ? "" : *missing.begin(),
                   missing.empty() ? "must have names in the first row and in the first column"
                                   : "is the name of a column, and must be that of a row, too");
        }
    }

    void ReadNames(const std::string& line, std::size_t number)
    {
        const auto has = [&line](char letter) { return line.find(letter) != std::string::npos; };
        m_separator = has(';') ? ';' : has(',') ? ',' : '\t';
        m_names = Split(line);
        m_corner = m_names.front();
        m_names.erase(m_names.begin());
        std::set<std::string> names;
        for (const std::string& name : m_names)
        {
            if (name.empty() || !names.insert(name).second)
            {
                Refuse(number, name, "must be a name that no other column has");
            }
        }
        if (m_names.size() < 2 || m_names.size() > mostNames)
        {
            Refuse(number,
                   std::to_string(m_names.size()),
                   "names: there must be 2 to " + std::to_string(mostNames) +
                       " behind the first cell");
        }
    }

    /// Finds out what the cells hold: what the first cell says, or else the units of the others.
    void NameAttribute(bool rates)
    {
        m_attribute = AttributeOf(m_corner);
        for (std::size_t i = 0; m_attribute.empty() && i < m_rows.size(); ++i)
        {
            for (const std::string& cell : m_rows[i])
            {
                const auto parsed = ReadMeasure(cell);
                const bool isTold = parsed && !AttributeOf(parsed->unit).empty();
                m_attribute = !isTold                                    ? m_attribute
                              : UnitOf(LinkQuantity::Rate, parsed->unit) ? "bandwidth"
                                                                         : "latency";
            }
        }
        const bool isTold = !m_attribute.empty();
        m_attribute = isTold ? m_attribute : rates ? "bandwidth" : "latency";
        const AttributeMeaning meaning = *AttributeMeaningOf(m_attribute);
        const bool isRate = meaning.quantity == LinkQuantity::Rate;
        if (meaning.quantity == LinkQuantity::Loss || (rates && !isRate))
        {
            Refuse(0, m_attribute, "must be a rate, as this is to be a matrix of rates");
        }
        m_unit = meaning.unit ? "" : isRate ? " Gbps" : " ms";
        if (!isTold)
        {
            Warn("",
                 m_attribute + m_unit,
                 "is taken to be in all cells; the first one can say what is, as in \"rtt_ms\" or "
                 "\"Mbps\"");
        }
    }

    void AddEdge(const std::string& from, const std::string& to, std::string cell)
    {
        if (m_separator != ',' && cell.find('.') == std::string::npos)
        {
            std::replace(cell.begin(), cell.end(), ',', '.'); // decimal
        }
        const auto parsed = ReadMeasure(cell);
        if (IsMissing(cell) || (parsed && parsed->number == 0))
        {
            return;
        }
        if (from == to)
        {
            m_hasDiagonal = true;
            return;
        }
        const bool needsUnit = parsed && parsed->unit.empty();
        m_graph.edges.push_back(
            {from, to, {{m_attribute, cell + (needsUnit ? m_unit : "")}}, true});
    }

    const std::string& m_text;
    const std::string& m_file;
    char m_separator = ',';
    std::string m_corner;
    Cells m_names;
    std::vector<Cells> m_rows;
    std::string m_attribute; ///< what the cells say, as the name of an edge's attribute
    std::string m_unit;      ///< of cells without one; empty where m_attribute has it
    bool m_hasDiagonal = false;
    GraphFile m_graph;
};

} // namespace

GraphFile
ReadMatrix(const std::string& text, const std::string& file, bool rates)
{
    return MatrixReader(text, file).Read(rates);
}

} // namespace geotrain
