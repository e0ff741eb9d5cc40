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

std::string
CellHtml(const HtmlCell& cell, const char* tag)
{
    return fmt::format("<{0}{1}{2}>{3}</{0}>",
                       tag,
                       cell.number ? " class=\"number\"" : "",
                       cell.exact.empty() ? "" : fmt::format(" title=\"{}\"", Escaped(cell.exact)),
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
    std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const auto& head : heads)
    {
        html += CellHtml(head, "th");
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : rows)
    {
        html += "<tr>";
        for (const auto& cell : row)
        {
            html += CellHtml(cell, "td");
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

} // namespace geotrain
