// SPDX-License-Identifier: GPL-2.0-only
// Writes the report card of a congestion control: a page with a number, a reference and a verdict
// for each criterion of each heading of a battery.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A Verdict is what a criterion says of a number.
enum class Verdict
{
    Pass,       ///< its whole interval lies within the bounds
    Look,       ///< some of its interval lies outside
    NumberOnly, ///< there are no bounds
    NotRun      ///< there is no number
};

/// A CardLine is one criterion and what it says.
struct CardLine
{
    std::string what;
    std::string number; ///< with its interval and unit; where there is none, why
    std::string cubic;  ///< the number of TcpCubic
    std::string best;   ///< the best number of a control of the heading, with its name
    std::string kernel; ///< what the kernel's controls reach; empty: not measured
    std::string reference;
    std::string source;
    Verdict verdict = Verdict::NotRun;
};

/// A CardHeading is the criteria of one scenario.
struct CardHeading
{
    std::string title;
    std::string folder; ///< of its results, below that of the card
    std::vector<CardLine> lines;
};

/// A ReportCard is the whole page.
struct ReportCard
{
    std::string control; ///< TypeId of the congestion control
    std::string name;    ///< as files and folders have it
    std::vector<CardHeading> headings;
};

/// Returns the name of a card's file: "card-TcpBbr3.html".
std::string CardFile(const std::string& name);

/// Writes the card into the battery's folder. Throws TraceError when it can't be written.
void WriteReportCard(const ReportCard& card, const std::filesystem::path& folder);

} // namespace geotrain
