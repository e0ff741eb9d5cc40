// SPDX-License-Identifier: GPL-2.0-only
// Defines how a sender finds and repairs losses: what is lost, how much is in flight, what is sent
// again, and when the congestion state changes. RackRecovery is the real one (RFC 8985).
// StockRecovery does what ns-3's sockets do and serves comparison with them. Both are functions of
// times and acknowledgements: they send nothing and schedule nothing.
#pragma once

#include "bulk-tcp/model/retransmission-history.h"
#include "bulk-tcp/model/scoreboard.h"
#include "bulk-tcp/model/spurious-loss-detector.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <optional>

namespace ns3
{

/// LossRecovery is the interface, with the scoreboard that every recovery needs.
class LossRecovery : protected Scoreboard::Listener
{
  public:
    using Segment = Scoreboard::Segment;
    using Progress = Scoreboard::Progress;

    /// Reaction is what the congestion state does about an acknowledgement.
    enum class Reaction
    {
        None,
        Reduce, ///< continues the window reduction in progress
        Enter   ///< enters recovery
    };

    /// Situation is what the reaction to an acknowledgement depends on.
    struct Situation
    {
        TcpSocketState::TcpCongState_t state; ///< before this acknowledgement
        std::uint64_t sackedBytes;            ///< bytes that it newly SACKs
        std::uint32_t delivered;              ///< bytes that it newly delivers
        std::uint32_t duplicates;             ///< acknowledgements in a row that only SACK
        std::uint64_t recover; ///< first byte never sent when recovery was last entered
        bool hasEntered;       ///< this acknowledgement has already entered recovery or CWR
    };

    const Scoreboard& Board() const
    {
        return m_board;
    }

    DeliveryRate& Rate()
    {
        return m_rate;
    }

    /// Returns the estimate of the bytes on the way.
    std::uint64_t InFlight() const
    {
        return m_inFlight;
    }

    /// Returns SND.NXT of RFC 9293 for hosted controls: the byte after the segment sent last.
    std::uint64_t NextTx() const
    {
        return m_nextTx;
    }

    /// Notes that `length` bytes of new data go out.
    void OnSent(std::int64_t nowNs, std::uint32_t length)
    {
        m_board.Append(nowNs, length, m_rate.OnSent(nowNs, m_inFlight == 0));
        m_inFlight += length;
        m_nextTx = m_board.HighTx();
    }

    /// Notes that `count` segments of `length` bytes of new data go out at once.
    void OnSentBurst(std::int64_t nowNs, std::uint64_t count, std::uint32_t length)
    {
        m_board.AppendBurst(nowNs, count, length, m_rate.OnSent(nowNs, m_inFlight == 0));
        m_inFlight += count * length;
        m_nextTx = m_board.HighTx();
    }

    Progress OnAck(std::int64_t nowNs, const PacketRecord& ack);

    /// RoundTrips are the measured round trips in nanoseconds; `smoothedNs` is 0 before the first.
    struct RoundTrips
    {
        std::int64_t leastNs;
        std::int64_t smoothedNs;
    };

    /// Marks what is lost and returns how many bytes. NextDetectionNs() then says when to look
    /// again.
    std::uint64_t DetectLosses(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips);

    std::optional<std::int64_t> NextDetectionNs() const
    {
        return m_nextDetectionNs < 0 ? std::nullopt : std::optional(m_nextDetectionNs);
    }

    /// Marks everything that is not SACKed as lost, after a retransmission timeout.
    void OnTimeout();

    /// Notes that a segment is sent again, to repair a loss or as a tail loss probe. Returns true
    /// if the retransmission timeout restarts with it.
    bool OnRetransmitted(Segment& segment, std::int64_t nowNs, bool isProbe = false);

    /// Notes that a recovery or timeout ends with all repaired, and was not undone.
    virtual void OnRecoveryEnds()
    {
    }

    /// Notes that an original has come after segments that were sent later.
    virtual void OnReordered()
    {
    }

    SpuriousLossDetector& Spurious()
    {
        return m_spurious;
    }

    /// Takes the losses back that were found and not repaired, since they were spurious.
    void Undo();

    /// Returns whether the window grows in Disorder: with an acknowledgement that `advances`, or
    /// with any that delivers data.
    virtual bool GrowsInDisorder(bool advances) const = 0;

    /// Returns the lost segment to be sent next; null if there is none.
    Segment* NextLost()
    {
        return m_board.NextLost();
    }

    /// Returns the segment sent last that is not SACKed; null if nothing is outstanding.
    Segment* Last()
    {
        return m_board.Last();
    }

    /// Returns the segment to send again in recovery when there is no new data and no known loss;
    /// null for none.
    virtual Segment* NextDoubtful()
    {
        return nullptr;
    }

    /// Notes that `segment` was sent again within the window.
    virtual void OnSentAgain(const Segment& /*segment*/)
    {
    }

    virtual Reaction React(const Situation& situation) = 0;

    /// Returns the lost bytes for the rate sample. `lost` bytes were found lost by this
    /// acknowledgement, and `notRepairedBefore` bytes were lost and not repaired before it.
    virtual std::uint64_t LostOfSample(std::uint64_t lost,
                                       std::uint64_t /*notRepairedBefore*/) const
    {
        return lost;
    }

    /// Returns whether a cumulative acknowledgement leaves the retransmission timeout as it is.
    /// `again` is true if it is not the first one of this recovery.
    virtual bool KeepsTimeout(TcpSocketState::TcpCongState_t /*state*/, bool /*again*/) const
    {
        return false;
    }

    /// Returns whether a retransmission timeout in `state` is the first one of its loss, which
    /// reduces the threshold.
    virtual bool IsFirstTimeout(TcpSocketState::TcpCongState_t state) const
    {
        return state != TcpSocketState::CA_LOSS || !m_board.HeadRetransmitted();
    }

  protected:
    /// `rate` belongs to the derived class.
    LossRecovery(DeliveryRate& rate, bool takesRuns)
        : m_board(*this, takesRuns),
          m_rate(rate)
    {
    }

    // These are an implementation's part of the functions above. Each ends with SetInFlight().
    virtual void AfterAck() = 0;
    virtual void Detect(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips) = 0;
    virtual void AfterTimeout() = 0;
    virtual void AfterUndo()
    {
    }

    virtual bool AfterRetransmission(Segment& segment, std::int64_t nowNs) = 0;

    /// Notes that the peer reports a needless retransmission, which was no tail loss probe.
    virtual void OnNeedlessRetransmission()
    {
    }

    void SetInFlight(std::uint64_t bytes)
    {
        m_inFlight = bytes;
    }

    Scoreboard m_board;
    const PacketRecord* m_ack = nullptr; ///< during OnAck(): the acknowledgement
    std::uint64_t m_nextTx = 0;
    std::int64_t m_nextDetectionNs = -1; ///< negative: none

  private:
    void OnDuplicate(const PacketRecord& ack);

    DeliveryRate& m_rate;
    std::uint64_t m_inFlight = 0;
    RetransmissionHistory m_history;
    SpuriousLossDetector m_spurious;
};

} // namespace ns3
