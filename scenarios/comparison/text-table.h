// SPDX-License-Identifier: GPL-2.0-only
// Prints tables for people. Columns are as wide as their cells, and numbers are aligned to the
// right.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace geotrain
{

/// TextTable is one table. A cell may have several lines, with "\n" between them.
class TextTable
{
  public:
    explicit TextTable(std::vector<std::string> header);

    /// Adds a row, which must have as many cells as the header.
    void AddRow(std::vector<std::string> cells);

    /// Returns the table. A row has as many lines as its tallest cell.
    std::string Text() const;

    /// Returns the table in at most `width` columns where its words allow it: the widest texts are
    /// broken between words, and columns for which that is not enough go into further tables, each
    /// of which begins with the first column.
    std::string Text(std::size_t width) const;

    /// Returns the width of the table in characters.
    std::size_t Width() const;

  private:
    void BreakTexts(std::size_t width);
    TextTable Columns(std::size_t first, std::size_t end) const;
    std::vector<std::size_t> Widths() const;

    std::vector<std::vector<std::string>> m_rows;
};

/// Breaks `text` between words into lines of at most `width` characters; a longer word has a line
/// of its own.
std::string BrokenIntoLines(const std::string& text, std::size_t width);

/// Returns `text` in lines of at most `width` characters, all but the first with an indent.
std::string Paragraph(const std::string& text, std::size_t width);

/// Returns `text` behind its label in lines of at most `width` characters, each of which begins where
/// the text does.
std::string Labelled(const std::string& label, const std::string& text, std::size_t width);

/// Returns a number with four significant digits in its shortest form: "0.8312", "12.35",
/// "1.074e+09".
std::string ShortNumber(double number);

/// Returns a mean of several seeds and its interval: "4.35 ± 0.02".
std::string ShortMean(double mean, double halfWidth);

} // namespace geotrain
