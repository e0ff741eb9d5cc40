// SPDX-License-Identifier: GPL-2.0-only
// Reads rate, delay and loss of links from the attributes of a graph's edges, and tells what of the
// file it had to guess or didn't read.
//
// - A number's unit stands behind it, in the attribute's name, or in an attribute such as
//   LinkSpeedUnits beside it. SNDlib's files have one for all rates.
// - A number without a unit is taken for Mbit/s, for ms one way, or for a share of the packets.
//   Rates are bit/s where all of the attribute's numbers are 1e6 or more, or one is beyond 1e8,
//   which would be more than 100 Tbit/s. Losses are percents where one of the numbers is 1 or more.
#pragma once

#include "topology-import/attribute-name.h"
#include "topology-import/graph-file.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// LinkFacts are what an edge says of a link; it may be silent on rate and delay.
struct LinkFacts
{
    std::optional<BitRate> rate;
    std::optional<Duration> delay; ///< one way
    double loss = 0;               ///< share of the packets
};

/// LinkAttributes know all attributes of a graph's edges.
class LinkAttributes
{
  public:
    /// Both must outlive it.
    LinkAttributes(const GraphFile& graph, const std::string& file);

    /// Throws ConfigError that names `field`, for a value that is no number, has another unit or is
    /// beyond what a link may have.
    LinkFacts FactsOf(const GraphFile::Edge& edge, const std::string& field);

    /// Returns what was guessed and what was not read by all calls of FactsOf().
    std::vector<std::string> Warnings() const;

  private:
    /// A Known is an attribute of which links are made.
    struct Known
    {
        AttributeMeaning meaning;
        std::string unitName; ///< attribute that holds its unit; empty: there is none
        double least = 1e300; ///< number of those without a unit
        double most = 0;
        bool isGuessed = false;
    };

    /// A Guess is the unit of numbers that have none.
    struct Guess
    {
        double unit;
        const char* words;
    };

    /// A Reading is what an edge's attribute says.
    struct Reading
    {
        const std::string* name = nullptr; ///< null: nothing
        Known* known = nullptr;
        double value = 0;
        bool isGuess = false; ///< its unit is one

        /// Of several attributes, the least counts: one with a unit, and of those by its rank.
        std::pair<bool, std::size_t> Order() const
        {
            return {isGuess, known->meaning.rank};
        }
    };

    void Learn(const std::string& name, const std::string& text);
    static Guess GuessOf(const Known& known);
    std::optional<Reading>
    Read(const GraphFile::Edge& edge, const std::string& name, const std::string& field);
    std::optional<double>
    UnitBeside(const GraphFile::Edge& edge, const Known& known, const std::string& field) const;

    const std::string& m_file;
    std::optional<double> m_unitOfRates;  ///< of the whole file, in bit/s
    std::map<std::string, Known> m_known; ///< by the name that the file has
    std::set<std::string> m_seen;         ///< names that were learned
    std::set<std::string> m_unread;       ///< names of attributes of which nothing was made
};

} // namespace geotrain
