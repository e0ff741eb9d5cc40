// The sending end of a connection that carries messages as frames of a byte stream.
#pragma once

#include "training-network/model/message-transport.h"

namespace ns3
{

class StreamSender
{
  public:
    virtual ~StreamSender() = default;

    virtual void Send(MessageNumber message, geotrain::Bytes size) = 0;
    virtual FlowState State() const = 0;

    /// Bytes of the stream: payload and headers.
    struct Totals
    {
        std::uint64_t payload = 0; ///< of all messages handed over
        std::uint64_t stream = 0;  ///< with the headers
        std::uint64_t carried = 0; ///< given to the network for the first time
    };

    virtual Totals GetTotals() const = 0;
};

} // namespace ns3
