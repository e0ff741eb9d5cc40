// SPDX-License-Identifier: GPL-2.0-only
#include "cli/learn-report.h"

#include "cli/terminal-width.h"

#include "comparison/text-table.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace geotrain
{

namespace
{

void
AddErrors(nlohmann::ordered_json& object, const PathErrors& errors)
{
    object["throughput_error"] = errors.throughput;
    object["delay_mean_error"] = errors.delayMean;
    object["delay_p95_error"] = errors.delayP95;
    object["loss_error"] = errors.loss;
}

/// Returns the mean cross traffic of iBoxNet's estimate in bit/s.
double
CrossTrafficOf(const PathModel& model)
{
    if (!model.forward.network || model.members.empty())
    {
        return model.forward.crossTraffic.MeanBitsPerSecond();
    }
    double sum = 0;
    for (const PathParameters& member : model.members)
    {
        sum += member.crossTraffic.MeanBitsPerSecond();
    }
    return sum / static_cast<double>(model.members.size());
}

void
AddErrorRow(TextTable& table, const std::string& name, const PathErrors& errors)
{
    table.AddRow({name,
                  fmt::format("{:.2f} %", errors.throughput * 100),
                  fmt::format("{:.2f} %", errors.delayMean * 100),
                  fmt::format("{:.2f} %", errors.delayP95 * 100),
                  fmt::format("{:.2f}", errors.loss * 100)});
}

std::string
TrainingText(const PathModel& model)
{
    const std::vector<double>& losses = model.heldOutLosses;
    return fmt::format("{}: {} epochs, loss {:.4f} of what was held out, {:.4f} before; windows of "
                       "{}\n",
                       model.model,
                       losses.size() - 1,
                       *std::min_element(losses.begin(), losses.end()),
                       losses.front(),
                       Format(model.forward.network->window));
}

} // namespace

nlohmann::ordered_json
PathAsJson(const PathModel& model, const std::string& out)
{
    nlohmann::ordered_json object;
    object["out"] = out;
    object["model"] = model.model;
    object["rate_bps"] = model.forward.rate.ToBitsPerSecond();
    object["propagation_s"] = model.forward.propagation.ToSeconds();
    object["buffer_bytes"] = model.forward.buffer.Count();
    object["cross_traffic_bps"] = CrossTrafficOf(model);
    if (model.forward.network)
    {
        object["window_s"] = model.forward.network->window.ToSeconds();
        object["training_losses"] = model.trainingLosses;
        object["held_out_losses"] = model.heldOutLosses;
    }
    return object;
}

nlohmann::ordered_json
LearnedAsJson(const LearnedFiles& learned,
              const std::string& out,
              const std::vector<EvaluatedTrace>& evaluated)
{
    nlohmann::ordered_json object = PathAsJson(learned.model, out);
    object["packets"] = learned.model.packets;
    std::vector<PathErrors> errors;
    auto rows = nlohmann::ordered_json::array();
    for (const EvaluatedTrace& trace : evaluated)
    {
        nlohmann::ordered_json row{{"trace", trace.name}};
        AddErrors(row, trace.errors);
        rows.push_back(row);
        errors.push_back(trace.errors);
    }
    if (!errors.empty())
    {
        AddErrors(object, MeanOf(errors));
    }
    else if (learned.model.errors)
    {
        AddErrors(object, *learned.model.errors);
    }
    if (const auto& heldOut = learned.model.heldOut)
    {
        nlohmann::ordered_json ofModel, ofFifo;
        AddErrors(ofModel, heldOut->model);
        AddErrors(ofFifo, heldOut->fifo);
        object["held_out_halves"] = {
            {"model", ofModel}, {"fifo", ofFifo}, {"better_than_fifo", heldOut->IsBetter()}};
    }
    object["evaluated"] = rows;
    object["warnings"] = learned.warnings;
    return object;
}

std::string
LearnedText(const LearnedFiles& learned,
            const std::string& out,
            const std::vector<EvaluatedTrace>& evaluated)
{
    const PathParameters& path = learned.model.forward;
    std::string text = fmt::format(
        "{}: rate {}, propagation {}, buffer {}, cross traffic {} on average\n",
        out,
        Format(path.rate),
        Format(path.propagation),
        Format(path.buffer),
        Format(BitRate::BitsPerSecond(static_cast<std::int64_t>(CrossTrafficOf(learned.model)))));
    if (path.network)
    {
        text += TrainingText(learned.model);
    }
    TextTable table({"errors", "throughput", "mean delay", "95th percentile", "loss, points"});
    if (learned.model.errors)
    {
        AddErrorRow(table, "inputs", *learned.model.errors);
    }
    if (learned.model.heldOut)
    {
        AddErrorRow(table, "held-out halves", learned.model.heldOut->model);
        if (learned.model.model != "fifo")
        {
            AddErrorRow(table, "these by a FIFO", learned.model.heldOut->fifo);
        }
    }
    for (const EvaluatedTrace& trace : evaluated)
    {
        AddErrorRow(table, trace.name, trace.errors);
    }
    if (learned.model.errors || !evaluated.empty())
    {
        text += "\n" + table.Text(TableColumns());
    }
    for (const std::string& warning : learned.warnings)
    {
        text += "warning: " + warning + "\n";
    }
    return text;
}

} // namespace geotrain
