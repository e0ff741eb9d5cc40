// Bulk messages as a scenario: times against formulas, warm and cold, rivals, and what the summary holds.
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
    // The window is twice the BDP, so the link never idles inside a message. 1 %: the last packet is shorter, the NIC
    // takes a packet's time too.
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
    // A round trip for the handshake; then 10 segments (14 kB) double to the BDP of 250 kB in 4 to 5 round trips, of which
    // less than half is sent meanwhile.
    EXPECT_GT(cold, warm + 3 * roundTrip);
    EXPECT_LT(cold, warm + 8 * roundTrip);
}

TEST_F(TransferFolder, AWindowAboveTheBdpStandsInTheQueue)
{
    const auto summary = RunBulk({"transfer.size=50MB", "transfer.messages=1"});
    // W / rate - RTT: 500 kB are 40 ms (payload; 41.4 on the wire), less the 20 ms. 10 %: the beginning of the message finds
    // the queue empty, and the window counts in whole segments.
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
    // 40 MB in 27,624 packets, of which 1 % are lost: 0.01 / (1 - 0.01) of the payload again, six standard deviations
    // (sqrt(276) / 276) around it; spurious retransmissions of tail loss probes only add.
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
    // 10 ms apart: three messages of some 0.2 s (after a pause they begin small), not 20 s of pauses.
    EXPECT_GT(samples, 30);
    EXPECT_LT(samples, 200);
}

TEST_F(TransferFolder, EveryBearerCarriesTheMessages)
{
    const double express = ValueOf(RunBulk({}), "completion_time_p50");
    const double stock = ValueOf(RunBulk({"transport.bearer=STOCK"}), "completion_time_p50");
    EXPECT_NEAR(stock, express, 0.02 * express); // other delayed acknowledgements and headers
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
                     "the simulation did not finish: 1 of 5 messages were delivered");
    }
}

} // namespace

} // namespace geotrain
