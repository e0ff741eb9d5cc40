// SPDX-License-Identifier: GPL-2.0-only
// Runs scenarios of bulk messages: times against formulas, warm and cold connections, rivals, and
// the contents of the summary.
#include "transfer-folder.h"

#include "trace/trace-reader.h"

namespace geotrain
{

namespace
{

constexpr double rate = 100e6;      // bit/s
constexpr double roundTrip = 0.020; // s
constexpr double messageBits = 8 * 2e6;
constexpr double wireShare = 1500.0 / 1448; // of a full packet and its payload

double
ValueOf(const Summary& summary, const char* metric)
{
    const auto value = summary.Find(metric);
    EXPECT_TRUE(value) << metric;
    return value.value_or(-1);
}

TEST_F(TransferFolder, AWarmMessageTakesItsTransmissionAndHalfARoundTrip)
{
    const auto summary = RunBulk({});
    // The window is twice the BDP, so the link never idles inside a message. 1 %: the last packet
    // is shorter, the NIC takes a packet's time too.
    const double expected = messageBits * wireShare / rate + roundTrip / 2;
    EXPECT_NEAR(ValueOf(summary, "completion_time_p50"), expected, 0.01 * expected);
    EXPECT_EQ(ValueOf(summary, "messages"), 5);
    EXPECT_EQ(ValueOf(summary, "retransmitted_share"), 0);
    EXPECT_NEAR(
        ValueOf(summary, "goodput"), messageBits / ValueOf(summary, "completion_time_mean"), 1);
    EXPECT_NEAR(
        ValueOf(summary, "goodput_over_capacity"), ValueOf(summary, "goodput") / rate, 1e-9);
    EXPECT_FALSE(summary.Find("jain_index"));
}

TEST_F(TransferFolder, AColdMessageWaitsForItsHandshakeAndSlowStart)
{
    const double warm = ValueOf(RunBulk({}), "completion_time_p50");
    const double cold = ValueOf(RunBulk({"transfer.cold=true"}), "completion_time_p50");
    // A round trip for the handshake; then 10 segments (14 kB) double to the BDP of 250 kB in 4 to
    // 5 round trips, of which less than half is sent meanwhile.
    EXPECT_GT(cold, warm + 3 * roundTrip);
    EXPECT_LT(cold, warm + 8 * roundTrip);
}

TEST_F(TransferFolder, AWindowAboveTheBdpStandsInTheQueue)
{
    const auto summary = RunBulk({"transfer.size=50MB", "transfer.messages=1"});
    // W / rate - RTT: 500 kB are 40 ms (payload; 41.4 on the wire), less the 20 ms. 10 %: the
    // beginning of the message finds the queue empty, and the window counts in whole segments.
    const double expected = 8 * 500e3 * wireShare / rate - roundTrip;
    EXPECT_NEAR(ValueOf(summary, "mean_queueing_delay"), expected, 0.1 * expected);
}

TEST_F(TransferFolder, ConnectionsOfOneControlShareFairly)
{
    const auto summary = RunBulk({"transport.connections=4", "transfer.messages=10"});
    EXPECT_GT(ValueOf(summary, "jain_index"), 0.9);
    EXPECT_LE(ValueOf(summary, "jain_index"), 1);
    const auto cold = RunBulk({"transport.connections=4", "transfer.cold=true"});
    EXPECT_GT(ValueOf(cold, "jain_index"), 0.5);
}

TEST_F(TransferFolder, WithEcnAMarkingQueueSlowsConnectionsAndLosesNothing)
{
    for (const char* bearer : {"EXPRESS", "DEVICE", "STOCK"})
    {
        // Slow start ends with a queue of up to a BDP (AWindowAboveTheBdpStandsInTheQueue); RED
        // begins at a tenth of it.
        const std::vector<std::string> drops{std::string("transport.bearer=") + bearer,
                                             "transport.congestion_control=TcpCubic",
                                             "transfer.cold=true",
                                             "transfer.size=20MB",
                                             "transfer.messages=1",
                                             "wan_link[0].red.min_threshold=0.1bdp",
                                             "wan_link[0].red.max_threshold=0.5bdp"};
        const double dropped = ValueOf(RunBulk(drops), "retransmitted_share");
        EXPECT_GT(dropped, 0.001) << bearer;
        auto marks = drops;
        marks.push_back("transport.ecn=true");
        const auto marked = RunBulk(marks);
        EXPECT_EQ(ValueOf(marked, "retransmitted_share"), 0) << bearer;
        // Unanswered marks would leave the window where it was, at 20 ms in the queue.
        EXPECT_LT(ValueOf(marked, "mean_queueing_delay"), 0.1 * roundTrip) << bearer;
        EXPECT_GT(ValueOf(marked, "goodput_over_capacity"), 0.5) << bearer;
    }
}

TEST_F(TransferFolder, ARateStepIsCountedFromWhenConnectionsAreWarm)
{
    const auto plain = RunBulk({});
    const auto late =
        RunBulk({"wan_link[0].rate_step[0].at=1h", "wan_link[0].rate_step[0].rate=1Gbps"});
    EXPECT_EQ(ValueOf(late, "completion_time_mean"), ValueOf(plain, "completion_time_mean"));
    // The three last messages are sent at half the rate, with the formula of
    // AWarmMessageTakesItsTransmissionAndHalfARoundTrip.
    const auto halved =
        RunBulk({"wan_link[0].rate_step[0].at=250ms", "wan_link[0].rate_step[0].rate=50Mbps"});
    const double expected = messageBits * wireShare / (rate / 2) + roundTrip / 2;
    EXPECT_NEAR(ValueOf(halved, "completion_time_p50"), expected, 0.01 * expected);
}

TEST_F(TransferFolder, AHeldOutageMakesOneMessageWaitForItsEnd)
{
    // The outage is shorter than the least RTO of 200 ms: nothing is lost, and the message takes
    // longer by its length. A tail loss probe (RFC 8985) sends one of 6,910 segments twice.
    const auto plain = RunBulk({});
    const auto held = RunBulk({"wan_link[0].outage[0].begin=50ms",
                               "wan_link[0].outage[0].end=150ms",
                               "wan_link[0].outage[0].hold=true"});
    EXPECT_LE(ValueOf(held, "retransmitted_share"), 1.01 / 6910);
    EXPECT_NEAR(5 * ValueOf(held, "completion_time_mean"),
                5 * ValueOf(plain, "completion_time_mean") + 0.1,
                0.002);
}

TEST_F(TransferFolder, AnOutageLosesWhatIsSentInIt)
{
    const auto summary =
        RunBulk({"wan_link[0].outage[0].begin=50ms", "wan_link[0].outage[0].end=1050ms"});
    EXPECT_GT(ValueOf(summary, "retransmitted_share"), 0);
    // The first message ends after the outage: after at most a doubled RTO, and then its window
    // grows from the beginning.
    EXPECT_GT(ValueOf(summary, "completion_time_p99"), 1.05);
    EXPECT_LT(ValueOf(summary, "completion_time_p99"), 3);
}

TEST_F(TransferFolder, EveryBearerCarriesImpairments)
{
    for (const char* bearer : {"EXPRESS", "DEVICE", "STOCK"})
    {
        SCOPED_TRACE(bearer);
        const auto summary = RunBulk({std::string("transport.bearer=") + bearer,
                                      "transport.congestion_control=TcpDctcp",
                                      "wan_link[0].codel.target=2ms",
                                      "wan_link[0].policer.rate=90Mbps",
                                      "wan_link[0].burst_loss.enter=0.0005",
                                      "wan_link[0].burst_loss.leave=0.5",
                                      "wan_link[0].jitter.mean=100us",
                                      "wan_link[0].jitter.deviation=100us",
                                      "wan_link[0].jitter.reorder=true",
                                      "wan_link[0].duplication=0.01",
                                      "wan_link[0].rate_step[0].at=500ms",
                                      "wan_link[0].rate_step[0].rate=200Mbps",
                                      "wan_link[0].outage[0].begin=300ms",
                                      "wan_link[0].outage[0].end=320ms"});
        EXPECT_EQ(ValueOf(summary, "messages"), 5);
        EXPECT_GT(ValueOf(summary, "retransmitted_share"), 0);
    }
}

TEST_F(TransferFolder, ARivalTakesItsPartOfTheLink)
{
    const auto alone = RunBulk({});
    const auto shared = RunBulk({"transfer.rival=TcpNewReno", "transfer.messages=20"});
    EXPECT_GT(ValueOf(shared, "completion_time_p50"), ValueOf(alone, "completion_time_p50"));
    const double own = ValueOf(shared, "goodput_over_capacity");
    const double rivals = ValueOf(shared, "rival_goodput_over_capacity");
    EXPECT_LE(own + rivals, 1.0 + 1e-6);
    EXPECT_GT(own + rivals, 0.85);
    // Jain's index of two shares, (a + b)^2 / (2 (a^2 + b^2)): 1/2 to 1.
    EXPECT_GT(ValueOf(shared, "jain_index_rival"), 0.7);
    EXPECT_LE(ValueOf(shared, "jain_index_rival"), 1.0);
}

TEST_F(TransferFolder, LossIsRetransmittedAndNothingElse)
{
    const auto summary = RunBulk({"wan_link[0].loss=0.01", "transfer.messages=20"});
    // 40 MB in 27,624 packets, of which 1 % are lost: 0.01 / (1 - 0.01) of the payload again, six
    // standard deviations (sqrt(276) / 276) around it; spurious retransmissions of tail loss probes
    // only add.
    EXPECT_NEAR(ValueOf(summary, "retransmitted_share"), 0.0101, 0.0045);
}

TEST_F(TransferFolder, TheSameSeedGivesTheSameTraceAndAnotherSeedAnother)
{
    const std::vector<std::string> lossy{
        "wan_link[0].loss=0.01", "transport.congestion_control=TcpBbr3", "transport.connections=3"};
    RunBulk(lossy);
    const auto first = Trace();
    RunBulk(lossy);
    EXPECT_EQ(Trace(), first);
    auto other = lossy;
    other.push_back("run.seed=2");
    RunBulk(other);
    EXPECT_NE(Trace(), first);
}

TEST_F(TransferFolder, SamplesAreTakenOnlyWhileBytesAreOutstanding)
{
    RunBulk({"transfer.gap=10s", "transfer.messages=3"});
    TraceReader reader((m_run / "trace.pb").string());
    int samples = 0;
    while (const auto record = reader.Next())
    {
        samples += record->has_flow_sample() ? 1 : 0;
    }
    // 10 ms apart: three messages of some 0.2 s (after a pause they begin small), not 20 s of
    // pauses.
    EXPECT_GT(samples, 30);
    EXPECT_LT(samples, 200);
}

TEST_F(TransferFolder, EveryBearerCarriesTheMessages)
{
    const double express = ValueOf(RunBulk({}), "completion_time_p50");
    const double stock = ValueOf(RunBulk({"transport.bearer=STOCK"}), "completion_time_p50");
    EXPECT_NEAR(stock, express, 0.02 * express); // other delayed acknowledgements and headers
}

TEST_F(TransferFolder, StockSocketsHaveTheirEqualsOfTheTransportsFields)
{
    // Losses end in timeouts, and a first segment alone waits for its delayed acknowledgement.
    const std::vector<std::string> common{"transport.bearer=STOCK",
                                          "transfer.cold=true",
                                          "transfer.messages=1",
                                          "transfer.size=500kB",
                                          "wan_link[0].outage[0].begin=120ms",
                                          "wan_link[0].outage[0].end=500ms"};
    const auto with = [this, &common](const std::vector<std::string>& more)
    {
        std::vector<std::string> sets = common;
        sets.insert(sets.end(), more.begin(), more.end());
        return ValueOf(RunBulk(sets), "completion_time_mean");
    };
    const double usual = with({});
    EXPECT_EQ(with({"transport.initial_window=10",
                    "transport.min_rto=200ms",
                    "transport.delayed_ack=2",
                    "transport.delayed_ack_timeout=40ms",
                    "transport.pacing=false"}),
              usual);
    EXPECT_LT(with({"transport.initial_window=40"}), usual);
    EXPECT_NE(with({"transport.min_rto=900ms"}), usual);
    EXPECT_NE(with({"transport.delayed_ack=8"}), usual);
    EXPECT_NE(with({"transport.pacing=true"}), usual);
    const double alone = with({"transport.initial_window=1"});
    EXPECT_NE(with({"transport.initial_window=1", "transport.delayed_ack_timeout=200ms"}), alone);
}

TEST_F(TransferFolder, ADeadlineLeavesAnUnfinishedRunThatSaysSo)
{
    try
    {
        RunBulk({"run.deadline=300ms"});
        FAIL() << "it finished";
    }
    catch (const UnfinishedRun& unfinished)
    {
        EXPECT_STREQ(unfinished.what(),
                     "the simulation did not finish by its deadline of 0.3 s "
                     "(--set run.deadline=TIME sets another) at 0.300000 s of simulated time:\n"
                     "1 of 5 messages delivered");
    }
}

} // namespace

} // namespace geotrain
