// SPDX-License-Identifier: GPL-2.0-only
// Learning from files: what becomes of several, and what is said of them.
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-file.h"
#include "path-learning/path-learner.h"
#include "path-learning/path-warnings.h"
#include "path-learning/trace-readers.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>

namespace geotrain
{
namespace
{

/// Writes a record of packets of 1,000 bytes that arrive at `packetsPerSecond`, the third lost.
std::string
WriteRecord(const std::filesystem::path& path, double packetsPerSecond)
{
    std::ofstream file(path);
    file << "send_s,size_bytes,delay_s\n";
    for (int i = 0; i < 3000; ++i)
    {
        const double sent = 0.9 * i / packetsPerSecond; // faster than they arrive
        const double arrival = 0.05 + i / packetsPerSecond;
        file << (i == 3 ? fmt::format("{:.6f},1000,\n", sent)
                        : fmt::format("{:.6f},1000,{:.6f}\n", sent, arrival - sent));
    }
    return path.string();
}

// They fill the buffer from the first packet on, so that nothing tells the propagation; without
// cross traffic iBoxNet's path is a FIFO.
TEST(PathLearner, RecordsOfOnePathGiveThatPath)
{
    const TemporaryFolder folder;
    const auto learned = LearnIBox(
        {WriteRecord(folder.Path() / "a.csv", 1000), WriteRecord(folder.Path() / "b.csv", 1020)},
        1);
    ASSERT_EQ(learned.warnings.size(), 2u);
    EXPECT_NE(learned.warnings[0].find("the propagation is unknown"), std::string::npos);
    ASSERT_TRUE(learned.model.heldOut);
    EXPECT_FALSE(learned.model.heldOut->IsBetter());
    EXPECT_FALSE(learned.model.heldOut->IsWorse());
    EXPECT_NEAR(static_cast<double>(learned.model.forward.rate.ToBitsPerSecond()), 8.16e6, 8e4);
    EXPECT_EQ(learned.model.members.size(), 2u);
    EXPECT_EQ(learned.model.packets, 6000u);
    ASSERT_TRUE(learned.model.errors);
}

TEST(PathLearner, RecordsOfDifferentPathsAreWarnedOfWithTheSpread)
{
    const TemporaryFolder folder;
    const auto learned = LearnIBox(
        {WriteRecord(folder.Path() / "a.csv", 1000), WriteRecord(folder.Path() / "b.csv", 3000)},
        1);
    ASSERT_FALSE(learned.warnings.empty());
    EXPECT_NE(learned.warnings[0].find("of different paths: the largest rate is 200 %"),
              std::string::npos)
        << learned.warnings[0];
}

// 100 packets of 1,000 bytes a second, each alone on a path of 100 Mbit/s: 0.8 Mbit/s were sent.
TEST(PathLearner, ASenderThatNeverFillsThePathIsWarnedOf)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "slow.csv").string();
    std::ofstream file(path);
    file << "send_s,size_bytes,delay_s\n";
    for (int i = 0; i < 3000; ++i)
    {
        file << fmt::format("{:.6f},1000,{}\n", 0.01 * i, i == 3 ? "" : "0.050080");
    }
    file.close();
    const auto learned = LearnIBox({path}, 1);
    ASSERT_EQ(learned.warnings.size(), 3u);
    EXPECT_NE(learned.warnings[1].find("0.033 % of the packets were lost"), std::string::npos);
    EXPECT_NE(learned.warnings[2].find("the buffer dropped nothing"), std::string::npos);
    EXPECT_NEAR(learned.model.forward.lossShare, 1.0 / 3000, 1e-9);
    EXPECT_NE(learned.warnings[0].find("is only what keeps them from waiting"), std::string::npos)
        << learned.warnings[0];
}

// Every third packet takes 50 ms and the others 20, so that they overtake each other; one in fifty
// is lost.
TEST(PathLearner, LossesAtRandomAreSaidAsTheModelHasThem)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "lossy.csv").string();
    std::ofstream file(path);
    file << "send_s,size_bytes,delay_s\n";
    for (int i = 0; i < 3000; ++i)
    {
        const char* delay = i % 50 == 49 ? "" : (i % 3 == 0 ? "0.05" : "0.02");
        file << fmt::format("{:.3f},1000,{}\n", 0.003 * i, delay);
    }
    file.close();
    const auto warningFor = [&](const TrainingSettings& settings)
    {
        for (const std::string& warning : ReadForTraining({path}, settings).learned.warnings)
        {
            if (warning.find("2 % of the packets were lost") != std::string::npos)
            {
                return warning;
            }
        }
        return std::string();
    };
    TrainingSettings settings;
    EXPECT_NE(warningFor(settings).find("loses as many at random"), std::string::npos);
    settings.isPlain = true;
    EXPECT_NE(warningFor(settings).find("the network says losses"), std::string::npos);
}

