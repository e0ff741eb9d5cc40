// SPDX-License-Identifier: GPL-2.0-only
#include "figures/answers.h"

#include "figures/sweeps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace geotrain
{

namespace
{

constexpr double enough = 0.9;         // of the best speed
constexpr double noDifference = 0.01;  // of the speed
constexpr std::size_t mostAnswers = 8; // that a reader takes in

/// Returns the variant's speed: its goodput, or one over its time; 0 where it has neither.
double
SpeedOf(const VariantSummary& variant)
{
    for (const auto* time : {"iteration_time", "completion_time_p50"})
    {
        if (const auto seconds = variant.summary.Find(time))
        {
            return *seconds > 0 ? 1 / *seconds : 0;
        }
    }
    return variant.summary.Find("goodput").value_or(0);
}

/// A SpeedAt is a number and the speed that it gives.
using SpeedAt = std::pair<double, double>;

/// Returns what the speeds, by rising numbers, say: how far from the best number, on its slower side,
/// the speed is enough. That is the side of lesser numbers, unless the least is the best.
std::string
AnswerOf(const std::vector<SpeedAt>& speeds, const std::string& unit)
{
    const auto isSlower = [](const SpeedAt& a, const SpeedAt& b)
    { return a.second < b.second * (1 - noDifference / 10); };
    const auto best = std::max_element(speeds.begin(), speeds.end(), isSlower);
    const bool rises = best != speeds.begin();
    std::vector<SpeedAt> fromBest(best, speeds.end());
    if (rises)
    {
        fromBest = {std::make_reverse_iterator(std::next(best)), speeds.rend()};
    }
    const auto isEnough = [&](const SpeedAt& one) { return one.second >= enough * best->second; };
    const auto last = std::prev(std::find_if_not(fromBest.begin(), fromBest.end(), isEnough));
    const bool isBestAlone = last == fromBest.begin();
    const SpeedAt& other = isBestAlone ? fromBest[1] : *last;
    const auto at = [&](const SpeedAt& one) { return fmt::format("{:g}{}", one.first, unit); };
    const auto share =
        fmt::format("{} {:.0f} %", rises ? "reaches" : "keeps", 100 * other.second / best->second);
    return isBestAlone
               ? fmt::format("{} is the fastest; {} {} of its speed", at(*best), at(other), share)
               : fmt::format("{}{} {} of the speed at {}",
                             rises ? "" : "up to ",
                             at(other),
                             share,
                             at(*best));
}

/// Returns the answers of the sweep, series by series.
std::vector<std::string>
AnswersOfSweep(const Comparison& comparison, const Sweep& sweep)
{
    // A label ends in its unit: "Round trip of a WAN link (ms)".
    auto label = sweep.label;
    const bool isAcronym = std::isupper(static_cast<unsigned char>(label[1])) != 0; // "MTU"
    label[0] = isAcronym ? label[0]
                         : static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    const auto bracket = label.rfind(" (");
    const auto unit = bracket == std::string::npos
                          ? ""
                          : " " + label.substr(bracket + 2, label.size() - bracket - 3);
    label.erase(std::min(bracket, label.size()));
    std::vector<std::string> answers;
    for (const auto& series : sweep.series)
    {
        std::vector<SpeedAt> speeds;
        for (const auto& [number, variant] : series.variants)
        {
            if (const double speed = SpeedOf(comparison.variants[variant]); speed > 0)
            {
                speeds.emplace_back(number, speed);
            }
        }
        if (speeds.size() > 1)
        {
            answers.push_back(label + (series.name.empty() ? "" : ", " + series.name) + ": " +
                              AnswerOf(speeds, unit));
        }
    }
    return answers;
}

/// Returns the titles of the variants that are as fast as the best, in their order.
std::vector<std::string>
TitlesOfFastest(const std::vector<VariantSummary>& variants, double best)
{
    std::vector<std::string> titles;
    for (const VariantSummary& variant : variants)
    {
        if (best < (1 + noDifference) * SpeedOf(variant))
        {
            titles.push_back(TitleOf(variant));
        }
    }
    return titles;
}

/// Returns which variant is the fastest, or which are, and how much faster than the first, or than the
/// next where it is the first.
std::vector<std::string>
FastestOf(const std::vector<VariantSummary>& variants)
{
    const auto isSlower = [](const VariantSummary& a, const VariantSummary& b)
    { return SpeedOf(a) < SpeedOf(b); };
    auto bySpeed = variants;
    std::stable_sort(bySpeed.rbegin(), bySpeed.rend(), isSlower);
    const auto& best = bySpeed.front();
    const auto& other = best.variant == variants.front().variant ? bySpeed.at(1) : variants.front();
    if (SpeedOf(other) == 0 || SpeedOf(best) < (1 + noDifference) * SpeedOf(other))
    {
        return {};
    }
    auto titles = TitlesOfFastest(variants, SpeedOf(best));
    const std::string last = titles.back();
    titles.pop_back();
    return {fmt::format(
        "{}{} {:.3g} times as fast as {}",
        titles.empty() ? last : fmt::format("{} and {}", fmt::join(titles, ", "), last),
        titles.empty() ? " is the fastest:"
                       : fmt::format(" are the fastest, within {:.0f} %:", 100 * noDifference),
        SpeedOf(best) / SpeedOf(other),
        TitleOf(other))};
}

} // namespace

std::vector<std::string>
AnswersOf(const Comparison& comparison)
{
    const auto& variants = comparison.variants;
    const auto isOfJob = [](const VariantSummary& variant)
    { return !variant.summary.header.job().empty(); };
    if (variants.size() < 2 || std::any_of(variants.begin(), variants.end(), isOfJob))
    {
        return {};
    }
    const auto sweeps = SweepsOf(comparison);
    auto answers =
        sweeps.empty() ? FastestOf(variants) : AnswersOfSweep(comparison, sweeps.front());
    return answers.size() > mostAnswers ? std::vector<std::string>{} : answers;
}

} // namespace geotrain
