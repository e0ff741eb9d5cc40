// SPDX-License-Identifier: GPL-2.0-only
// Sequence numbers wrap on the way, over 4 GB of stream between either kind of end.
// segment-codec-test.cc has the quick tests of the wrap itself.
#include "two-ends.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <string>
#include <utility>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using Kind = TwoEnds::Kind;

class SequenceWrap : public testing::TestWithParam<std::pair<Kind, Kind>>
{
  public:
    ~SequenceWrap() override
    {
        Simulator::Destroy();
    }
};

TEST_P(SequenceWrap, MoreThanFourGigabytesArriveUnderLoss)
{
    TwoEnds::Setup setup;
    setup.connector = GetParam().first;
    setup.acceptor = GetParam().second;
    setup.options.congestionControl = "TcpNewReno";
    setup.link.name = "wrap";
    setup.size = 4600000000; // above 2^32
    setup.checked = false;
    setup.options.mtu = Bytes::Of(65535);
    setup.options.window = Bytes::Of(16000000);
    setup.link.rate = BitRate::GigabitsPerSecond(10);
    setup.link.delay = Duration::Microseconds(500);
    setup.link.lossRate = 1e-4;
    TwoEnds ends(setup);
    ends.Run();
    EXPECT_FALSE(ends.failed);
    EXPECT_EQ(ends.read, setup.size);
}

INSTANTIATE_TEST_SUITE_P(Ends,
                         SequenceWrap,
                         testing::Values(std::pair(Kind::Bulk, Kind::Bulk),
                                         std::pair(Kind::Bulk, Kind::Stock),
                                         std::pair(Kind::Stock, Kind::Bulk)),
                         [](const testing::TestParamInfo<std::pair<Kind, Kind>>& parameter)
                         {
                             return std::string(parameter.param.first == Kind::Bulk ? "Bulk"
                                                                                    : "Stock") +
                                    "To" +
                                    (parameter.param.second == Kind::Bulk ? "Bulk" : "Stock");
                         });

} // namespace
