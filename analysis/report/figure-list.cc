// SPDX-License-Identifier: GPL-2.0-only
#include "report/figure-list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

const std::vector<ListedFigure>&
KnownFigures()
{
    static const std::vector<ListedFigure> known{
        {"comparison", "Comparison", "Time per variant, and where the GPU time went."},
        {"matrix", "Matrix", "The answer for each pair of values of the two varied fields."},
        {"timelines",
         "Timelines",
         "The pipeline of each variant that holds most of its critical path, on one time axis."},
        {"timeline", "Timeline", "What each GPU does in the last measured iteration."},
        {"round-trips", "Round trips", "Time by round trip of the WAN."},
        {"goodput-rtt", "Goodput by round trip", "Share of the path's capacity that is delivered."},
        {"goodput-loss", "Goodput by loss", "Share of the path's capacity that is delivered."},
        {"completion-cdf", "Completion time", "Distribution over the messages."},
        {"flow-throughput", "Flows", "Goodput of each steady flow over time, and its fair share."},
        {"queueing-delay", "Queueing delay", "Mean wait of packets at the links over time."},
        {"congestion", "Congestion windows", "Window, round trip and queue over time."},
        {"wan-throughput", "WAN throughput", "What the links between data centres carry."},
        {"path-spread",
         "Paths",
         "One-way delays and throughput over each path, by congestion control."},
        {"path-population", "Iteration times", "Distribution over the paths that were drawn."},
        {"ttft-cdf", "Time to first token", "Distribution over the requests."},
        {"ttft-rate", "Time to first token by rate of requests", "Median and 90th percentile."},
        {"utilization-objective",
         "GPU time by objective",
         "What training and prefills use, and the requests in time, by load."},
        {"prefill-jitter", "Prefills by jitter", "Share of bubble time used, and discarded."},
        {"prefill-forecast", "Prefills by error of the forecast", "Share of bubble time."},
        {"recovered-flops", "Recovered FLOP/s", "What fill jobs win back from bubbles."},
        {"fill-gain",
         "Fill jobs' gain",
         "Their FLOP/s over training's, least and most of the mixes."},
        {"fill-share", "Filled share", "Share of bubble time that fill jobs use, by jitter."},
        {"fill-discarded", "Discarded share", "Share of bubble time that is lost, by jitter."}};
    return known;
}

/// A PageOf is a figure's name, and which of its pages a file is: "comparison-2" is the second one.
struct PageOf
{
    std::string figure;
    std::size_t page = 1;
};

/// Takes `stem` apart. Where no figure of `stems` has the name before its number, it is that of a figure.
PageOf
PageOfStem(const std::string& stem, const std::set<std::string>& stems)
{
    constexpr std::size_t mostDigits = 6;
    const auto end = stem.find_last_not_of("0123456789");
    const bool hasNumber = end != std::string::npos && end > 0 && stem[end] == '-' &&
                           end + 1 < stem.size() && stem.size() - end <= mostDigits;
    if (hasNumber && stems.count(stem.substr(0, end)) > 0)
    {
        return {stem.substr(0, end), std::stoul(stem.substr(end + 1))};
    }
    return {stem};
}

std::size_t
RankOf(const std::string& stem)
{
    const auto& known = KnownFigures();
    const auto found =
        std::find_if(known.begin(),
                     known.end(),
                     [&](const ListedFigure& figure) { return figure.stem == stem; });
    return static_cast<std::size_t>(found - known.begin());
}

/// Returns an acronym in capitals, but for the "s" of its plural, and any other word as it is.
std::string
WithAcronym(std::string word)
{
    static const std::set<std::string> acronyms{
        "gpu", "wan", "rtt", "ttft", "mfu", "kv", "cdf", "flops", "dc", "nic", "pp", "tp", "dp"};
    auto end = word.end();
    if (acronyms.count(word) == 0 && !word.empty() && word.back() == 's')
    {
        --end;
    }
    if (acronyms.count({word.begin(), end}) > 0)
    {
        std::transform(word.begin(),
                       end,
                       word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    }
    return word;
}

/// Returns a figure that the list does not know. Of a varied field, it says what is over it.
ListedFigure
Described(const std::string& stem)
{
    const std::string sweep = "sweep-";
    if (stem.rfind(sweep, 0) != 0)
    {
        return {stem, Phrase(stem), ""};
    }
    for (const auto& [end, shows] :
         {std::pair("-utilization", "What the GPUs work, by the values of the field."),
          {"-goodput", "Share of the capacity that is delivered, by the values of the field."},
          {"", "Time by the values of the field."}})
    {
        const std::string suffix = end;
        const auto length = stem.size() - std::min(stem.size(), suffix.size());
        if (length > sweep.size() && stem.substr(length) == suffix)
        {
            const auto field = Phrase(stem.substr(sweep.size(), length - sweep.size()));
            return {stem, "Sweep: " + field, shows};
        }
    }
    return {stem, Phrase(stem), ""};
}

} // namespace

std::string
Phrase(const std::string& name)
{
    std::string phrase;
    std::string word;
    const auto end = [&]
    {
        phrase += (phrase.empty() || word.empty() ? "" : " ") + WithAcronym(word);
        word.clear();
    };
    for (const char c : name)
    {
        if (c == '_' || c == '-')
        {
            end();
        }
        else
        {
            word += c;
        }
    }
    end();
    if (!phrase.empty())
    {
        phrase[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(phrase[0])));
    }
    return phrase;
}

std::vector<ListedFigure>
FiguresIn(const fs::path& folder)
{
    std::set<std::string> stems;
    if (fs::is_directory(folder))
    {
        for (const auto& entry : fs::directory_iterator(folder))
        {
            if (entry.path().extension() == ".svg")
            {
                stems.insert(entry.path().stem().string());
            }
        }
    }
    std::vector<PageOf> pages;
    for (const auto& stem : stems)
    {
        pages.push_back(PageOfStem(stem, stems));
    }
    const auto key = [](const PageOf& one)
    { return std::make_tuple(RankOf(one.figure), one.figure, one.page); };
    std::sort(pages.begin(),
              pages.end(),
              [&](const PageOf& a, const PageOf& b) { return key(a) < key(b); });
    std::vector<ListedFigure> figures;
    for (const auto& [name, page] : pages)
    {
        const auto rank = RankOf(name);
        auto figure = rank < KnownFigures().size() ? KnownFigures()[rank] : Described(name);
        if (page > 1)
        {
            figure.stem += fmt::format("-{}", page);
            figure.title += fmt::format(", page {}", page);
        }
        figures.push_back(figure);
    }
    return figures;
}

} // namespace geotrain
