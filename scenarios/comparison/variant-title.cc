// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/variant-title.h"

#include <boost/algorithm/string.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace geotrain
{

namespace
{

std::string
LastPartOf(const std::string& path)
{
    return path.substr(path.rfind('.') + 1);
}

bool
IsEnumerator(const std::string& value)
{
    return value.size() > 1 &&
           value.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string::npos;
}

/// Returns whether a value of the field is a name that says by itself what it is.
bool
SpeaksForItself(const std::string& field)
{
    const char* const fields[] = {"name", "congestion_control", "catalogue", "gpu", "model"};
    return std::find(std::begin(fields), std::end(fields), field) != std::end(fields);
}

/// Returns "5 ms" for "5ms" and "10 Gbit/s" for "10Gbps", and other values as they are.
std::string
QuantityPhrase(const std::string& value)
{
    const auto unit = value.find_first_not_of("0123456789.");
    const bool isQuantity = unit != 0 && unit != std::string::npos &&
                            std::all_of(value.begin() + static_cast<std::ptrdiff_t>(unit),
                                        value.end(),
                                        [](unsigned char c) { return std::isalpha(c) != 0; });
    if (!isQuantity)
    {
        return value;
    }
    auto name = value.substr(unit);
    if (boost::ends_with(name, "bps"))
    {
        name.replace(name.size() - 3, 3, "bit/s");
    }
    return value.substr(0, unit) + " " + (name == "bdp" ? "BDP" : name);
}

std::string
PhraseOf(const std::string& field, const std::string& value)
{
    const bool isWholePath = field.find('.') != std::string::npos;
    const auto name = isWholePath ? field : boost::replace_all_copy(field, "_", " ");
    if (value == "true" || value == "false")
    {
        return value == "true" ? name : "not " + name;
    }
    if (IsEnumerator(value))
    {
        return boost::replace_all_copy(boost::to_lower_copy(value), "_", " ") + " " + name;
    }
    return SpeaksForItself(field) ? value : name + " " + QuantityPhrase(value);
}

} // namespace

std::string
TitleOfValues(const std::vector<std::string>& paths, const std::vector<std::string>& values)
{
    std::string title;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const auto last = LastPartOf(paths[i]);
        const auto alike =
            std::count_if(paths.begin(),
                          paths.end(),
                          [&last](const auto& path) { return LastPartOf(path) == last; });
        title += (i == 0 ? "" : ", ") + PhraseOf(alike > 1 ? paths[i] : last, values[i]);
    }
    return title;
}

} // namespace geotrain
