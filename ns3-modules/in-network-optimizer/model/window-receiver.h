// SPDX-License-Identifier: GPL-2.0-only
// Models the receiving engine of a smart NIC: it writes each packet to its place in the buffer of
// the request that it belongs to, in whatever order packets come, and sends heartbeats: every
// interval while a request is open or something came since the last one. The credit ends with the
// window or with the buffers, whatever ends first, so that nobody sends what has no place.
#pragma once

#include "in-network-optimizer/model/aggregation-packet.h"
#include "in-network-optimizer/model/nic-pacer.h"
#include "in-network-optimizer/model/payload-values.h"
#include "wan-topology/model/reusable-event.h"

#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

/// WindowReceiver receives requests one after another.
class WindowReceiver
{
  public:
    struct Counters
    {
        std::int64_t packets = 0; ///< packets that were new
        std::int64_t payloadBytes = 0;
        std::int64_t duplicates = 0;
        std::int64_t heartbeats = 0; ///< heartbeats and acknowledgements that were sent
    };

    /// What the port, which takes its heartbeats, refers to outlives the receiver.
    WindowReceiver(const geotrain::AggregationSettings& settings, const StreamPort& port);
    ~WindowReceiver();
    WindowReceiver(const WindowReceiver&) = delete;
    WindowReceiver& operator=(const WindowReceiver&) = delete;

    /// Gives a buffer for the next `length` bytes. `done` is called when it is full.
    void Expect(geotrain::Bytes length, std::function<void()> done);

    void OnData(const PacketRecord& record);

    /// `sink` outlives the receiver.
    void SetSink(PayloadSink& sink);

    geotrain::Heartbeat Current() const;
    bool HasWork() const; ///< whether a buffer is not full yet
    const Counters& GetCounters() const;

  private:
    struct Request
    {
        std::int64_t end;
        std::function<void()> done;
    };

    bool IsNew(std::int64_t sequence) const;
    void Advance();
    void SendHeartbeat();
    void AwaitTick();
    void Tick();

    using Event = ReusableEvent<WindowReceiver, &WindowReceiver::Tick>;

    const geotrain::AggregationSettings m_settings;
    const StreamPort m_port;
    PayloadSink* m_sink = nullptr;
    std::deque<Request> m_requests;
    std::vector<std::uint8_t> m_arrived; ///< by sequence number modulo the window
    const bool m_isSilent;               ///< whether it sends no heartbeats
    std::int64_t m_next = 0;
    std::int64_t m_end = 0;
    bool m_isNewsPending = false; ///< whether something came since the last heartbeat
    bool m_isTicking = false;
    Ptr<Event> m_event;
    Counters m_counters;
};

} // namespace ns3
