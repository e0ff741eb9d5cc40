// SPDX-License-Identifier: GPL-2.0-only
// The recurrence of a path's buffer, against values by hand. At 8 Mbit/s a byte takes a microsecond.
#include "path-learning/path-cell.h"
#include "wan-topology/model/learned-direction.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Instant
CellTime(std::int64_t microseconds)
{
    return Instant() + Duration::Microseconds(microseconds);
}

PathParameters
EightMegabits(std::int64_t bufferBytes, std::vector<double> crossBitsPerSecond = {})
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(10);
    path.buffer = Bytes::Of(bufferBytes);
    path.crossTraffic = {Duration::Milliseconds(1), std::move(crossBitsPerSecond)};
    return path;
}

// q: 1000; after 400 us 600 + 1000 = 1600; after another 2000 us it has run empty: 1000.
TEST(PathCell, WaitsForWhatIsBeforeItAndRunsEmpty)
{
    PathCell cell(EightMegabits(100000));
    EXPECT_EQ(cell.Offer(CellTime(0), Bytes::Of(1000)), Duration::Microseconds(1000));
    EXPECT_EQ(cell.Offer(CellTime(400), Bytes::Of(1000)), Duration::Microseconds(1600));
    EXPECT_EQ(cell.Offer(CellTime(2400), Bytes::Of(1000)), Duration::Microseconds(1000));
}

// The buffer holds two packets; the third of a burst is dropped, and takes no room.
TEST(PathCell, DropsWhatWouldExceedTheBuffer)
{
    PathCell cell(EightMegabits(2000));
    EXPECT_TRUE(cell.Offer(CellTime(0), Bytes::Of(1000)));
    EXPECT_TRUE(cell.Offer(CellTime(0), Bytes::Of(1000)));
    EXPECT_FALSE(cell.Offer(CellTime(999), Bytes::Of(1000)));
    EXPECT_EQ(cell.Offer(CellTime(1000), Bytes::Of(1000)), Duration::Microseconds(2000));
}

// Cross traffic of 12 Mbit/s for 1 ms, then none for 1 ms, again and again. The buffer grows by 0.5
// bytes/us to 500 in the first bin and is empty 500 us after it; at 2.5 ms there are 250.
TEST(PathCell, FollowsCrossTrafficFromBinToBinWhileNothingIsSent)
{
    PathCell cell(EightMegabits(100000, {12e6, 0}));
    EXPECT_EQ(cell.Offer(CellTime(2500), Bytes::Of(1000)), Duration::Microseconds(1250));
}

// The crossing of zero lies inside the interval: 500 bytes at 1 ms, empty at 1.5 ms, and at 2 ms the
// third bin begins at 0, not at -500.
TEST(PathCell, CrossesZeroExactlyInsideAnInterval)
{
    PathCell cell(EightMegabits(100000, {12e6, 0, 16e6, 8e6}));
    EXPECT_EQ(cell.Offer(CellTime(3000), Bytes::Of(1000)), Duration::Microseconds(2000));
}

// Cross traffic of twice the rate fills 2,000 bytes in 2 ms; what comes then finds it full, and 1 ms
// after the cross traffic's end it finds 1,000.
TEST(PathCell, FullBufferTakesNoMoreCrossTraffic)
{
    PathCell cell(EightMegabits(2000, {16e6, 16e6, 16e6, 16e6, 0, 0, 0, 0}));
    EXPECT_FALSE(cell.Offer(CellTime(3900), Bytes::Of(1000)));
    EXPECT_EQ(cell.Offer(CellTime(5000), Bytes::Of(1000)), Duration::Microseconds(2000));
}

TEST(LearnedDirection, CountsBytesAsALinkDoes)
{
    ns3::LinkSettings settings;
    settings.learned = std::make_shared<const PathParameters>(EightMegabits(2000));
    ns3::LearnedDirection direction(settings);
    const auto first = direction.Offer(CellTime(0), Bytes::Of(1000));
    EXPECT_EQ(first.departure, CellTime(1000));
    EXPECT_EQ(first.arrival, CellTime(11000));
    direction.Offer(CellTime(0), Bytes::Of(1000));
    EXPECT_EQ(direction.Offer(CellTime(0), Bytes::Of(1000)).verdict,
              ns3::LinkOutcome::Verdict::QueueFull);
    EXPECT_EQ(direction.Backlog(CellTime(0)), Bytes::Of(2000));
    EXPECT_EQ(direction.Backlog(CellTime(1500)), Bytes::Of(1000));
    EXPECT_EQ(direction.GetCounters().acceptedBytes, 2000);
    EXPECT_EQ(direction.GetCounters().queueDropBytes, 1000);
    EXPECT_EQ(direction.GetCounters().queueingNs, 1000000);
}

} // namespace
} // namespace geotrain
