// SPDX-License-Identifier: GPL-2.0-only
// Models the reliable sender of LuWu: it sends its packets in order until the receiver's credit
// ends, and when the acknowledgement has not risen for the timeout with packets out it goes back to
// it. Below an aggregating switch all workers do the same at their own time, and the switch tells
// duplicates apart.
#pragma once

#include "in-network-optimizer/model/aggregation-packet.h"
#include "in-network-optimizer/model/nic-pacer.h"
#include "in-network-optimizer/model/payload-values.h"
#include "wan-topology/model/reusable-event.h"

#include <deque>
#include <functional>

namespace ns3
{

/// WindowSender sends requests one after another. The first that is appended ends first.
class WindowSender : public PacedSender
{
  public:
    struct Counters
    {
        std::int64_t packets = 0; ///< packets sent, those sent again included
        std::int64_t payloadBytes = 0;
        std::int64_t resentPackets = 0;
        std::int64_t timeouts = 0;
        std::int64_t stalledNs = 0; ///< from the last rise of the acknowledgement to a timeout
    };

    /// What the port refers to and `values` outlive the sender.
    WindowSender(const geotrain::AggregationSettings& settings,
                 const StreamPort& port,
                 const PayloadValues& values);
    ~WindowSender() override;
    WindowSender(const WindowSender&) = delete;
    WindowSender& operator=(const WindowSender&) = delete;

    /// Sends `length` bytes, in packets of their own, after what was appended before. `done` is
    /// called when the last of them has been acknowledged.
    void Append(geotrain::Bytes length, std::function<void()> done);

    void OnHeartbeat(const geotrain::Heartbeat& heartbeat);

    bool MaySend() const override;
    std::uint64_t Turn() const override;
    void SendNext() override;

    std::int64_t Acknowledged() const;
    bool HasWork() const;   ///< whether something is not acknowledged yet
    bool HasFailed() const; ///< whether it gave up
    const Counters& GetCounters() const;

  private:
    struct Request
    {
        std::int64_t end; ///< sequence number after its last packet
        geotrain::Bytes lastLength;
        std::uint64_t turn; ///< of the NIC's engine
        std::function<void()> done;
    };

    void TakeAck(std::int64_t ack);
    void AwaitAck();
    void GoBack();

    const geotrain::AggregationSettings m_settings;
    const StreamPort m_port;
    const PayloadValues& m_values;
    std::deque<Request> m_requests; ///< those that are not acknowledged
    std::size_t m_cursor = 0;       ///< request of m_next
    std::int64_t m_ack = 0;
    std::int64_t m_next = 0;
    std::int64_t m_sentEnd = 0; ///< sequence number after all that was ever sent
    std::int64_t m_end = 0;
    std::int64_t m_creditEnd = 0;
    std::int64_t m_lastRiseNs = 0;
    std::uint32_t m_timeoutsInRow = 0;
    bool m_hasFailed = false;
    LazyTimer m_timer;
    Counters m_counters;
};

} // namespace ns3
