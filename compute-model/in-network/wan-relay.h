// SPDX-License-Identifier: GPL-2.0-only
// Models a pair of relays at the edges of two data centres, which carry one stream of an in-network
// optimizer over the WAN: block after block, on the connections of the run's network. Each of the two
// has a buffer. The first one gives credit to its switch for what fits there, and keeps a block until
// its acknowledgement is back. The second one's buffer is the window of the first: room that gets free
// is known a propagation delay later. Acknowledgements and windows meet no queue.
#pragma once

#include "execution/message-layer.h"
#include "in-network/stream-end.h"

#include <deque>
#include <map>
#include <string>

namespace geotrain
{

/// A WanRelay carries requests from `source` to `sink` in their order.
class WanRelay
{
  public:
    struct Settings
    {
        NodeIndex from = 0; ///< node of the first relay
        NodeIndex to = 0;   ///< node of the second one
        Duration delay;     ///< propagation from one to the other
        Bytes buffer;       ///< of each of the two; at least a block
        Bytes block;        ///< bytes of a message; whole packets of the streams
    };

    /// Is told when a message failed, and why.
    using FailureCallback = std::function<void(const std::string& reason)>;

    /// All but the settings outlive the relay.
    WanRelay(MessageLayer& layer,
             const Settings& settings,
             StreamEnd& source,
             StreamEnd& sink,
             FailureCallback failed);

    /// Carries `length` bytes after what was added before.
    void Add(Bytes length);

    /// Returns a count that grows as long as blocks come forward.
    std::int64_t Progress() const;

    /// Returns what the relays wait for: "waits for ..."; empty where nothing is left to do.
    std::string Wait() const;

  private:
    void Post();
    void OnFull();
    void SendReady();
    void OnEvent(std::int64_t number, Bytes length, const TransferEvent& event);
    void HandOver();
    bool HasRoom(Bytes used, Bytes length) const;
    void CallAfterDelay(std::function<void()> call);

    MessageLayer& m_layer;
    const Settings m_settings;
    StreamEnd& m_source;
    StreamEnd& m_sink;
    FailureCallback m_failed;
    std::deque<Bytes> m_requests;          ///< what is left of them to be asked for
    std::deque<Bytes> m_posted;            ///< blocks that are asked for
    std::deque<Bytes> m_ready;             ///< blocks that wait for the second buffer
    std::map<std::int64_t, Bytes> m_early; ///< blocks that came before an earlier one
    Bytes m_atSource;                      ///< asked for, held or not acknowledged
    Bytes m_atSink;                        ///< sent, and not known to have left the second buffer
    std::int64_t m_sent = 0;               ///< blocks
    std::int64_t m_handedOver = 0;         ///< blocks
};

} // namespace geotrain
