// SPDX-License-Identifier: GPL-2.0-only
// What a job asks of a network, whatever its kind: messages between nodes, spread over the
// connections of their pair (Striping), copies inside a node, and collectives. Each message and
// each collective has a handle, can be cancelled, and can fail with a reason. One layer per job;
// several layers may stand on one network. What it ignores: copies inside a node have no
// contention.
#pragma once

#include "execution/collectives.h"
#include "execution/network.h"
#include "execution/slots.h"
#include "execution/striping.h"

#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace geotrain
{

struct MessageLayerSettings
{
    /// What a connection takes of a message at a time; positive.
    Bytes chunkSize = Bytes::Of(256000);

    /// What GPUs of one node exchange: NVLink, one direction. A100's NVLink 3 has 600 GB/s both
    /// ways (NVIDIA A100 data sheet).
    BitRate nodeLocalRate = BitRate::GigabitsPerSecond(2400);
};

/// Names a message of one layer. The handle of a message that has ended names nothing.
struct MessageHandle
{
    std::uint64_t number = 0;
};

class MessageLayer
{
  public:
    /// `network` must outlive the layer.
    explicit MessageLayer(Network& network, const MessageLayerSettings& settings = {});

    /// Cancels all messages and collectives.
    ~MessageLayer();
    MessageLayer(const MessageLayer&) = delete;
    MessageLayer& operator=(const MessageLayer&) = delete;

    Network& GetNetwork() const;
    Clock& GetClock() const;
    const MessageLayerSettings& Settings() const;

    /// Carries `size` bytes from node to node; `source` may be `destination`, and the message then
    /// stays in the node. `callback` is called as Network::Transfer's is, with the events of the
    /// whole message.
    MessageHandle
    Send(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback);

    /// No callback of the message comes any more, and its transfers are cancelled. One that has
    /// ended is ignored.
    void Cancel(MessageHandle message);

    /// Joins a collective as Collectives::Join does: in a ring, unless others were supplied.
    CollectiveHandle
    Join(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback callback);

    /// As Collectives::Cancel does.
    void Cancel(CollectiveHandle collective);

    /// Collectives that are joined from now on are done by `collectives`. Before the first Join.
    void Supply(std::unique_ptr<Collectives> collectives);

    /// Puts `decorate` of the collectives that there are in their place. Before the first Join.
    void Decorate(
        const std::function<std::unique_ptr<Collectives>(std::unique_ptr<Collectives>)>& decorate);

    /// The size of the parts in which to relay a message (Network::PartSize), at least a chunk.
    Bytes PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const;

  private:
    using NodePair = std::pair<NodeIndex, NodeIndex>;

    /// Exactly one of `copyEnd`, `transfer` and `striping` is set, as the message is carried.
    struct Sending
    {
        TransferCallback callback;
        Clock::EventNumber copyEnd = 0; ///< inside a node
        TransferNumber transfer = 0;    ///< the network spreads the message
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
    std::unique_ptr<Collectives> m_collectives; ///< ends before the messages that it sends
};

} // namespace geotrain
