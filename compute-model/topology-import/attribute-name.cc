// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/attribute-name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace geotrain
{

namespace
{

struct KnownName
{
    std::string_view text;
    LinkQuantity quantity;
    double factor = 1;
    double unit = 0; ///< 0: the name itself has none
};

// In the order of their ranks: Topology Zoo's names come first.
constexpr KnownName knownNames[] = {{"linkspeedraw", LinkQuantity::Rate, 1, 1},
                                    {"linkspeed", LinkQuantity::Rate},
                                    {"linkcapacity", LinkQuantity::Rate},
                                    {"linkbandwidth", LinkQuantity::Rate},
                                    {"linkrate", LinkQuantity::Rate},
                                    {"capacity", LinkQuantity::Rate},
                                    {"bandwidth", LinkQuantity::Rate},
                                    {"bw", LinkQuantity::Rate},
                                    {"datarate", LinkQuantity::Rate},
                                    {"bitrate", LinkQuantity::Rate},
                                    {"rate", LinkQuantity::Rate},
                                    {"speed", LinkQuantity::Rate},
                                    {"preinstalledcapacity", LinkQuantity::Rate}, // SNDlib
                                    {"linklatency", LinkQuantity::Delay},
                                    {"linkdelay", LinkQuantity::Delay},
                                    {"propagationdelay", LinkQuantity::Delay},
                                    {"propdelay", LinkQuantity::Delay},
                                    {"latency", LinkQuantity::Delay},
                                    {"delay", LinkQuantity::Delay},
                                    {"roundtriptime", LinkQuantity::Delay, 0.5},
                                    {"rtt", LinkQuantity::Delay, 0.5},
                                    {"ping", LinkQuantity::Delay, 0.5},
                                    {"packetlossrate", LinkQuantity::Loss},
                                    {"packetloss", LinkQuantity::Loss},
                                    {"linkloss", LinkQuantity::Loss},
                                    {"lossrate", LinkQuantity::Loss},
                                    {"lossprobability", LinkQuantity::Loss},
                                    {"loss", LinkQuantity::Loss},
                                    {"plr", LinkQuantity::Loss}};

char
SmallLetter(char letter)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::string
SmallLetters(std::string_view text)
{
    std::string small;
    for (const char letter : text)
    {
        small += SmallLetter(letter);
    }
    return small;
}

bool
IsLetterOrDigit(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// Returns the letters, digits and percent signs behind the last dot; a micro sign becomes a u.
std::string
LettersOf(const std::string& name)
{
    std::string letters;
    for (std::size_t at = name.rfind('.') + 1; at < name.size(); ++at)
    {
        const auto two = std::string_view(name).substr(at, 2);
        letters += two == "\xc2\xb5" || two == "\xce\xbc"         ? "u"
                   : IsLetterOrDigit(name[at]) || name[at] == '%' ? std::string(1, name[at])
                                                                  : "";
    }
    return letters;
}

/// Returns whether the name's last letter stands for itself, as in "delay_s" and not in "delays".
bool
EndsWithOneLetter(const std::string& name)
{
    std::size_t last = name.size();
    while (last > 0 && !IsLetterOrDigit(name[last - 1]))
    {
        --last;
    }
    return last > 1 && (!IsLetterOrDigit(name[last - 2]) ||
                        std::isupper(static_cast<unsigned char>(name[last - 1])) != 0);
}

std::optional<double>
UnitOfRate(std::string_view text)
{
    const std::size_t power =
        text.empty() ? std::string_view::npos : std::string_view("kmgt").find(SmallLetter(text[0]));
    double factor = 1;
    if (power != std::string_view::npos)
    {
        factor = std::pow(1000, static_cast<double>(power + 1));
        text.remove_prefix(1);
    }
    static const std::set<std::string_view> bytes{"B/s", "Bps", "Bs", "Byte/s", "Bytes/s"};
    static const std::set<std::string> bits{"",
                                            "b",
                                            "bps",
                                            "bs",
                                            "b/s",
                                            "bit",
                                            "bits",
                                            "bit/s",
                                            "bits/s",
                                            "be",
                                            "e",
                                            "bitps",
                                            "bitsps",
                                            "bit/sec",
                                            "bits/sec",
                                            "bitpersec"};
    if (bytes.count(text) != 0)
    {
        return 8 * factor;
    }
    return bits.count(SmallLetters(text)) != 0 ? std::optional(factor) : std::nullopt;
}

} // namespace

std::optional<double>
UnitOf(LinkQuantity quantity, const std::string& text)
{
    if (quantity == LinkQuantity::Rate)
    {
        return text.empty() ? std::nullopt : UnitOfRate(text);
    }
    static const std::map<std::string, double> losses{{"%", 0.01},
                                                      {"pct", 0.01},
                                                      {"percent", 0.01},
                                                      {"percents", 0.01},
                                                      {"share", 1},
                                                      {"fraction", 1}};
    static const std::map<std::string, double> times{{"", 1},
                                                     {"m", 1e-3},
                                                     {"milli", 1e-3},
                                                     {"u", 1e-6},
                                                     {"micro", 1e-6},
                                                     {"n", 1e-9},
                                                     {"nano", 1e-9}};
    const bool isLoss = quantity == LinkQuantity::Loss;
    std::string plain = PlainName(text);
    for (const std::string second : {"seconds", "second", "secs", "sec", "s"})
    {
        const std::size_t at = std::max(plain.size(), second.size()) - second.size();
        if (!isLoss && plain.compare(at, std::string::npos, second) == 0)
        {
            plain.erase(at);
            const auto time = times.find(plain);
            return time == times.end() ? std::nullopt : std::optional(time->second);
        }
    }
    const auto loss = losses.find(plain);
    return isLoss && loss != losses.end() ? std::optional(loss->second) : std::nullopt;
}

std::string
PlainName(const std::string& name)
{
    return SmallLetters(LettersOf(name));
}

std::optional<AttributeMeaning>
AttributeMeaningOf(const std::string& name)
{
    const std::string letters = LettersOf(name);
    const std::string plain = SmallLetters(letters);
    for (std::size_t rank = 0; rank < std::size(knownNames); ++rank)
    {
        const KnownName& known = knownNames[rank];
        if (plain.compare(0, known.text.size(), known.text) != 0)
        {
            continue;
        }
        std::string unit = letters.substr(known.text.size());
        unit.erase(0, SmallLetters(unit.substr(0, 2)) == "in" ? 2 : 0); // "latency_in_ms"
        AttributeMeaning meaning{known.quantity, rank, known.factor, std::nullopt};
        if (known.unit > 0 || unit.empty())
        {
            meaning.unit = known.unit > 0 ? std::optional(known.unit) : std::nullopt;
            return unit.empty() ? std::optional(meaning) : std::nullopt;
        }
        meaning.unit = UnitOf(known.quantity, unit);
        if (meaning.unit && (unit.size() > 1 || EndsWithOneLetter(name)))
        {
            return meaning;
        }
    }
    return std::nullopt;
}

std::optional<Measure>
ReadMeasure(const std::string& text)
{
    constexpr const char* blanks = " \t\r\n";
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n+"), text.size());
    Measure parsed;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + begin, end, parsed.number);
    if (error != std::errc() || !std::isfinite(parsed.number))
    {
        return std::nullopt;
    }
    parsed.unit.assign(rest, end);
    parsed.unit.erase(0, parsed.unit.find_first_not_of(blanks));
    parsed.unit.erase(parsed.unit.find_last_not_of(blanks) + 1);
    return parsed;
}

bool
IsMissing(const std::string& text)
{
    static const std::set<std::string> missing{
        "", "-", "nan", "na", "n/a", "none", "null", "unknown"};
    return text.size() <= 7 && missing.count(SmallLetters(text)) != 0;
}

} // namespace geotrain
