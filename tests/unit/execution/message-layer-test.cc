// SPDX-License-Identifier: GPL-2.0-only
// Tests handles of messages that are cancelled before, during and after, that fail once, or whose
// layer is destroyed.
#include "execution/message-layer.h"

#include "execution/spatial-sharing.h"
#include "execution/temporal-sharing.h"
#include "manual-network.h"
#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(MessageLayer, AMessageThatIsCancelledOnTheWayTellsNothingMore)
{
    // On the analytic network, which spreads messages by itself: 25 MB take 40 ms and 20 ms on the
    // way.
    for (const double atSeconds : {0.0, 0.010, 0.030, 0.059})
    {
        AnalyticNetwork network(TwoDataCentres().Topology());
        MessageLayer layer(network);
        std::vector<TransferEvent::Kind> heard;
        const MessageHandle message =
            layer.Send(0,
                       4,
                       Bytes::Of(25000000),
                       [&heard](const TransferEvent& event) { heard.push_back(event.kind); });
        std::size_t heardBefore = 0;
        network.GetClock().Schedule(Instant() + Duration::Seconds(atSeconds),
                                    [&]
                                    {
                                        heardBefore = heard.size();
                                        layer.Cancel(message);
                                    });
        network.GetClock().Run(Instant::Never());
        EXPECT_EQ(heard.size(), heardBefore) << atSeconds;
        EXPECT_EQ(heardBefore, (atSeconds > 0.040 ? 1u : 0u) + (atSeconds > 0.020 ? 1u : 0u));
    }
}

TEST(MessageLayer, CancellingAMessageThatHasEndedDoesNothing)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    MessageLayer layer(network);
    HeardEvents first;
    const MessageHandle ended = layer.Send(0, 4, Bytes::Of(1000), first.Listener());
    network.GetClock().Run(Instant::Never());
    HeardEvents second; // its state may lie where the first one's lay
    layer.Send(0, 4, Bytes::Of(1000), second.Listener());
    layer.Cancel(ended);
    network.GetClock().Run(Instant::Never());
    EXPECT_EQ(first.at.count(TransferEvent::Kind::Delivered), 1u);
    EXPECT_EQ(second.at.count(TransferEvent::Kind::Delivered), 1u);
}

TEST(MessageLayer, AMessageMayBeCancelledByItsOwnCallback)
{
    ManualNetwork network;
    MessageLayer layer(network);
    int calls = 0;
    MessageHandle message;
    message = layer.Send(0,
                         1,
                         Bytes::Of(10),
                         [&](const TransferEvent&)
                         {
                             ++calls;
                             layer.Cancel(message);
                         });
    network.Tell(0, TransferEvent::Kind::FirstByte);
    EXPECT_TRUE(network.IsCancelled(0));
    EXPECT_EQ(calls, 1);
}

TEST(MessageLayer, ACopyInsideANodeCanBeCancelled)
{
    ManualNetwork network;
    MessageLayer layer(network);
    HeardEvents heard;
    layer.Cancel(layer.Send(3, 3, Bytes::Of(10), heard.Listener()));
    network.GetClock().Run(Instant::Never());
    EXPECT_TRUE(heard.at.empty());
    EXPECT_TRUE(network.Calls().empty());
}

TEST(MessageLayer, ALayerThatGoesCancelsItsMessages)
{
    ManualNetwork network;
    const auto never = [](const TransferEvent&) { FAIL(); };
    {
        MessageLayer layer(network);
        layer.Send(0, 1, Bytes::Of(10), never);
        layer.Send(3, 3, Bytes::Of(10), never);
    }
    EXPECT_TRUE(network.IsCancelled(0));
    network.GetClock().Run(Instant::Never());
}

/// Makes two pipelines of two stages, whose second stages are on nodes 2 and 3 of another data
/// centre.
CellLayout
TwoPipelines()
{
    CellLayout layout;
    layout.stages = 2;
    layout.cellSize = 2;
    layout.nodeOfWorker = {0, 2, 1, 3};
    layout.dataCenterOfNode = {0, 0, 1, 1};
    return layout;
}

