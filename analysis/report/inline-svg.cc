// SPDX-License-Identifier: GPL-2.0-only
#include "report/inline-svg.h"

#include "report/html.h"

#include <boost/algorithm/string/case_conv.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

/// Returns whether gnuplot draws with elements of this name, none of which runs a script.
bool
IsDrawn(const std::string& element)
{
    static const std::set<std::string> drawn{
        "circle", "clippath", "defs", "desc",  "ellipse", "fecomposite", "feflood",  "filter",
        "g",      "image",    "line", "path",  "pattern", "polygon",     "polyline", "rect",
        "stop",   "svg",      "text", "title", "tspan",   "use"};
    return drawn.count(element) > 0;
}

/// Returns whether the tag, in lower case, has an attribute such as `onload`.
bool
HasHandler(const std::string& tag)
{
    constexpr std::string_view before = " \t\r\n\"'/";
    for (auto at = tag.find("on"); at != std::string::npos; at = tag.find("on", at + 1))
    {
        auto end = tag.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at);
        end = tag.find_first_not_of(" \t\r\n", end);
        const bool begins = at > 0 && before.find(tag[at - 1]) != std::string_view::npos;
        if (begins && end != std::string::npos && tag[end] == '=')
        {
            return true;
        }
    }
    return false;
}

/// Returns whether the tag, in lower case, leads out of the page.
bool
LeadsOut(const std::string& tag)
{
    for (auto at = tag.find("href"); at != std::string::npos; at = tag.find("href", at + 1))
    {
        const auto value = tag.find_first_not_of(" \t\r\n=\"'", at + 4);
        if (value != std::string::npos && tag[value] != '#' &&
            tag.compare(value, 15, "data:image/png;") != 0)
        {
            return true;
        }
    }
    return tag.find("url(") != std::string::npos && tag.find("url(#") == std::string::npos;
}

/// Returns whether the picture has something that gnuplot's pictures have not, and that could run a
/// script or ask for another file.
bool
IsUnsafe(std::string_view svg)
{
    for (auto at = svg.find('<'); at != std::string_view::npos; at = svg.find('<', at + 1))
    {
        std::string tag(svg.substr(at + 1, svg.find('>', at) - at - 1));
        boost::to_lower(tag);
        const std::size_t name = tag.rfind('/', 0) == 0 ? 1 : 0;
        const auto end = std::min(tag.find_first_of(" \t\r\n/", name), tag.size());
        const auto element = tag.substr(name, end - name);
        if (!IsDrawn(element) || HasHandler(tag) || LeadsOut(tag))
        {
            return true;
        }
    }
    return false;
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
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    {
        return "";
    }
    std::string picture(svg.substr(begin, end + 6 - begin));
    if (IsUnsafe(picture))
    {
        return "";
    }
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
