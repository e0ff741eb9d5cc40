// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/link-attributes.h"

#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double mostBitsPerSecond = 1e14; // as wan-validation.cc has it

/// Returns whether an attribute only names or draws an edge.
bool
IsOfNoConcern(const std::string& name)
{
    static const std::set<std::string> names{
        "id",    "key",          "label",    "name",       "type",         "description", "url",
        "index", "linklabel",    "linktype", "linknote",   "sourceport",   "targetport",  "source",
        "color", "targethandle", "directed", "multigraph", "sourcehandle", "style",       "target"};
    return names.count(PlainName(name)) != 0 || name.rfind("graphics.", 0) == 0 ||
           name.rfind("LabelGraphics.", 0) == 0;
}

/// What may be said of a quantity.
struct Limits
{
    const char* unit; ///< an example
    double least;
    double most;
    const char* format; ///< of a value in an error
    const char* rule;
};

constexpr Limits limits[] = {
    {"Mbps", 1, mostBitsPerSecond, "{} bit/s", "must be a rate of 1 bit/s to 100 Tbit/s"},
    {"ms", 0, 10, "{} s", "must be a delay of 0 to 10 s one way"},
    {"%", 0, 0.99, "{}", "must be a loss of 0 to 99 % of the packets"}};

std::size_t
IndexOf(LinkQuantity quantity)
{
    return static_cast<std::size_t>(quantity);
}

} // namespace

LinkAttributes::LinkAttributes(const GraphFile& graph, const std::string& file)
    : m_file(file),
      m_unitOfRates(UnitOf(LinkQuantity::Rate, graph.unitOfRates))
{
    std::map<std::string, std::string> unitNames; // by the plain name of what they are units of
    for (const GraphFile::Edge& edge : graph.edges)
    {
        for (const auto& [name, text] : edge.attributes)
        {
            Learn(name, text);
        }
    }
    for (const std::string& name : m_unread)
    {
        const std::string plain = PlainName(name);
        const std::size_t unit = plain.rfind("unit");
        if (unit != std::string::npos && plain.size() - unit <= 5)
        {
            unitNames.emplace(plain.substr(0, unit), name);
        }
    }
    for (auto& [name, known] : m_known)
    {
        const auto unit = unitNames.find(PlainName(name));
        if (unit != unitNames.end())
        {
            known.unitName = unit->second;
            m_unread.erase(unit->second);
        }
    }
}

void
LinkAttributes::Learn(const std::string& name, const std::string& text)
{
    if (IsMissing(text))
    {
        return;
    }
    if (m_seen.insert(name).second)
    {
        if (const auto meaning = AttributeMeaningOf(name))
        {
            m_known.emplace(name, Known{*meaning, "", 1e300, 0, false});
        }
        else if (!IsOfNoConcern(name))
        {
            m_unread.insert(name);
        }
    }
    const auto known = m_known.find(name);
    const auto number = known == m_known.end() ? std::nullopt : ReadMeasure(text);
    if (number && number->unit.empty() && number->number > 0)
    {
        known->second.least = std::min(known->second.least, number->number);
        known->second.most = std::max(known->second.most, number->number);
    }
}

LinkAttributes::Guess
LinkAttributes::GuessOf(const Known& known)
{
    switch (known.meaning.quantity)
    {
    case LinkQuantity::Rate:
        return known.least >= 1e6 || known.most * 1e6 > mostBitsPerSecond ? Guess{1, "bit/s"}
                                                                          : Guess{1e6, "Mbit/s"};
    case LinkQuantity::Delay:
        return {1e-3, known.meaning.factor < 1 ? "ms for a round trip" : "ms one way"};
    case LinkQuantity::Loss:
        break;
    }
    return known.most >= 1 ? Guess{0.01, "percents"} : Guess{1, "shares of packets"};
}

