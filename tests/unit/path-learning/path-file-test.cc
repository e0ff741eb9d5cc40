// SPDX-License-Identifier: GPL-2.0-only
// Model files keep what they were given, and iBoxNet's profiles become paths.
#include "error-text.h"
#include "path-learning/path-file.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geotrain
{
namespace
{

PathParameters
FilePath(std::int64_t rateMbps)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(rateMbps * 1000000);
    path.propagation = Duration::Milliseconds(20 + rateMbps);
    path.buffer = Bytes::Of(50000 * rateMbps);
    path.crossTraffic = {Duration::Milliseconds(100),
                         {1e6, 0, 2.5e5 * static_cast<double>(rateMbps)}};
    return path;
}

PathModel
FamilyOfThree()
{
    PathModel model;
    model.model = "ibox";
    model.members = {FilePath(5), FilePath(10), FilePath(20)};
    model.forward = Combine(model.members);
    model.inputs = {"a.csv", "b.csv", "c.csv"};
    model.packets = 42;
    model.errors = PathErrors{0.1, 0.2, 0.3, 0.4};
    return model;
}

void
ExpectSame(const PathParameters& a, const PathParameters& b)
{
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.propagation, b.propagation);
    EXPECT_EQ(a.buffer, b.buffer);
    EXPECT_EQ(a.lossShare, b.lossShare);
    EXPECT_EQ(a.crossTraffic.bitsPerSecond, b.crossTraffic.bitsPerSecond);
}

// A path that loses all would let nothing through.
TEST(PathFile, RefusesALossOfAll)
{
    PathModel model = FamilyOfThree();
    model.forward.lossShare = 1;
    EXPECT_NE(ErrorText([&] { DecodePath("f", EncodePath(model)); }).find("forward.loss"),
              std::string::npos);
}

TEST(PathFile, KeepsAllThatItWasGiven)
{
    PathModel model = FamilyOfThree();
    model.backward = FilePath(7);
    model.backward->lossShare = 0.1;
    model.backward->crossTraffic.yields = true;
    const PathModel read = DecodePath("f", EncodePath(model));
    ExpectSame(read.forward, model.forward);
    ExpectSame(*read.backward, *model.backward);
    ASSERT_EQ(read.members.size(), 3u);
    EXPECT_TRUE(read.backward->crossTraffic.yields);
    EXPECT_FALSE(read.forward.crossTraffic.yields);
    ExpectSame(read.members[1], model.members[1]);
    EXPECT_EQ(read.inputs, model.inputs);
    EXPECT_EQ(read.packets, 42u);
    EXPECT_EQ(read.errors->delayP95, 0.3);
    EXPECT_EQ(EncodePath(read), EncodePath(model));
}

TEST(PathFile, EveryCutIsRefused)
{
    const std::string bytes = EncodePath(FamilyOfThree());
    for (std::size_t length = 0; length < bytes.size(); ++length)
    {
        EXPECT_NE(ErrorText([&] { DecodePath("f", bytes.substr(0, length)); }), "") << length;
    }
}

TEST(PathFile, DamageIsRefused)
{
    std::string bytes = EncodePath(FamilyOfThree());
    for (const std::string& tail : {std::string("xxxx"), bytes}) // valid Protobuf
    {
        EXPECT_EQ(ErrorText([&] { DecodePath("f", bytes + tail); }),
                  "f: is damaged: it has bytes that are of no field");
    }
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    EXPECT_EQ(ErrorText([&] { DecodePath("f", bytes); }),
              "f: is cut or damaged: its checksum is wrong");
    EXPECT_EQ(ErrorText([] { DecodePath("f", "hello"); }),
              "f: is no model file of a learned path, or is cut");
}

// `version` is field 2, a varint: its bytes are 0x10 and the value.
TEST(PathFile, OfALaterVersionIsRefused)
{
    std::string bytes = EncodePath(FamilyOfThree());
    const std::size_t at = bytes.find(std::string("path") + '\x10' + '\x01');
    ASSERT_NE(at, std::string::npos);
    bytes[at + 5] = 6;
    EXPECT_EQ(ErrorText([&] { DecodePath("f", bytes); }),
              "f: version: \"6\" must be 1 to 5: another version of geotrain wrote it");
}

TEST(PathFile, ValuesOutOfTheirRangeAreRefused)
{
    PathModel model = FamilyOfThree();
    model.forward.crossTraffic.bitsPerSecond[0] = std::nan("");
    EXPECT_NE(ErrorText([&] { DecodePath("f", EncodePath(model)); }).find("forward.cross_bps"),
              std::string::npos);
    model = FamilyOfThree();
    model.forward.buffer = Bytes();
    EXPECT_NE(ErrorText([&] { DecodePath("f", EncodePath(model)); }).find("forward.buffer_bytes"),
              std::string::npos);
}

