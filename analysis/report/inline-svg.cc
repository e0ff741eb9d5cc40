// SPDX-License-Identifier: GPL-2.0-only
#include "report/inline-svg.h"

#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace geotrain
{

namespace
{

/// Returns whether the picture has elements or attributes that gnuplot's pictures have not, and
/// that could run a script or ask for another file.
bool
IsUnsafe(std::string_view svg)
{
    std::string lower(svg);
    std::transform(lower.begin(),
                   lower.end(),
                   lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array<std::string_view, 9> forbidden{"<script",
                                                        "<foreignobject",
                                                        "<iframe",
                                                        "<image",
                                                        "javascript:",
                                                        " onload",
                                                        " onclick",
                                                        " onmouse",
                                                        " onerror"};
    return std::any_of(forbidden.begin(),
                       forbidden.end(),
                       [&](std::string_view text)
                       { return lower.find(text) != std::string::npos; });
}

/// Inserts `prefix` behind each occurrence of `before`.
std::string
WithPrefix(const std::string& text, std::string_view before, const std::string& prefix)
{
    std::string result;
    std::size_t from = 0;
    for (auto at = text.find(before); at != std::string::npos; at = text.find(before, from))
    {
        result += text.substr(from, at + before.size() - from) + prefix;
        from = at + before.size();
    }
    return result + text.substr(from);
}

/// Removes an element without children, such as gnuplot's own <title>.
void
RemoveElement(std::string& svg, const std::string& name)
{
    const auto begin = svg.find("<" + name + ">");
    const auto end = svg.find("</" + name + ">");
    if (begin != std::string::npos && end != std::string::npos && end > begin)
    {
        svg.erase(begin, end + name.size() + 3 - begin);
    }
}

} // namespace

std::string
InlineSvg(std::string_view svg, const std::string& prefix, std::string_view label)
{
    const auto begin = svg.find("<svg");
    const auto end = svg.rfind("</svg>");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
        IsUnsafe(svg))
    {
        return "";
    }
    std::string picture(svg.substr(begin, end + 6 - begin));
    RemoveElement(picture, "title");
    RemoveElement(picture, "desc");
    for (const char* before : {" id=\"", " id='", "href=\"#", "href='#", "url(#"})
    {
        picture = WithPrefix(picture, before, prefix);
    }
    picture.insert(4, fmt::format(" role=\"img\" aria-label=\"{}\"", Escaped(label)));
    return picture;
}

} // namespace geotrain
