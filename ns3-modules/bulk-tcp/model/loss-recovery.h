// SPDX-License-Identifier: GPL-2.0-only
// How a sender finds losses and repairs them: what is lost, how much is in flight, what is sent
// again, and when the congestion state changes. RackRecovery is the real one (RFC 8985);
// StockRecovery does as ns-3's sockets do and serves comparison with them. A function of times and
// acknowledgements: it sends nothing and schedules nothing.
#pragma once

#include "bulk-tcp/model/scoreboard.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <optional>

namespace ns3
{

class LossRecovery : protected Scoreboard::Listener
{
  public:
    using Segment = Scoreboard::Segment;
    using Progress = Scoreboard::Progress;

    /// What the congestion state does about an acknowledgement.
    enum class Reaction
    {
        None,
        Reduce, ///< goes on with the reduction of the window that is in work
        Enter   ///< enters recovery
    };

    /// What the reaction to an acknowledgement depends on.
    struct Situation
    {
        TcpSocketState::TcpCongState_t state; ///< before this acknowledgement
        std::uint64_t sackedBytes;            ///< newly
        std::uint32_t delivered;              ///< bytes, newly
        std::uint32_t duplicates;             ///< acknowledgements in a row that only SACK
        std::uint64_t recover; ///< the first byte never sent when recovery was entered last
        bool hasEntered;       ///< by this acknowledgement already
    };

    const Scoreboard& Board() const
    {
        return m_board;
    }

    DeliveryRate& Rate()
    {
        return m_rate;
    }

    /// Bytes that are thought to be on the way.
    std::uint64_t InFlight() const
    {
        return m_inFlight;
    }

    /// SND.NXT of RFC 9293: what follows the segment sent last, as hosted controls are told.
    std::uint64_t NextTx() const
    {
        return m_nextTx;
    }

    /// New data goes out.
    void OnSent(std::int64_t nowNs, std::uint32_t length)
    {
        m_board.Append(nowNs, length, m_rate.OnSent(nowNs, m_inFlight == 0));
        m_inFlight += length;
        m_nextTx = m_board.HighTx();
    }

    Progress OnAck(std::int64_t nowNs, const PacketRecord& ack);

    /// Marks what is lost and gives how many bytes; NextDetectionNs() says when to look again.
    std::uint64_t DetectLosses(std::int64_t nowNs, bool inRecovery, std::int64_t minRttNs);

    std::optional<std::int64_t> NextDetectionNs() const
    {
        return m_nextDetectionNs < 0 ? std::nullopt : std::optional(m_nextDetectionNs);
    }

    /// After a retransmission timeout: everything that is not SACKed is lost.
    void OnTimeout();

    /// A segment is sent again; true where the retransmission timeout starts anew with it.
    bool OnRetransmitted(Segment& segment, std::int64_t nowNs);

    /// The lost segment that is to be sent next, null if there is none.
    Segment* NextLost()
    {
        return m_board.NextLost();
    }

    /// The segment sent last that is not SACKed; null if nothing is outstanding.
    Segment* Last()
    {
        return m_board.Last();
    }

    /// What to send again in recovery where there is no new data and nothing is known to be lost;
    /// null for nothing.
    virtual Segment* NextDoubtful()
    {
        return nullptr;
    }

    /// The retransmission of `segment` was one that the window allowed.
    virtual void OnSentAgain(const Segment& /*segment*/)
    {
    }

    virtual Reaction React(const Situation& situation) = 0;

    /// Bytes lost as a rate sample tells of them, of `lost` found by this acknowledgement and
    /// `notRepairedBefore` it.
    virtual std::uint64_t LostOfSample(std::uint64_t lost,
                                       std::uint64_t notRepairedBefore) const = 0;

    /// Whether a cumulative acknowledgement leaves the retransmission timeout as it is. `again`: it
    /// is not the first one of this recovery.
    virtual bool KeepsTimeout(TcpSocketState::TcpCongState_t state, bool again) const = 0;

    /// Whether a retransmission timeout in `state` is the first one of its loss, which reduces the
    /// threshold.
    virtual bool IsFirstTimeout(TcpSocketState::TcpCongState_t state) const = 0;

  protected:
    /// `rate` belongs to the derived class.
    explicit LossRecovery(DeliveryRate& rate)
        : m_board(*this),
          m_rate(rate)
    {
    }

    // What an implementation adds to the functions above. Each ends with SetInFlight().
    virtual void AfterAck(const PacketRecord& ack) = 0;
    virtual void Detect(std::int64_t nowNs, bool inRecovery, std::int64_t minRttNs) = 0;
    virtual void AfterTimeout() = 0;
    virtual bool AfterRetransmission(Segment& segment, std::int64_t nowNs) = 0;

    void SetInFlight(std::uint64_t bytes)
    {
        m_inFlight = bytes;
    }

    Scoreboard m_board;
    std::uint64_t m_nextTx = 0;
    std::int64_t m_nextDetectionNs = -1; ///< negative: none

  private:
    DeliveryRate& m_rate;
    std::uint64_t m_inFlight = 0;
};

} // namespace ns3
