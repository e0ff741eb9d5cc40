// SPDX-License-Identifier: GPL-2.0-only
// BoundedCongestionOps hands everything on and bounds the window; ns-3's controls work behind it.
#include "network-fixture.h"

#include "training-network/model/bounded-congestion-ops.h"
#include "units/config-error.h"

namespace ns3
{
namespace
{

/// A NotingControl records its calls, and doubles the window at each.
class NotingControl : public TcpCongestionOps
{
  public:
    std::string GetName() const override
    {
        return "Noting";
    }

    void Init(Ptr<TcpSocketState> tcb) override
    {
        Note(tcb, "Init");
    }

    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> /*tcb*/, std::uint32_t inFlight) override
    {
        calls.push_back("GetSsThresh");
        return inFlight / 2;
    }

    void IncreaseWindow(Ptr<TcpSocketState> tcb, std::uint32_t /*segments*/) override
    {
        Note(tcb, "IncreaseWindow");
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, std::uint32_t /*segments*/, const Time& /*rtt*/) override
    {
        Note(tcb, "PktsAcked");
    }

    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t /*state*/) override
    {
        Note(tcb, "CongestionStateSet");
    }

    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t /*event*/) override
    {
        Note(tcb, "CwndEvent");
    }

    bool HasCongControl() const override
    {
        return true;
    }

    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& /*connection*/,
                     const TcpRateOps::TcpRateSample& /*sample*/) override
    {
        Note(tcb, "CongControl");
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        calls.push_back("Fork");
        return CopyObject<NotingControl>(this);
    }

    std::vector<std::string> calls;

  private:
    void Note(Ptr<TcpSocketState> tcb, const std::string& call)
    {
        calls.push_back(call);
        tcb->m_cWnd = tcb->m_cWnd * 2;
    }
};

TEST(BoundedCongestionOpsTest, HandsEverythingOnAndBoundsTheWindow)
{
    const auto hosted = CreateObject<NotingControl>();
    const auto bounded = CreateObject<BoundedCongestionOps>(hosted, 1000);
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_cWnd = 300;
    bounded->Init(tcb);
    EXPECT_EQ(tcb->m_cWnd, 600u);
    EXPECT_EQ(bounded->State(), tcb);
    bounded->IncreaseWindow(tcb, 1);
    EXPECT_EQ(tcb->m_cWnd, 1000u);
    bounded->PktsAcked(tcb, 1, Seconds(1));
    EXPECT_EQ(tcb->m_cWnd, 1000u);
    bounded->CongestionStateSet(tcb, TcpSocketState::CA_RECOVERY);
    EXPECT_EQ(tcb->m_cWnd, 1000u);
    bounded->CwndEvent(tcb, TcpSocketState::CA_EVENT_LOSS);
    EXPECT_EQ(tcb->m_cWnd, 1000u);
    bounded->CongControl(tcb, {}, {});
    EXPECT_EQ(tcb->m_cWnd, 1000u);
    EXPECT_EQ(bounded->GetSsThresh(tcb, 500), 250u);
    EXPECT_EQ(bounded->GetName(), "Noting");
    EXPECT_TRUE(bounded->HasCongControl());
    EXPECT_EQ(bounded->Fork()->GetName(), "Noting");
    const std::vector<std::string> expected{"Init",
                                            "IncreaseWindow",
                                            "PktsAcked",
                                            "CongestionStateSet",
                                            "CwndEvent",
                                            "CongControl",
                                            "GetSsThresh",
                                            "Fork"};
    EXPECT_EQ(hosted->calls, expected);
}

class ControlTest : public NetworkTest, public testing::WithParamInterface<std::string>
{
};

// rate = window / RTT where the window limits. 20 %: slow start in the first of 1.2 s, and BBR's
// probing.
TEST_P(ControlTest, FillsTheWindowOnACleanPath)
{
    TwoSites sites;
    sites.roundTrip = geotrain::Duration::Milliseconds(10);
    transport.congestionControl = GetParam();
    transport.window = geotrain::Bytes::Of(500000);
    Install(sites.Build());
    constexpr std::int64_t SIZE = 60000000;
    Send(SIZE);
    Run();
    ASSERT_EQ(delivered.size(), 1u);
    EXPECT_GT(SIZE / delivered[0].at.ToSeconds(), 0.8 * 500000 / 0.010);
    network->CheckConservation();
}

INSTANTIATE_TEST_SUITE_P(Ns3,
                         ControlTest,
                         testing::Values("TcpNewReno",
                                         "ns3::TcpLinuxReno",
                                         "TcpCubic",
                                         "TcpBbr",
                                         "TcpBic",
                                         "TcpDctcp",
                                         "TcpHighSpeed",
                                         "TcpHtcp",
                                         "TcpHybla",
                                         "TcpIllinois",
                                         "TcpScalable",
                                         "TcpVeno",
                                         "TcpWestwood",
                                         "TcpYeah"),
                         [](const auto& test)
                         {
                             const auto colon = test.param.rfind(':');
                             return colon == std::string::npos ? test.param
                                                               : test.param.substr(colon + 1);
                         });

class SettingsTest : public NetworkTest
{
  protected:
    std::string ErrorOf()
    {
        bearer = MakeBearer("stock", TwoSites{}.Build());
        try
        {
            bearer->MakeTransport(transport);
        }
        catch (const geotrain::ConfigError& error)
        {
            return error.what();
        }
        return "";
    }
};

TEST_F(SettingsTest, UnknownCongestionControlIsRefused)
{
    transport.congestionControl = "TcpMagic";
    EXPECT_EQ(
        ErrorOf(),
        "congestion_control: \"TcpMagic\" is no congestion control, such as TcpCubic; `geotrain "
        "list congestion-controls` has them all");
}

TEST_F(SettingsTest, AnotherTypeIsNoCongestionControl)
{
    transport.congestionControl = "ns3::Node";
    EXPECT_NE(ErrorOf().find("congestion_control: \"ns3::Node\""), std::string::npos);
}

TEST_F(SettingsTest, WindowBelowASegmentIsRefused)
{
    transport.window = geotrain::Bytes::Of(8947);
    EXPECT_NE(ErrorOf().find("window: \"8947\" must be one segment (8948 bytes)"),
              std::string::npos);
}

TEST_F(SettingsTest, WindowBeyondTcpsScaleIsRefused)
{
    transport.window = geotrain::Bytes::Of((65535LL << 14) + 1);
    EXPECT_NE(ErrorOf().find("window:"), std::string::npos);
}

} // namespace
} // namespace ns3
