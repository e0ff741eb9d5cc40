// SPDX-License-Identifier: GPL-2.0-only
// What a job asks of any kind of network: messages between nodes, spread over the connections of
// their pair (Striping), and copies inside a node. Each message has a handle, can be cancelled, and
// can fail with a reason. There is one layer per job; several layers may use one network. It ignores
// contention of copies inside a node. Collectives are made of its messages (stepped-collectives.h).
#pragma once

#include "execution/network.h"
#include "execution/slots.h"
#include "execution/striping.h"

#include <map>
#include <memory>
#include <utility>

namespace geotrain
{

/// MessageLayerSettings say in what pieces, and how fast inside a node, messages go.
struct MessageLayerSettings
{
    /// Bytes of a message that a connection takes at a time; must be positive.
    Bytes chunkSize = Bytes::Of(256000);

    /// Rate between GPUs of one node, over NVLink in one direction. A100's NVLink 3 has 600 GB/s in
    /// both directions together (NVIDIA A100 data sheet).
    BitRate nodeLocalRate = BitRate::GigabitsPerSecond(2400);

    OwnerIndex owner = 0; ///< whose connections the messages take (TransferRequest::owner)
};

/// A MessageHandle names a message of one layer. The handle of a message that has ended names
/// nothing.
struct MessageHandle
{
    std::uint64_t number = 0;
};

/// A MessageLayer carries the messages of one job.
class MessageLayer
{
  public:
    /// `network` must outlive the layer.
    explicit MessageLayer(Network& network, const MessageLayerSettings& settings = {});

    /// Cancels all messages.
    ~MessageLayer();
    MessageLayer(const MessageLayer&) = delete;
    MessageLayer& operator=(const MessageLayer&) = delete;

    Network& GetNetwork() const;
    Clock& GetClock() const;
    const MessageLayerSettings& Settings() const;

    /// Carries `size` bytes from node to node. If `source` is `destination`, the message stays in
    /// the node. `callback` is called as Network::Transfer calls it, with the events of the whole
    /// message.
    MessageHandle
    Send(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback);

    /// Cancels the transfers of the message, whose callback is not called any more. A message that
    /// has ended is ignored.
    void Cancel(MessageHandle message);

    /// Returns the number of messages that have been sent and have not ended, those of collectives
    /// included.
    std::size_t MessagesUnderWay() const
    {
        return m_sendings.Count();
    }

    /// Returns the size of the parts in which to relay a message (Network::PartSize), at least a
    /// chunk.
    Bytes PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const;

  private:
    using NodePair = std::pair<NodeIndex, NodeIndex>;

    /// A Sending is a message on its way. Exactly one of `copyEnd`, `transfer` and `striping` is
    /// set.
    struct Sending
    {
        TransferCallback callback;
        Clock::EventNumber copyEnd = 0; ///< set where the message stays inside a node
        TransferNumber transfer = 0;    ///< set where the network spreads the message
        Striping* striping = nullptr;
        Striping::Handle striped = 0;
    };

    void Copy(std::uint64_t handle, Bytes size);
    Striping& StripingOf(NodeIndex source, NodeIndex destination);
    void OnEvent(std::uint64_t handle, const TransferEvent& event);

    Network& m_network;
    Clock& m_clock;
    MessageLayerSettings m_settings;
    Slots<Sending> m_sendings;
    std::map<NodePair, std::unique_ptr<Striping>> m_stripings;
};

} // namespace geotrain
