// SPDX-License-Identifier: GPL-2.0-only
#include "cli/learning-figures.h"

#include "figures/path-figures.h"
#include "path-learning/trace-readers.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <optional>

namespace geotrain
{

namespace
{

/// Returns the record in a file; none where it holds no packets, as a profile.
std::optional<PacketTrace>
RecordIn(const std::string& file)
{
    try
    {
        return ParsePacketTrace(file, ReadMaybeGzipped(file));
    }
    catch (const ConfigError&)
    {
        return std::nullopt;
    }
}

void
DrawDelays(const PathModel& model, const PacketTrace& record, const std::filesystem::path& folder)
{
    const auto predicted = PredictDelays(model.forward, record);
    CurvePoints measured;
    CurvePoints learned;
    for (std::size_t i = 0; i < record.packets.size(); ++i)
    {
        const TracedPacket& packet = record.packets[i];
        const double at = (packet.sent - Instant()).ToSeconds();
        if (packet.delay)
        {
            measured.emplace_back(at, packet.delay->ToSeconds());
        }
        if (predicted[i])
        {
            learned.emplace_back(at, predicted[i]->ToSeconds());
        }
    }
    DrawDelayOverTime(measured, learned, folder);
}

} // namespace

void
DrawLearningFigures(const PathModel& model,
                    const std::vector<std::string>& files,
                    const std::filesystem::path& folder)
{
    MakeResultFolder(folder);
    DrawTrainingLoss(model.trainingLosses, model.heldOutLosses, folder);
    for (const std::string& file : files)
    {
        if (const std::optional<PacketTrace> record = RecordIn(file))
        {
            DrawDelays(model, *record, folder);
            return;
        }
    }
}

} // namespace geotrain
