// SPDX-License-Identifier: GPL-2.0-only
// A sender of bulk-tcp that gets acknowledgements made by hand. The round trip is 40 ms. Segments are
// counted from 0, and ten go out at 40 ms.
#pragma once

#include "bulk-tcp/model/bulk-sender.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-linux-reno.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/// A ScriptedPeer is the other end of one sender, which tests play.
class ScriptedPeer : public testing::Test, public PacketElement, public BulkSenderEvents
{
  protected:
    using State = TcpSocketState::TcpCongState_t;

    ScriptedPeer()
    {
        m_options.pacing = false;
        m_options.hyStartPlusPlus = false;
        m_options.tailLossProbe = false;
        m_length = m_options.SegmentSize();
    }

    ~ScriptedPeer() override
    {
        Simulator::Destroy();
    }

    /// Opens the connection at 40 ms, for a message of `segments`.
    void Open(int segments, Ptr<TcpCongestionOps> control = CreateObject<TcpLinuxReno>())
    {
        m_sender = std::make_unique<BulkSender>(FlowExit{0, 1, *this}, m_options, control, *this);
        m_sender->Send(1, static_cast<std::uint64_t>(segments) * m_length);
        RunTo(40);
        PacketRecord answer{};
        answer.kind = PacketRecord::Kind::SynAck;
        answer.window = m_window * m_length;
        m_sender->Receive(answer);
    }

    static void RunTo(std::int64_t ms)
    {
        Simulator::Stop(NanoSeconds(ms * geotrain::nsPerMs) - Simulator::Now());
        Simulator::Run();
    }

    struct Blocks
    {
        std::uint32_t from = 0; ///< first segment SACKed
        std::uint32_t to = 0;   ///< segment after the last one SACKed; `from`: none
        std::optional<std::uint32_t> duplicate = std::nullopt; ///< segment that a DSACK reports
    };

    /// Acknowledges at `ms` what precedes the segment `next`.
    void Ack(std::int64_t ms,
             std::uint32_t next,
             std::uint32_t echoMs,
             const Blocks& blocks,
             std::uint8_t flags = 0)
    {
        RunTo(ms);
        PacketRecord ack{};
        ack.kind = PacketRecord::Kind::Ack;
        ack.offset = static_cast<std::uint64_t>(next) * m_length;
        ack.window = m_window * m_length;
        ack.echoMs = echoMs;
        ack.flags = flags;
        const auto add = [&](std::uint32_t from, std::uint32_t to) {
            ack.sack[ack.sackBlocks++] = {(from - next) * m_length, (to - next) * m_length};
        };
        if (blocks.duplicate)
        {
            ack.flags |= PacketRecord::Duplicate;
            add(*blocks.duplicate, *blocks.duplicate + 1);
        }
        if (blocks.from < blocks.to)
        {
            add(blocks.from, blocks.to);
        }
        m_sender->Receive(ack);
    }

    void Ack(std::int64_t ms, std::uint32_t next, std::uint32_t echoMs)
    {
        Ack(ms, next, echoMs, Blocks());
    }

    /// Makes the sender find segment 0 lost and send it again at 80 ms.
    void LoseTheFirst(std::uint8_t flags = 0)
    {
        Ack(80, 0, 40, {1, 4}, flags);
        EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
        EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0}));
        EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length); // half of the ten that were out
    }

    void ExpectUndone()
    {
        EXPECT_EQ(m_sender->GetCounters().undos, 1U);
        EXPECT_LE(CongState(), TcpSocketState::CA_DISORDER);
        EXPECT_GE(Tcb().m_cWnd, 10 * m_length); // RFC 4015, 3.2: as before
        EXPECT_EQ(Tcb().m_ssThresh, UINT32_MAX);
    }

    void ExpectReduced()
    {
        EXPECT_EQ(m_sender->GetCounters().undos, 0U);
        EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length);
        EXPECT_LT(Tcb().m_cWnd, 10 * m_length);
    }

    TcpSocketState& Tcb() const
    {
        return *m_sender->State();
    }

    State CongState() const
    {
        return Tcb().m_congState;
    }

    BulkTcpOptions m_options;
    std::uint32_t m_length;      ///< bytes of a segment
    std::uint32_t m_window = 40; ///< segments
    std::unique_ptr<BulkSender> m_sender;
    std::vector<std::uint32_t> m_again; ///< segments sent again
    std::uint32_t m_sent = 0;           ///< segments sent

  private:
    void Receive(const PacketRecord& record) override
    {
        if (record.kind != PacketRecord::Kind::Data)
        {
            return;
        }
        const auto number = static_cast<std::uint32_t>(record.offset / m_length);
        if (number < m_sent)
        {
            m_again.push_back(number);
        }
        m_sent = std::max(m_sent, number + 1);
    }
};

} // namespace ns3
