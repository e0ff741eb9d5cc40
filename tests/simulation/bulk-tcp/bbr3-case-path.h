// SPDX-License-Identifier: GPL-2.0-only
// Lays the path of the test cases of draft-ietf-ccwg-bbr-06, appendix A: one TcpBbr3 over a
// bottleneck whose rate, queue, losses and batching a case may change at any time, and an
// application that may stop sending.
#pragma once

#include "bulk-tcp/helper/express-flows.h"
#include "bulk-tcp/model/tcp-bbr3.h"
#include "express-path-helper.h"
#include "wan-topology/model/policer.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/// A CaseBottleneck is a FIFO with a limit on the time that a packet waits.
class CaseBottleneck : public PacketElement
{
  public:
    CaseBottleneck(double mbps, double bufferMs, PacketElement& next);

    void Receive(const PacketRecord& record) override;

    double mbps;       ///< of what is sent from now on
    double bufferMs;   ///< packets that would wait longer are dropped
    double slotMs = 0; ///< packets leave together at multiples of it; 0: each when it is sent
    std::optional<Policer> policer;
    std::function<bool(const PacketRecord&)> drops;     ///< may be empty
    std::function<double(const PacketRecord&)> delayMs; ///< more delay; may be empty
    std::uint64_t dropped = 0;                          ///< packets
    std::uint64_t passed = 0;                           ///< packets

    double BacklogMs() const;

  private:
    void ServeNext();
    void Release(const PacketRecord& record);

    PacketElement& m_next;
    std::deque<PacketRecord> m_queue; ///< the first one is being sent
    std::uint64_t m_queuedBytes = 0;
};

/// WatchedBbr3 tells of each acknowledgement that it has taken.
class WatchedBbr3 : public TcpBbr3
{
  public:
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& connection,
                     const TcpRateOps::TcpRateSample& sample) override;

    std::function<void()> afterAck;
};

/// A Bbr3Case is one connection of segments with 1,448 bytes of payload in packets of 1,500.
class Bbr3Case
{
  public:
    using Phase = TcpBbr3::Phase;

    struct Path
    {
        double mbps = 100;
        double rttMs = 40;
        double bufferMs = 80; ///< two bandwidth-delay products
    };

    struct Transition
    {
        double seconds;
        Phase from;
        Phase to;
    };

    static constexpr std::uint32_t s_segment = 1448;
    static constexpr double s_payload = 1448.0 / 1500; ///< share of the packets

    explicit Bbr3Case(const Path& path, std::int64_t stream = 1);
    ~Bbr3Case();
    Bbr3Case(const Bbr3Case&) = delete;
    Bbr3Case& operator=(const Bbr3Case&) = delete;

    /// The application has more to send than the window allows, sends at a rate, or sends nothing.
    void FeedAll();
    void FeedAt(double mbps);
    void FeedNothing();

    /// Sends `bytes` at once, beside what the feeding sends.
    void Append(std::uint64_t bytes);

    /// Runs until `isTrue`, which is asked after each acknowledgement. Returns false if that takes
    /// longer than `seconds`.
    bool RunUntil(const std::function<bool()>& isTrue, double seconds);
    bool RunUntil(Phase phase, double seconds);

    /// Runs until the phase changes from `from` to another one.
    bool RunUntilLeaves(Phase from, double seconds);
    void RunFor(double seconds);

    /// Calls `look` after each acknowledgement from now on.
    void Watch(const std::function<void()>& look);

    CaseBottleneck& Bottleneck();
    const TcpBbr3& Control() const;
    const TcpSocketState& State() const;
    const BulkSender& Sender() const;
    double NowS() const;
    bool HasBeenIn(Phase phase, double sinceS) const;

    // All of these are payload.
    double Capacity() const;        ///< bit/s
    double ReceivedBits() const;    ///< since the beginning
    std::uint64_t Inflight() const; ///< Inflight(1.0) with BBR.bw, bytes
    std::uint64_t Headroom() const; ///< InflightWithHeadroom(), bytes
    std::uint64_t Bdp() const;      ///< BBR.bdp, bytes

    std::vector<Transition> transitions;

  private:
    void AfterAck();
    void Feed();

    ExpressPathHelper m_path;
    CaseBottleneck* m_bottleneck = nullptr;
    Ptr<WatchedBbr3> m_control = CreateObject<WatchedBbr3>();
    std::function<bool()> m_isTrue;
    std::function<void()> m_look;
    bool m_found = false;
    Phase m_phase = Phase::Startup;
    std::uint64_t m_appended = 0;
    bool m_feedsAll = false;
    double m_feedMbps = 0;
    double m_owed = 0; ///< bytes
};

} // namespace ns3
