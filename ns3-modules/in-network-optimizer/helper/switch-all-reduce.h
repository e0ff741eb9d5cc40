// SPDX-License-Identifier: GPL-2.0-only
// Gives the all-reduces of an executor's workers to a switch that adds and sends the sums back, with
// no server (SwitchML, NSDI'21; NVIDIA's SHARP does the same). A worker sends S and receives S, where
// a ring sends 2 (N - 1) S / N: at most twice as fast. All other collectives go to those that it
// decorates.
#pragma once

#include "execution/collectives.h"
#include "in-network-optimizer/helper/stream-pipe.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/// SwitchAllReduce runs the all-reduces of all workers of a job.
class SwitchAllReduce : public geotrain::Collectives
{
  public:
    /// `ends` are the workers' streams to and from the switch; they and `clock` outlive this.
    SwitchAllReduce(geotrain::Clock& clock, std::vector<StreamEnd*> ends);

    /// Sets who runs all other collectives.
    void SetOthers(std::unique_ptr<geotrain::Collectives> others);

    geotrain::CollectiveHandle Join(const geotrain::CollectiveRequest& request,
                                    std::uint32_t member,
                                    geotrain::CollectiveCallback callback) override;
    void Cancel(geotrain::CollectiveHandle collective) override;

    /// Returns the payload that workers have sent and received.
    geotrain::Bytes Carried() const;

  private:
    using Key = std::pair<std::uint64_t, std::uint32_t>; ///< number, member

    void End(const Key& key, geotrain::Bytes size);

    geotrain::Clock& m_clock;
    std::vector<StreamEnd*> m_ends; ///< by worker
    std::unique_ptr<geotrain::Collectives> m_others;
    std::map<Key, geotrain::CollectiveCallback> m_open;
    geotrain::Bytes m_carried;
};

/// Estimates a stream to a switch and back where its sums acknowledge themselves.
TransferEstimate EstimateAllReduce(const InNetworkClusterSettings& settings);

/// A PipedSwitch is a tree of switches that adds without packets.
class PipedSwitch
{
  public:
    PipedSwitch(geotrain::Clock& clock, const InNetworkClusterSettings& settings);

    StreamEnd& Worker(std::uint32_t worker);

  private:
    /// An End gives one buffer for both directions: what is received ends last.
    class End : public StreamEnd
    {
      public:
        End(StreamPipe& pipe, std::size_t number)
            : m_pipe(pipe),
              m_number(number)
        {
        }

        void Push(geotrain::Bytes /*length*/, std::function<void()> /*done*/) override
        {
        }

        void Pull(geotrain::Bytes length, std::function<void()> done) override
        {
            m_pipe.Give(m_number, length, std::move(done));
        }

      private:
        StreamPipe& m_pipe;
        std::size_t m_number;
    };

    SharedLinks m_links; ///< none: its stream is alone
    StreamPipe m_pipe;
    std::deque<End> m_workers;
};

} // namespace ns3