TEST(PathLearner, TheSameFilesGiveTheSameBytes)
{
    const TemporaryFolder folder;
    const std::string file = WriteRecord(folder.Path() / "a.csv", 1000);
    EXPECT_EQ(EncodePath(LearnIBox({file}, 3).model), EncodePath(LearnIBox({file}, 3).model));
}

// 12.3 % are above 10, and 4.5 points above 2. A replay says little of connections that yield: of them
// 15 % of the rate are warned of.
TEST(PathLearner, ErrorsBeyondToleranceAreNamedWithTheirSize)
{
    LearnedFiles learned;
    learned.model.model = "ibox";
    learned.model.errors = PathErrors{0.24, 0.5, 0.09, 0.019};
    WarnOfErrors(learned.model, learned.warnings);
    EXPECT_TRUE(learned.warnings.empty());
    learned.model.errors = PathErrors{0.24, 0.5, 0.123, 0.045};
    WarnOfErrors(learned.model, learned.warnings);
    ASSERT_EQ(learned.warnings.size(), 1u);
    EXPECT_EQ(learned.warnings[0],
              "ibox over its own records: the 95th percentile of delay is 12.3 % off (10 are "
              "tolerated), loss is 4.5 points off (2 are tolerated)");
}

// 10 % of delay weigh as much as 2 points of loss: 4 % and 3.2 points are 10 % more than 10 %.
TEST(PathLearner, AModelThatIsWorseThanAFifoIsWarnedOf)
{
    LearnedFiles learned;
    learned.model.model = "ibox";
    learned.model.heldOut = HeldOutErrors{{0, 0, 0.04, 0.0319}, {0, 0, 0.1, 0}};
    WarnOfErrors(learned.model, learned.warnings);
    EXPECT_TRUE(learned.warnings.empty());
    learned.model.heldOut->model.loss = 0.0321;
    WarnOfErrors(learned.model, learned.warnings);
    EXPECT_EQ(learned.warnings.size(), 1u);
}

TEST(PathLearner, ConnectionsThatYieldAreWarnedOfWhereTheyTakeMuch)
{
    LearnedFiles learned;
    learned.model.errors = PathErrors{0.24, 0.5, 0.123, 0.045};
    PathParameters& path = learned.model.forward;
    path.rate = BitRate::BitsPerSecond(10000000);
    path.crossTraffic.yields = true;
    path.crossTraffic.bitsPerSecond = {1.4e6};
    WarnOfErrors(learned.model, learned.warnings);
    EXPECT_TRUE(learned.warnings.empty());
    path.crossTraffic.bitsPerSecond = {1.6e6};
    WarnOfErrors(learned.model, learned.warnings);
    ASSERT_EQ(learned.warnings.size(), 1u);
    EXPECT_NE(learned.warnings[0].find("cross traffic, 16 % of the rate, comes in bursts"),
              std::string::npos);
}

// Logs that were recorded over an emulated link of 12 Mbit/s and 1,000 ms: what either log or a
// half of one teaches predicts the others' delays within 10 % and losses within 2 points. Nothing
// was lost on that link: the shares agree where the model invents no loss.
TEST(PathLearner, RecordedLogsPredictEachOther)
{
    std::vector<PacketTrace> traces;
    for (const char* name : {"cubic_datalink_run1.log.gz", "bbr_datalink_run1.log.gz"})
    {
        const std::filesystem::path path =
            std::filesystem::path(GEOTRAIN_SHARED_DATA "/paths/pantheon") / name;
        if (!std::filesystem::exists(path))
        {
            GTEST_SKIP() << "no recorded logs";
        }
        traces.push_back(ParsePacketTrace(name, ReadMaybeGzipped(path.string())));
        traces.push_back(HalfOf(traces.back(), false));
        traces.push_back(HalfOf(*(traces.end() - 2), true));
    }
    for (const auto estimate :
         {static_cast<PathParameters (*)(const PacketTrace&)>(EstimateFifo), EstimatePath})
    {
        for (const PacketTrace& trace : traces)
        {
            const PathParameters learned = estimate(trace);
            if (trace.packets.size() >
                5000) // a half that hardly fills the link doesn't show its rate
            {
                EXPECT_NEAR(static_cast<double>(learned.rate.ToBitsPerSecond()), 12e6, 0.02 * 12e6);
            }
            EXPECT_TRUE(learned.crossTraffic.bitsPerSecond.empty()) << trace.name;
            for (const PacketTrace& other : traces)
            {
                const PathErrors errors = ErrorsOn(learned, other);
                EXPECT_LT(errors.delayP95, 0.1) << trace.name << " for " << other.name;
                EXPECT_LT(errors.loss, 0.02) << trace.name << " for " << other.name;
            }
        }
    }
}

} // namespace
} // namespace geotrain
