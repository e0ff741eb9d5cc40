// SPDX-License-Identifier: GPL-2.0-only
// Models a pair of relays at the edges of two data centres, which carry one stream of an in-network
// optimizer over the WAN: block after block, on the connections of the run's network. Each of the two
// has a buffer. The first one gives credit to its switch for what fits there, and keeps a block until
// its acknowledgement is back. The second one's buffer is the window of the first: room that gets free
// is known a propagation delay later. Acknowledgements and windows meet no queue.
#pragma once

#include "execution/message-layer.h"
#include "in-network-optimizer/helper/delay-line.h"
#include "in-network-optimizer/model/stream-end.h"

#include <deque>
#include <map>
#include <string>

namespace ns3
{

/// A WanRelay carries requests from `source` to `sink` in their order.
class WanRelay
{
  public:
    struct Settings
    {
        geotrain::NodeIndex from = 0; ///< node of the first relay
        geotrain::NodeIndex to = 0;   ///< node of the second one
        geotrain::Duration delay;     ///< propagation from one to the other
        geotrain::Bytes buffer;       ///< of each of the two; at least a block
        geotrain::Bytes block;        ///< bytes of a message; whole packets of the streams
    };

    /// Is told when a message failed, and why.
    using FailureCallback = std::function<void(const std::string& reason)>;

    /// All but the settings outlive the relay.
    WanRelay(geotrain::MessageLayer& layer,
             const Settings& settings,
             StreamEnd& source,
             StreamEnd& sink,
             FailureCallback failed);

    /// Carries `length` bytes after what was added before.
    void Add(geotrain::Bytes length);

    /// Returns a count that grows as long as blocks come forward.
    std::int64_t Progress() const;

    /// Returns what the relays wait for: "waits for ..."; empty where nothing is left to do.
    std::string Wait() const;

  private:
    void Post();
    void OnFull();
    void SendReady();
    void OnEvent(std::int64_t number, geotrain::Bytes length, const geotrain::TransferEvent& event);
    void HandOver();
    bool HasRoom(geotrain::Bytes used, geotrain::Bytes length) const;

    geotrain::MessageLayer& m_layer;
    const Settings m_settings;
    StreamEnd& m_source;
    StreamEnd& m_sink;
    FailureCallback m_failed;
    DelayLine m_acknowledgements;
    DelayLine m_windows;
    std::deque<geotrain::Bytes> m_requests;          ///< what is left of them to be asked for
    std::deque<geotrain::Bytes> m_posted;            ///< blocks that are asked for
    std::deque<geotrain::Bytes> m_ready;             ///< blocks that wait for the second buffer
    std::map<std::int64_t, geotrain::Bytes> m_early; ///< blocks that came before an earlier one
    geotrain::Bytes m_atSource;                      ///< asked for, held or not acknowledged
    geotrain::Bytes m_atSink;      ///< sent, and not known to have left the second buffer
    std::int64_t m_sent = 0;       ///< blocks
    std::int64_t m_handedOver = 0; ///< blocks
};

} // namespace ns3