Message
ActivationOf(std::uint32_t pipeline)
{
    Message message;
    message.sender = 2 * pipeline;
    message.receiver = 2 * pipeline + 1;
    message.source = pipeline;
    message.destination = 2 + pipeline;
    message.size = Bytes::Of(20);
    return message;
}

class Turns : public ::testing::Test
{
  protected:
    /// Delivers what is on its way, and what follows from it, until nothing is left.
    void DeliverAll()
    {
        for (std::size_t call = 0; call < network.Calls().size(); ++call)
        {
            if (!network.IsCancelled(call) && delivered.insert(call).second)
            {
                network.Deliver(call);
                network.GetClock().Run(Instant::Never());
            }
        }
    }

    MessageCarrier::Handle Send(std::uint32_t pipeline)
    {
        return carrier.Send(ActivationOf(pipeline),
                            [this, pipeline](const MessageTimes&, const std::string& failure)
                            { told.emplace_back(pipeline, failure); });
    }

    using Told = std::vector<std::pair<std::uint32_t, std::string>>;

    ManualNetwork network;
    MessageLayer layer{network};
    TemporalSharing carrier{layer, TwoPipelines(), Duration()};
    std::set<std::size_t> delivered;
    Told told;
};

TEST_F(Turns, AMessageThatIsCancelledInItsTurnPassesItOn)
{
    const auto first = Send(0);
    Send(1);
    network.GetClock().Run(Instant::Never()); // the turn is given
    carrier.Cancel(first);
    network.GetClock().Run(Instant::Never());
    DeliverAll();
    EXPECT_EQ(told, (Told{{1, ""}}));
}

TEST_F(Turns, AMessageThatIsCancelledWhileItWaitsIsPassedOver)
{
    Send(0);
    carrier.Cancel(Send(1));
    network.GetClock().Run(Instant::Never());
    DeliverAll();
    EXPECT_EQ(told, (Told{{0, ""}}));
    Send(1);
    network.GetClock().Run(Instant::Never());
    DeliverAll();
    EXPECT_EQ(told, (Told{{0, ""}, {1, ""}}));
}

TEST_F(Turns, TheLastWaitingMessageMayBeCancelledBeforeItsTurn)
{
    carrier.Cancel(Send(0)); // before the event that gives the turn
    network.GetClock().Run(Instant::Never());
    Send(1);
    network.GetClock().Run(Instant::Never());
    DeliverAll();
    EXPECT_EQ(told, (Told{{1, ""}}));
}

TEST_F(Turns, AFailedPartFailsItsMessageOnceAndTheNextHasTheTurn)
{
    Send(0);
    Send(1);
    network.GetClock().Run(Instant::Never());
    network.Tell(0, TransferEvent::Kind::Failed); // the scatter of pipeline 0
    EXPECT_EQ(told, (Told{{0, "reset"}}));
    network.GetClock().Run(Instant::Never());
    DeliverAll();
    EXPECT_EQ(told, (Told{{0, "reset"}, {1, ""}}));
}

TEST_F(Turns, AMessageInsideADataCentreHasAHandleToo)
{
    Message message = ActivationOf(0);
    message.destination = 1;
    const auto handle =
        carrier.Send(message, [](const MessageTimes&, const std::string&) { FAIL(); });
    const auto other = Send(1);
    carrier.Cancel(handle);
    EXPECT_TRUE(network.IsCancelled(0));
    carrier.Cancel(other);
    carrier.Cancel(other);
}

TEST(SpatialSharing, ACancelledMessageIsNotHeardOf)
{
    ManualNetwork network;
    MessageLayer layer(network);
    SpatialSharing carrier(layer);
    const auto never = [](const MessageTimes&, const std::string&) { FAIL(); };
    const auto handle = carrier.Send(ActivationOf(0), never);
    network.Tell(0, TransferEvent::Kind::FirstByte);
    carrier.Cancel(handle);
    EXPECT_TRUE(network.IsCancelled(0));
    carrier.Cancel(handle);
    {
        SpatialSharing other(layer);
        other.Send(ActivationOf(1), never);
    }
    EXPECT_TRUE(network.IsCancelled(1)); // a carrier that goes cancels its messages
}

} // namespace
} // namespace geotrain