std::optional<LinkAttributes::Reading>
LinkAttributes::Read(const GraphFile::Edge& edge, const std::string& name, const std::string& field)
{
    const std::string& text = edge.attributes.at(name);
    if (IsMissing(text))
    {
        return std::nullopt;
    }
    Known& known = m_known.at(name);
    const LinkQuantity quantity = known.meaning.quantity;
    const auto parsed = ReadMeasure(text);
    const bool hasUnit = parsed && !parsed->unit.empty();
    const auto own = hasUnit ? UnitOf(quantity, parsed->unit) : known.meaning.unit;
    if (!parsed || (hasUnit && !own))
    {
        throw ConfigError(m_file,
                          field + "." + name,
                          text,
                          fmt::format("must be a number, alone or with a unit such as {}",
                                      limits[IndexOf(quantity)].unit));
    }
    const auto unit = own ? own : UnitBeside(edge, known, field);
    const double value = parsed->number * unit.value_or(GuessOf(known).unit) * known.meaning.factor;
    return Reading{&name, &known, value, !unit};
}

/// Returns the unit that another attribute, or the file, has for a number without one.
std::optional<double>
LinkAttributes::UnitBeside(const GraphFile::Edge& edge,
                           const Known& known,
                           const std::string& field) const
{
    const LinkQuantity quantity = known.meaning.quantity;
    const auto beside = edge.attributes.find(known.unitName);
    if (beside == edge.attributes.end())
    {
        return quantity == LinkQuantity::Rate ? m_unitOfRates : std::nullopt;
    }
    const auto unit = UnitOf(quantity, beside->second);
    if (!unit)
    {
        throw ConfigError(m_file,
                          field + "." + beside->first,
                          beside->second,
                          fmt::format("must be a unit such as {}", limits[IndexOf(quantity)].unit));
    }
    return unit;
}

LinkFacts
LinkAttributes::FactsOf(const GraphFile::Edge& edge, const std::string& field)
{
    std::array<Reading, std::size(limits)> best;
    for (const auto& [name, text] : edge.attributes)
    {
        const auto reading = m_known.count(name) == 0 ? std::nullopt : Read(edge, name, field);
        if (!reading || (reading->value == 0 && PlainName(name) == "preinstalledcapacity"))
        {
            continue; // SNDlib has a capacity of 0 where none is installed
        }
        Reading& other = best[IndexOf(reading->known->meaning.quantity)];
        const bool isFirst = other.name == nullptr;
        const bool isBetter = isFirst || reading->Order() < other.Order();
        if (!isFirst && std::abs(other.value - reading->value) > 1e-6 * std::abs(reading->value))
        {
            m_unread.insert(isBetter ? *other.name : name);
        }
        other = isBetter ? *reading : other;
    }
    for (std::size_t i = 0; i < best.size(); ++i)
    {
        const double value = best[i].value;
        if (best[i].name == nullptr)
        {
            continue;
        }
        best[i].known->isGuessed = best[i].known->isGuessed || best[i].isGuess;
        if (!(value >= limits[i].least && value <= limits[i].most))
        {
            throw ConfigError(
                m_file, field, fmt::format(fmt::runtime(limits[i].format), value), limits[i].rule);
        }
    }
    const auto& [rate, delay, loss] = best;
    LinkFacts facts;
    if (rate.name != nullptr)
    {
        facts.rate = BitRate::BitsPerSecond(std::llround(rate.value));
    }
    if (delay.name != nullptr)
    {
        facts.delay = Duration::Seconds(delay.value);
    }
    facts.loss = loss.value;
    return facts;
}

std::vector<std::string>
LinkAttributes::Warnings() const
{
    std::vector<std::string> warnings;
    // Names come from a file: they are cut and made printable as those in an error are.
    const auto warn = [&](const std::set<std::string>& names, const std::string& text)
    {
        if (!names.empty())
        {
            const auto list = fmt::format("{}", fmt::join(names, "\", \""));
            warnings.emplace_back(ConfigError(m_file, "edge", list, text).what());
        }
    };
    for (const auto& [name, known] : m_known)
    {
        if (known.isGuessed)
        {
            warn(std::set{name},
                 std::string("has numbers without a unit, taken for ") + GuessOf(known).words);
        }
    }
    warn(m_unread, "is not read");
    return warnings;
}

} // namespace geotrain
