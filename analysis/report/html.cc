// SPDX-License-Identifier: GPL-2.0-only
#include "report/html.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

/// Returns `path` with all but plain characters percent-encoded (RFC 3986 section 2.1).
std::string
PercentEncoded(const std::string& path)
{
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    std::string encoded;
    for (const char c : path)
    {
        encoded += plain.find(c) != std::string_view::npos
                       ? std::string(1, c)
                       : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

/// Returns an attribute for use in a tag; nothing where it is empty.
std::string
Attribute(const char* name, const std::string& value)
{
    return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, value);
}

/// Returns a cell; `head` is its column's head where it stands in a wide table.
std::string
CellHtml(const HtmlCell& cell, const char* tag, const std::string& head = {})
{
    return fmt::format("<{0}{1}{2}{3}>{4}</{0}>",
                       tag,
                       cell.number ? " class=\"number\"" : "",
                       Attribute("title", Escaped(cell.exact)),
                       Attribute("data-head", head),
                       cell.html);
}

} // namespace

std::string
Escaped(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
    {
        switch (c)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            const auto code = static_cast<unsigned char>(c);
            const bool control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
            escaped += control ? ' ' : c;
        }
    }
    return escaped;
}

std::string
Linked(const std::string& path, std::string_view text)
{
    return fmt::format("<a href=\"./{}\">{}</a>", PercentEncoded(path), Escaped(text));
}

std::string
HtmlTable::Html() const
{
    constexpr std::size_t mostOnAPhone = 3;
    const bool isWide = heads.size() > mostOnAPhone;
    std::string html = fmt::format("<div class=\"scroll\"><table{}>\n<thead><tr>",
                                   isWide ? " class=\"wide\"" : "");
    for (const auto& head : heads)
    {
        html += CellHtml(head, "th");
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : rows)
    {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const bool hasHead = isWide && i > 0 && i < heads.size() && !row[i].html.empty();
            html += CellHtml(row[i], "td", hasHead ? heads[i].html : "");
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

} // namespace geotrain
