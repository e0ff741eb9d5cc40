// SPDX-License-Identifier: GPL-2.0-only
// Small pieces of HTML. Every text that comes from a scenario, a folder or a trace passes through
// Escaped() or Linked(), so that no name can become markup.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns `text` for use between tags and in quoted attributes. Control characters other than line
/// breaks and tabs become spaces.
std::string Escaped(std::string_view text);

/// Returns a link to a path relative to the page; `path` must not begin with a slash.
std::string Linked(const std::string& path, std::string_view text);

/// A HtmlCell is a cell of a table.
struct HtmlCell
{
    std::string html;       ///< content, escaped already
    bool number = false;    ///< true: aligned to the right
    std::string exact = {}; ///< tooltip; may be empty
};

/// A HtmlTable of up to three columns fits a phone. Of a wider one, a phone shows each row as a block of
/// lines, with the column's head, which is text without tags, before each cell.
struct HtmlTable
{
    std::vector<HtmlCell> heads;
    std::vector<std::vector<HtmlCell>> rows;

    std::string Html() const;
};

} // namespace geotrain
