// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/custom-order.h"

#include "schedule/checked-order.h"
#include "schedule/order-simulation.h"
#include "units/config-error.h"
#include "units/text-file.h"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

struct Entry
{
    Kind kind = Kind::Forward;
    std::uint32_t stage = 0;
    std::uint32_t microbatch = 0;
};

/// Most digits of a number; more would be a mistake, and nothing is allocated for them.
constexpr std::size_t mostDigits = 5;

constexpr const char* entryRule =
    "must be a stage, F, B or W, and a microbatch (2B0), with numbers below 100000";

std::optional<std::uint32_t>
Number(const std::string& text)
{
    const bool isNumber =
        !text.empty() && text.size() <= mostDigits &&
        std::all_of(text.begin(),
                    text.end(),
                    [](unsigned char letter) { return std::isdigit(letter) != 0; });
    return isNumber ? std::optional(static_cast<std::uint32_t>(std::stoul(text))) : std::nullopt;
}

std::optional<Entry>
ParseEntry(const std::string& text)
{
    const std::size_t letter = text.find_first_of("FBW");
    if (letter == std::string::npos)
    {
        return std::nullopt;
    }
    const auto stage = Number(text.substr(0, letter));
    const auto microbatch = Number(text.substr(letter + 1));
    if (!stage || !microbatch)
    {
        return std::nullopt;
    }
    const Kind kind = text[letter] == 'F'   ? Kind::Forward
                      : text[letter] == 'B' ? Kind::Backward
                                            : Kind::WeightGradient;
    return Entry{kind, *stage, *microbatch};
}

std::vector<std::vector<Entry>>
ParseRows(const std::string& text, const std::string& name)
{
    std::vector<std::vector<Entry>> rows;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line))
    {
        if (boost::trim_copy(line).empty())
        {
            continue;
        }
        rows.emplace_back();
        std::istringstream fields(line);
        std::string field;
        for (std::size_t column = 1; std::getline(fields, field, ','); ++column)
        {
            field = boost::trim_copy(field);
            if (field.empty())
            {
                continue;
            }
            const auto entry = ParseEntry(field);
            if (!entry)
            {
                throw ConfigError(name,
                                  "row " + std::to_string(rows.size()) + ", column " +
                                      std::to_string(column),
                                  field,
                                  entryRule);
            }
            rows.back().push_back(*entry);
        }
    }
    return rows;
}

/// Adds a worker: its stages in their order, and its operations by chunk.
void
AddWorker(const std::vector<Entry>& row, CustomOrder& custom)
{
    std::set<std::uint32_t> stages;
    for (const Entry& entry : row)
    {
        stages.insert(entry.stage);
        custom.microbatches = std::max(custom.microbatches, entry.microbatch + 1);
    }
    StageOrder order;
    for (const Entry& entry : row)
    {
        const auto chunk = std::distance(stages.begin(), stages.find(entry.stage));
        order.push_back({entry.kind, entry.microbatch, static_cast<std::uint32_t>(chunk)});
    }
    custom.order.activationCap.push_back(PeakActivations(order));
    custom.order.stages.push_back(std::move(order));
    custom.order.stagesOfWorker.emplace_back(stages.begin(), stages.end());
}

/// Throws where only some weight gradients are apart: either all are, or none.
void
CheckWeightGradients(const CustomOrder& custom)
{
    std::set<std::pair<std::uint32_t, std::uint32_t>> backwards;
    bool splits = false;
    for (std::uint32_t worker = 0; worker < custom.order.stages.size(); ++worker)
    {
        for (const Operation& operation : custom.order.stages[worker])
        {
            const auto key =
                std::make_pair(custom.order.StageOf(worker, operation.chunk), operation.microbatch);
            if (operation.kind == Kind::Backward)
            {
                backwards.insert(key);
            }
            else if (operation.kind == Kind::WeightGradient)
            {
                splits = true;
                backwards.erase(key);
            }
        }
    }
    if (splits && !backwards.empty())
    {
        const auto& [stage, microbatch] = *backwards.begin();
        throw std::invalid_argument(NameOf({Kind::WeightGradient, microbatch}, stage) +
                                    " is missing");
    }
}

} // namespace

CustomOrder
ParseOrder(const std::string& text, const std::string& name)
{
    const auto rows = ParseRows(text, name);
    if (rows.empty())
    {
        throw ConfigError(name, "", "", "must have one row per worker");
    }
    CustomOrder custom;
    for (const auto& row : rows)
    {
        AddWorker(row, custom);
    }
    try
    {
        SimulateOrder(custom.order, custom.microbatches, {});
        CheckWeightGradients(custom);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(name, "order", "", broken.what());
    }
    return custom;
}

CustomOrder
ReadOrder(const std::string& path)
{
    return ParseOrder(ReadTextFile(path), path);
}

} // namespace geotrain
