// SPDX-License-Identifier: GPL-2.0-only
// Tests a connection and groups of connections. Segments have 1,000 bytes, and windows stay at 10
// segments. A message ends with each train, so that the receiver holds no acknowledgement.
#include "analytic/connection-group.h"
#include "analytic/make-pair-sender.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

Connection
MakeConnection()
{
    AnalyticConnection settings;
    settings.window = Bytes::Of(10000);
    settings.segment = Bytes::Of(1000);
    return {settings, Duration::Milliseconds(20), 1};
}

TEST(Connection, SendsWholeSegmentsUnlessTheyAreTheLast)
{
    Connection connection = MakeConnection();
    EXPECT_EQ(connection.Allowed(2500), 2500);
    EXPECT_EQ(connection.Allowed(25000), 10000);
    connection.Send({}, 2500, {}, {}, true);
    EXPECT_EQ(connection.Allowed(25000), 7000); // 7,500 are free
}

TEST(Connection, AnAcknowledgementMakesRoomForWhatItAnswers)
{
    Connection connection = MakeConnection();
    AcknowledgedTrain train = connection.Send({}, 10000, {}, {}, true).train;
    EXPECT_EQ(connection.Allowed(), 0);
    connection.Acknowledge(train);
    EXPECT_EQ(connection.Allowed(), 10000);
}

TEST(Connection, AfterARestNothingIsInFlight)
{
    Connection connection = MakeConnection();
    connection.Send({}, 10000, {}, {}, true);
    connection.Rest({});
    EXPECT_EQ(connection.Allowed(), 10000);
}

// 10,000 bytes of a window of 10,000 are sent in two trains, of which the first is lost. The second
// tells of it: 3,000 are then on the way at most by RFC 6937, and the receive window has no room behind the hole.
TEST(Connection, RepairsALossBeforeItSendsMore)
{
    Connection connection = MakeConnection();
    AcknowledgedTrain lost = connection.Send({}, 5000, {}, {}, true).train;
    const AcknowledgedTrain behind = connection.Send({}, 5000, {}, {}, true).train;
    lost.lost = std::exchange(lost.bytes, 0);
    connection.Miss(lost);
    EXPECT_TRUE(connection.WillHear());
    connection.Lose(lost, 1);
    EXPECT_TRUE(connection.Recovers());
    connection.Acknowledge(behind);
    EXPECT_EQ(connection.Allowed(20000), 0);
    EXPECT_EQ(connection.AllowedAgain(5000), 5000); // RFC 6937: as much as was delivered
    const AcknowledgedTrain repair = connection.Repair({}, 5000, lost);
    EXPECT_EQ(repair.sentUntil, lost.sentUntil);
    EXPECT_GT(repair.order, behind.order);
    connection.Acknowledge(repair);
    EXPECT_FALSE(connection.Recovers());
    EXPECT_EQ(connection.Allowed(20000), 7000); // CUBIC's 0.7
}

// RFC 6675, section 5: losses of what was sent before a recovery began belong to it. A loss of what was sent
// since begins another one when it ends. CUBIC leaves 0.7 each time.
TEST(Connection, ReducesItsWindowOncePerRecovery)
{
    Connection connection = MakeConnection();
    std::vector<AcknowledgedTrain> trains;
    for (int train = 0; train < 3; ++train)
    {
        trains.push_back(connection.Send({}, 3000, {}, {}, true).train);
    }
    const auto lose = [&connection](AcknowledgedTrain& train)
    {
        train.lost = std::exchange(train.bytes, 0);
        connection.Miss(train);
        connection.Lose(train, 1);
    };
    lose(trains[0]);
    lose(trains[1]);
    AcknowledgedTrain later = connection.Send({}, 1000, {}, {}, true).train;
    connection.Acknowledge(trains[2]);
    lose(later);
    connection.Acknowledge(connection.Repair({}, 3000, trains[0]));
    EXPECT_TRUE(connection.Recovers());
    connection.Acknowledge(connection.Repair({}, 3000, trains[1]));
    EXPECT_TRUE(connection.Recovers()); // the second recovery
    connection.Acknowledge(connection.Repair({}, 1000, later));
    EXPECT_FALSE(connection.Recovers());
    // 0.7 x 0.7 x 10,000, in whole segments. Three reductions would leave 2,000, one 7,000.
    EXPECT_EQ(connection.Allowed(20000), 4000);
}

