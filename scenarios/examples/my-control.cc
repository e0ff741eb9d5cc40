// SPDX-License-Identifier: GPL-2.0-only
// A congestion control of one's own, loaded by geotrain: additive increase and multiplicative
// decrease with any two constants (GAIMD; Yang, Lam, ICNP 2000). A round trip without loss adds
// `Increase` segments to the window, and a loss leaves `Decrease` of it. Reno has 1 and 0.5; the
// defaults take their share of it at the same loss by Increase = 3 (1 - Decrease) / (1 + Decrease).
//
//   g++ -std=c++17 -O2 -shared -fPIC my-control.cc -o my-control.so
//   geotrain list congestion-controls --load ./my-control.so
//   geotrain transfer --bytes 20MB --rate 1Gbps --rtt 40ms --loss 1e-4 --load ./my-control.so
//       --congestion-control TcpAimd --ns3 example::TcpAimd::Increase=1
//
// A class may also derive from a control of geotrain's (`#include "bulk-tcp/model/tcp-bbr3.h"`):
// add -I/usr/include/geotrain where the package is installed, or -Ins3-modules -Icompute-model in
// the source tree.
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <algorithm>
#include <cmath>

namespace example
{

using ns3::Ptr;
using ns3::TcpSocketState;

/// TcpAimd is the control. Every connection has an object of its own.
class TcpAimd : public ns3::TcpCongestionOps
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static const ns3::TypeId type =
            ns3::TypeId("example::TcpAimd")
                .SetParent<ns3::TcpCongestionOps>()
                .AddConstructor<TcpAimd>()
                .AddAttribute("Increase",
                              "Segments that a round trip without loss adds",
                              ns3::DoubleValue(0.2),
                              ns3::MakeDoubleAccessor(&TcpAimd::m_increase),
                              ns3::MakeDoubleChecker<double>(0))
                .AddAttribute("Decrease",
                              "Share of the window that a loss leaves",
                              ns3::DoubleValue(0.875),
                              ns3::MakeDoubleAccessor(&TcpAimd::m_decrease),
                              ns3::MakeDoubleChecker<double>(0, 1));
        return type;
    }

    std::string GetName() const override
    {
        return "TcpAimd";
    }

    /// Called for each acknowledgement of new data.
    void IncreaseWindow(Ptr<TcpSocketState> tcb, std::uint32_t segmentsAcked) override
    {
        const std::uint32_t segment = tcb->m_segmentSize;
        const std::uint32_t window = tcb->m_cWnd;
        if (window < tcb->m_ssThresh)
        {
            tcb->m_cWnd = std::min(window + segmentsAcked * segment, tcb->m_ssThresh.Get());
            return;
        }
        // A round trip acknowledges window / segment segments.
        m_growth += m_increase * segmentsAcked * segment / window;
        const double whole = std::floor(m_growth);
        tcb->m_cWnd = window + static_cast<std::uint32_t>(whole) * segment;
        m_growth -= whole;
    }

    /// Returns the window after a loss; the engine sets it.
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t bytesInFlight) override
    {
        const auto left = static_cast<std::uint32_t>(m_decrease * bytesInFlight);
        return std::max(left, 2 * tcb->m_segmentSize);
    }

    Ptr<ns3::TcpCongestionOps> Fork() override
    {
        return ns3::CopyObject<TcpAimd>(this);
    }

  private:
    double m_increase; ///< segments
    double m_decrease;
    double m_growth = 0; ///< what is still missing to a whole segment, in segments
};

NS_OBJECT_ENSURE_REGISTERED(TcpAimd);

} // namespace example
