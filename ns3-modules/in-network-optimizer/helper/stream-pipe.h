// SPDX-License-Identifier: GPL-2.0-only
// Models one stream of a data centre's in-network optimizer without packets: parameters from a server
// to all members, or the sum of all members' gradients to a server. Bytes move while all ends have
// given a buffer for them, at the rate of the estimate, and an end knows of it a loop later. It has
// an event for each buffer's end.
#pragma once

#include "in-network-optimizer/helper/delay-line.h"
#include "in-network-optimizer/helper/in-network-estimate.h"
#include "in-network-optimizer/model/stream-end.h"

#include <deque>
#include <vector>

namespace ns3
{

/// A StreamPipe moves the bytes of one stream.
class StreamPipe
{
  public:
    /// `ends` counts the server and the members. `clock` outlives the pipe.
    StreamPipe(geotrain::Clock& clock, const TransferEstimate& estimate, std::size_t ends);
    ~StreamPipe();
    StreamPipe(const StreamPipe&) = delete;
    StreamPipe& operator=(const StreamPipe&) = delete;

    /// Gives the next buffer of an end, to send from or to receive into.
    void Give(std::size_t end, geotrain::Bytes length, std::function<void()> done);

  private:
    struct Buffer
    {
        std::int64_t end; ///< bytes of the stream up to its last one
        std::function<void()> done;
    };

    struct End
    {
        std::deque<Buffer> buffers;
        std::int64_t given = 0; ///< bytes
    };

    void Move();
    void OnMoved(std::int64_t moved);

    geotrain::Clock& m_clock;
    const double m_bytesPerSecond;
    DelayLine m_loop;
    std::vector<End> m_ends;
    std::int64_t m_moved = 0; ///< bytes
    bool m_isMoving = false;
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

/// PipedSite is a data centre of pipes.
class PipedSite
{
  public:
    PipedSite(geotrain::Clock& clock, const InNetworkClusterSettings& settings)
        : m_down(clock, EstimateTransfer(settings), settings.workers + 1),
          m_up(clock, EstimateTransfer(settings), settings.workers + 1),
          m_server(m_down, m_up, settings.workers)
    {
        for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
        {
            m_workers.emplace_back(m_up, m_down, worker);
        }
    }

    StreamEnd& Server()
    {
        return m_server;
    }

    StreamEnd& Worker(std::uint32_t worker)
    {
        return m_workers[worker];
    }

  private:
    StreamPipe m_down;
    StreamPipe m_up;
    PipeEnd m_server;
    std::deque<PipeEnd> m_workers;
};

} // namespace ns3