// Of three trains the second is short and the only one that comes; what is sent again is lost too. As much as was
// delivered could go, which is no segment, and nothing more would be heard.
TEST(Connection, SendsASegmentAgainWhereNothingIsOnTheWay)
{
    Connection connection = MakeConnection();
    const auto lose = [&connection](AcknowledgedTrain train)
    {
        train.lost = std::exchange(train.bytes, 0);
        connection.Miss(train);
        connection.Lose(train, 1);
        return train;
    };
    const AcknowledgedTrain first = connection.Send({}, 8000, {}, {}, true).train;
    const AcknowledgedTrain second = connection.Send({}, 300, {}, {}, true).train;
    const AcknowledgedTrain third = connection.Send({}, 4, {}, {}, true).train;
    lose(connection.Repair({}, 1000, lose(first)));
    connection.Acknowledge(second);
    EXPECT_EQ(connection.AllowedAgain(8004), 0); // 300 bytes
    lose(third);
    EXPECT_FALSE(connection.WillHear());
    EXPECT_EQ(connection.AllowedAgain(8004), 1000);
}

TEST(ConnectionGroup, MembersWithSomethingToSendPoolTheirWindows)
{
    ConnectionGroup group(4, MakeConnection());
    group.Push({7, 50000, 2, true});
    EXPECT_EQ(group.FreeMembers(), 2u);
    EXPECT_EQ(group.Allowed(), 10000); // of each
    const Train train = group.Send({}, 10000, {}, {});
    EXPECT_EQ(train.message, 7u);
    EXPECT_EQ(train.bytes, 20000); // of two members
    EXPECT_EQ(group.Front().bytes, 30000);
    group.Push({8, 1000, 1, false});
    EXPECT_EQ(group.FreeMembers(),
              2u); // a message of its own takes no member that is free for chunks
    group.Pop();
    EXPECT_EQ(group.FreeMembers(), 4u);
}

TEST(ConnectionGroup, ItsFirstAcknowledgementIsThatOfTheMemberInTheMiddle)
{
    ConnectionGroup group(4, MakeConnection());
    group.Push({7, 40000, 4, true});
    const Train train = group.Send({}, 10000, {}, {});
    EXPECT_EQ(train.untilFirst, (40000 - 10000) / 2 + 1000);
    EXPECT_EQ(train.untilLast, 40000);
    EXPECT_EQ(train.times.bytes, 10000); // of each
}

TEST(ConnectionGroup, TheLastBytesAreSharedByAllMembers)
{
    ConnectionGroup group(4, MakeConnection());
    group.Push({7, 4001, 4, true});
    EXPECT_EQ(group.Allowed(), 1001); // rounded up
    EXPECT_EQ(group.Send({}, 1001, {}, {}).bytes, 4001);
}

using Kind = PairSender::Event::Kind;

/// Returns when the only message's last byte has left a queue of a byte per nanosecond, in
/// nanoseconds.
std::int64_t
EndOf(PairSender& pair)
{
    std::vector<PairSender::Event> events;
    for (Instant now; now < Instant::Never(); now = pair.NextEvent())
    {
        pair.Advance(now);
        pair.SetRate(now, 1);
        pair.TakeEvents(events);
        if (!events.empty() && events.back().kind == Kind::Left)
        {
            return now.ToNanoseconds();
        }
    }
    return -1;
}

TEST(MakePairSender, WithoutAWindowAllGoesAtOnce)
{
    AnalyticPath path;
    path.connections = 4;
    path.roundTrip = Duration::Milliseconds(20);
    const auto pair = MakePairSender(path);
    pair->Stripe(1, 100000, 10);
    EXPECT_EQ(EndOf(*pair), 100000);
    EXPECT_EQ(pair->LongestHold(), Duration());
    EXPECT_TRUE(pair->GiveConnections().empty());
}

TEST(MakePairSender, WithAWindowAHandshakeComesFirst)
{
    AnalyticPath path;
    path.segment = Bytes::Of(1000);
    path.window = Bytes::Of(1000000);
    path.delay = Duration::Milliseconds(10);
    path.roundTrip = Duration::Milliseconds(20);
    const auto pair = MakePairSender(path);
    pair->Queue(1, 1000, 0);
    EXPECT_EQ(EndOf(*pair), 20001000);
}

TEST(MakePairSender, ConnectionsThatWereTakenOverAreWarm)
{
    AnalyticPath path;
    path.segment = Bytes::Of(1000);
    path.initialWindow = Bytes::Of(10000);
    path.window = Bytes::Of(1000000);
    path.delay = Duration::Milliseconds(10);
    path.roundTrip = Duration::Milliseconds(20);
    const auto first = MakePairSender(path);
    first->QueueForAll(1, 100000);
    const Duration end = Duration::Nanoseconds(EndOf(*first));
    const auto second = MakePairSender(path);
    second->TakeConnections(first->GiveConnections(), end);
    second->Stripe(1, 100000, 1);
    // The window of 10,000 + 100,000 goes at twice its size per round trip.
    EXPECT_NEAR(static_cast<double>(EndOf(*second)), 20e6 / 2.2, 2e6);
}

} // namespace
} // namespace geotrain