const char* const profile = R"({"data_flow_direction": "upload", "config": {
    "uplink": {"bottleneck_bandwidth": 660, "buffer_size_bytes": 594042, "buffer_size_packets": 396,
        "propagation_delay": 679, "cross_traffic_pattern": [0, 1626, 56]},
    "downlink": {"bottleneck_bandwidth": 100000, "buffer_size_bytes": 15000000,
        "buffer_size_packets": 10000, "propagation_delay": 0, "cross_traffic_pattern": []}}})";

TEST(IBoxProfile, IsAPathWithAValueOfCrossTrafficPerSecond)
{
    const PathModel model = ParseIBoxProfile("p", profile);
    EXPECT_EQ(model.forward.rate, BitRate::BitsPerSecond(660000));
    EXPECT_EQ(model.forward.propagation, Duration::Milliseconds(679));
    EXPECT_EQ(model.forward.buffer, Bytes::Of(594042));
    EXPECT_EQ(model.forward.crossTraffic.bin, Duration::Milliseconds(1000));
    EXPECT_EQ(model.forward.crossTraffic.bitsPerSecond, (std::vector<double>{0, 1626e3, 56e3}));
    EXPECT_EQ(LinkOf(model).backward.rate, BitRate::BitsPerSecond(100000000));
}

TEST(IBoxProfile, WithoutAFieldIsRefusedByItsName)
{
    std::string text = profile;
    text.replace(text.find("propagation_delay"), 17, "propagation_delax");
    EXPECT_EQ(
        ErrorText([&] { ParseIBoxProfile("p", text); }),
        "p: config.uplink.propagation_delay: must be there, as in an iBoxNet network profile");
    text = profile;
    text.replace(text.find("679"), 3, "-67");
    EXPECT_NE(ErrorText([&] { ParseIBoxProfile("p", text); }).find("propagation_delay: \"-67\""),
              std::string::npos);
    EXPECT_NE(ErrorText([] { ParseIBoxProfile("p", "{"); }), "");
}

TEST(IBoxProfile, PublishedProfilesAreReadAndWrittenWhole)
{
    const std::filesystem::path folder = GEOTRAIN_SHARED_DATA "/paths/ibox/colombia/cellular";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no published profiles";
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const PathModel model = ParseIBoxProfile(entry.path().string(), Contents(entry.path()));
        EXPECT_EQ(model.forward.crossTraffic.bitsPerSecond.size(), 30u);
        ExpectSame(DecodePath("f", EncodePath(model)).forward, model.forward);
    }
}

TEST(PathFamily, IsDrawnWithinItsMembersRangeAndAgainFromTheSameSeed)
{
    const PathModel model = FamilyOfThree();
    const auto drawn = DrawLike(model, 200, 7);
    const auto again = DrawLike(model, 200, 7);
    double logSum = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        EXPECT_EQ(EncodePath(drawn[i]), EncodePath(again[i]));
        const auto bps = static_cast<double>(drawn[i].forward.rate.ToBitsPerSecond());
        EXPECT_GE(bps, 5e6);
        EXPECT_LE(bps, 20e6);
        logSum += std::log(bps);
    }
    // The mean of the logarithms is that of 10 Mbit/s; the deviation is ln 2, less by the limits, and
    // the standard error of 200 draws below 0.05: four of them.
    EXPECT_NEAR(logSum / 200, std::log(10e6), 0.2);
    EXPECT_NE(EncodePath(drawn[0]), EncodePath(DrawLike(model, 1, 8)[0]));
}

TEST(PathFamily, OfOneMemberIsRefused)
{
    PathModel model = FamilyOfThree();
    model.members.resize(1);
    EXPECT_NE(ErrorText<std::invalid_argument>([&] { DrawLike(model, 1, 1); }), "");
}

TEST(LearnedLink, OfOneDirectionHasNoCrossTrafficBack)
{
    const LearnedLink link = LinkOf(FamilyOfThree());
    EXPECT_EQ(link.backward.rate, link.forward.rate);
    EXPECT_EQ(link.backward.propagation, link.forward.propagation);
    EXPECT_TRUE(link.backward.crossTraffic.bitsPerSecond.empty());
    EXPECT_FALSE(link.forward.crossTraffic.bitsPerSecond.empty());
}

} // namespace
} // namespace geotrain
