// SPDX-License-Identifier: GPL-2.0-only
// Models one stream of a data centre's in-network optimizer without packets: parameters from a server
// to all members, or the sum of all members' gradients to a server. Bytes move at the rate that links
// give the stream while the senders have given a buffer for them and have heard of the receivers'
// buffers. A receiver knows of a buffer's end when the last packet has crossed, a sender with the
// heartbeat that says so. It has an event for each buffer's end and for the heartbeat that tells of
// it.
#pragma once

#include "in-network-optimizer/helper/delay-line.h"
#include "in-network-optimizer/helper/heartbeat-path.h"
#include "in-network-optimizer/helper/in-network-estimate.h"
#include "in-network-optimizer/helper/shared-links.h"
#include "in-network-optimizer/model/stream-end.h"

#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

/// A StreamPipe moves the bytes of one stream.
class StreamPipe
{
  public:
    /// Tells whether an end receives.
    using IsReceiver = std::function<bool(std::size_t end)>;

    /// `ends` counts the server and the members, and `stream` is what it asks of `links`. `path` is
    /// that of its heartbeats where switches keep them. `clock`, `links` and `path` outlive it.
    StreamPipe(geotrain::Clock& clock,
               const TransferEstimate& estimate,
               SharedLinks& links,
               SharedStream stream,
               std::size_t ends,
               const IsReceiver& isReceiver,
               HeartbeatPath* path = nullptr);
    ~StreamPipe();
    StreamPipe(const StreamPipe&) = delete;
    StreamPipe& operator=(const StreamPipe&) = delete;

    /// Gives the next buffer of an end, to send from or to receive into.
    void Give(std::size_t end, geotrain::Bytes length, std::function<void()> done);

  private:
    struct Buffer
    {
        geotrain::Bytes length;
        std::uint64_t turn; ///< of the NIC's engine
        std::function<void()> done;
        std::int64_t end = 0; ///< bytes of the stream up to its last one
    };

    struct End
    {
        std::deque<Buffer> buffers;
        std::int64_t given = 0; ///< bytes
        bool isReceiver = false;
    };

    void Add(End& end, Buffer buffer);
    void Move();
    void Begin();
    std::uint64_t Turn() const;
    void CountMoved();
    double Ahead() const;
    double InNic() const;
    double ToCome() const;
    void AwaitMoved();
    void OnChanged();
    void OnMoved();
    void OnArrived(bool isReceiver, std::function<void()> done);
    void SendHeartbeat(double at, std::function<void()> heard);
    void OnHeartbeat(bool isFirst, const std::function<void()>& heard);

    geotrain::Clock& m_clock;
    SharedLinks& m_links;
    const double m_window;      ///< bytes of payload that may be under way
    const double m_loop;        ///< seconds from credit to credit, without queues
    const double m_packet;      ///< bytes of payload of a packet
    const std::size_t m_stream; ///< of m_links
    const TransferEstimate m_estimate;
    HeartbeatPhase m_heartbeats;
    HeartbeatPath* const m_path;   ///< null where no switch keeps heartbeats
    geotrain::Instant m_lastHeard; ///< time at which senders hear the last heartbeat
    bool m_isFirst = false;        ///< whether the next heartbeat is the first after a silence
    DelayLine m_heartbeatsToCome;
    DelayLine m_heartbeatsNow;
    DelayLine m_heartbeatsSent;
    DelayLine m_arrivals;
    std::vector<End> m_ends;
    std::int64_t m_moved = 0;     ///< bytes
    std::int64_t m_next = 0;      ///< where the first of the buffers, or the first window, ends
    std::int64_t m_windowEnd = 0; ///< where the window ends with which the stream began to move
    bool m_isMoving = false;
    bool m_stands = true;     ///< whether there is nothing to move
    double m_left = 0;        ///< bytes to m_next
    double m_began = 0;       ///< time at which it began to move, in seconds
    double m_ahead = 0;       ///< bytes that senders have sent and links have not carried yet
    double m_rate = 0;        ///< bytes per second
    geotrain::Instant m_asOf; ///< time of m_left and m_ahead, since when it has had m_rate
    geotrain::Clock::EventNumber m_event = 0;
};

/// A PipeEnd is an end of the two pipes of a data centre.
class PipeEnd : public StreamEnd
{
  public:
    /// The pipes outlive it.
    PipeEnd(StreamPipe& push, StreamPipe& pull, std::size_t end)
        : m_push(push),
          m_pull(pull),
          m_end(end)
    {
    }

    void Push(geotrain::Bytes length, std::function<void()> done) override
    {
        m_push.Give(m_end, length, std::move(done));
    }

    void Pull(geotrain::Bytes length, std::function<void()> done) override
    {
        m_pull.Give(m_end, length, std::move(done));
    }

  private:
    StreamPipe& m_push;
    StreamPipe& m_pull;
    std::size_t m_end;
};

} // namespace ns3
