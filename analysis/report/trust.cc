// SPDX-License-Identifier: GPL-2.0-only
#include "report/trust.h"

#include "report/html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace geotrain
{

namespace
{

std::string
Plural(std::uint64_t count, const char* what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string
NetworkSentence(const trace::RunHeader& header)
{
    if (IsLive(header))
    {
        return fmt::format(
            "Messages travelled over the kernel's TCP under {}, in real time. Delays, "
            "queues and losses were those of an emulated WAN.",
            Escaped(header.congestion_control()));
    }
    if (!header.without_packets() && !header.congestion_control().empty())
    {
        return fmt::format(
            "Messages travelled as packets under {}: windows, queues and losses were "
            "simulated, packet by packet.",
            Escaped(header.congestion_control()));
    }
    return fmt::format(
        "The {} network calculated when messages arrive, by formulas for windows, slow start, "
        "queues and losses, without packets. Run it with <code>--network packet</code> before you "
        "rely on a difference of a few per cent, or on what follows a loss.",
        Escaped(header.network()));
}

std::string
MeasuredSentence(const Summary& summary)
{
    const auto& header = summary.header;
    auto text = fmt::format("Measured: {} after {} of warm-up.",
                            Plural(summary.iterations, "iteration"),
                            Plural(header.warmup_iterations(), "iteration"));
    if (const auto repeated = summary.Find("repeated_iterations"); repeated > 0)
    {
        text += fmt::format(
            " The last {} were not simulated: each counts as the one before them, which "
            "repeated its predecessor within <code>run.repeat</code>.",
            *repeated);
    }
    if (header.warmup_iterations() == 0)
    {
        text += " Without warm-up, the numbers include the connections' start; "
                "<code>--set run.warmup_iterations=1</code> leaves it out.";
    }
    return text;
}

/// Returns what the number of seeds tells. `draws` are empty in older traces too.
std::string
SeedsSentence(const trace::RunHeader& header, std::size_t seeds)
{
    if (seeds > 1)
    {
        return fmt::format("Means over {} seeds; ± is half of the 95 % interval. "
                           "A number without ± is the same with all seeds.",
                           seeds);
    }
    if (IsLive(header))
    {
        return "One run by the wall clock, so no interval: another one differs by chance, and with "
               "what else the machine does.";
    }
    if (header.draws().empty())
    {
        return "One seed, so no interval. Where losses, jitter or arrivals are random, <code>"
               "geotrain compare --seeds 1..10</code> shows the spread.";
    }
    return fmt::format("One seed, so these numbers are one draw of {}: <code>geotrain compare "
                       "--seeds 1..10</code> shows the spread.",
                       Escaped(fmt::format("{}", fmt::join(header.draws(), ", "))));
}

} // namespace

bool
IsLive(const trace::RunHeader& header)
{
    return header.network() == "live";
}

std::vector<std::string>
TrustOf(const Summary& summary, std::size_t seeds)
{
    const auto& header = summary.header;
    std::vector<std::string> sentences{NetworkSentence(header)};
    for (const auto& part : header.analytic_parts())
    {
        sentences.push_back(fmt::format("<code>{}</code> was computed by a formula instead of "
                                        "simulated.",
                                        Escaped(part)));
    }
    if (!header.has_transfers() && header.jobs().empty())
    {
        sentences.push_back(MeasuredSentence(summary));
        if (!header.precision().empty())
        {
            sentences.push_back("MFU is of the GPUs' peak in " + Escaped(header.precision()) + ".");
        }
    }
    sentences.push_back(SeedsSentence(header, seeds));
    if (!summary.complete)
    {
        sentences.emplace_back("The run did not finish; the numbers cover what it reached.");
    }
    if (summary.warnings.empty())
    {
        sentences.emplace_back("No warnings.");
    }
    return sentences;
}

} // namespace geotrain
