// SPDX-License-Identifier: GPL-2.0-only
#include "cli/figure-options.h"

#include "cli/quantity-options.h"

#include <boost/algorithm/string.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace geotrain
{

namespace
{

constexpr const char* namesNothing = "must name one or more, joined by commas";

constexpr double leastWidthPoints = 108; // 1.5 in: less has no room for axes and their labels
constexpr double mostWidthPoints = 1440; // 20 in: more than any paper or poster's column

/// Returns the width in points. Throws ConfigError.
double
WidthOf(const std::string& text)
{
    if (text == "one-column" || text == "two-column")
    {
        return text == "one-column" ? oneColumnPoints : twoColumnPoints;
    }
    const std::map<std::string, double> units{
        {"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"pt", 1}};
    double number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const auto unit = units.find(std::string(parsed.ptr, end));
    if (parsed.ec != std::errc() || unit == units.end())
    {
        throw ConfigError("",
                          "--width",
                          text,
                          "must be one-column, two-column, or a number with in, cm, mm or pt");
    }
    const double points = number * unit->second;
    if (!(points >= leastWidthPoints && points <= mostWidthPoints))
    {
        throw ConfigError("", "--width", text, "must lie between 1.5in and 20in");
    }
    return points;
}

/// Returns the time in s; nothing where the option is not given. Throws ConfigError.
std::optional<double>
TimeOf(const std::string& option, const std::string& text)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    return DurationOption(option, text, Duration(), Duration::Seconds(86400)).ToSeconds();
}

/// Returns the names in `values`, each split at commas. Throws ConfigError where one is empty.
std::vector<std::string>
NamesOf(const std::string& option, const std::vector<std::string>& values)
{
    std::vector<std::string> names;
    for (const auto& value : values)
    {
        std::vector<std::string> parts;
        boost::split(parts, value, boost::is_any_of(","));
        if (std::find(parts.begin(), parts.end(), "") != parts.end())
        {
            throw ConfigError("", option, value, namesNothing);
        }
        names.insert(names.end(), parts.begin(), parts.end());
    }
    return names;
}

} // namespace

void
AddLogOption(CLI::App& verb, std::optional<bool>& logAxes)
{
    verb.add_flag_function(
        "--log,!--no-log",
        [&logAxes](std::int64_t given) { logAxes = given > 0; },
        "Logarithmic axes of curves and bars, or none; default: where numbers span a decade");
}

FigureChoices
ChoicesOf(const FigureOptions& options)
{
    FigureChoices choices;
    for (const auto& name : NamesOf("--only", options.only))
    {
        choices.only.insert(name);
    }
    for (const auto& variant : options.variants)
    {
        if (variant.empty())
        {
            throw ConfigError("", "--variant", variant, namesNothing);
        }
    }
    const auto formats = NamesOf("--format", options.formats);
    for (const auto& format : formats)
    {
        const auto& known = FigureChoices().formats;
        if (std::find(known.begin(), known.end(), format) == known.end())
        {
            throw ConfigError("", "--format", format, "must be png, pdf or svg");
        }
    }
    choices.formats = formats.empty() ? choices.formats : formats;
    if (!options.width.empty())
    {
        choices.widthPoints = WidthOf(options.width);
    }
    if (!options.title.empty())
    {
        choices.title = options.title == "none" ? "" : options.title;
    }
    choices.logAxes = options.logAxes;
    choices.fromSeconds = TimeOf("--from", options.from);
    choices.toSeconds = TimeOf("--to", options.to);
    if (choices.fromSeconds && choices.toSeconds && *choices.fromSeconds >= *choices.toSeconds)
    {
        throw ConfigError("", "--to", options.to, "must be later than --from " + options.from);
    }
    return choices;
}

} // namespace geotrain
