// Spatial sharing: every pipeline sends over its own node pair, striped over the pair's connections, at
// once. Pairs share the WAN as their packets meet.
#pragma once

#include "execution/message-carrier.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

class SpatialSharing : public MessageCarrier
{
  public:
    explicit SpatialSharing(Network& network);

    void Send(const Message& message, Callback callback) override;

  private:
    struct InFlight
    {
        MessageTimes times;
        Callback callback;
    };

    void OnEvent(std::uint32_t slot, const TransferEvent& event);

    Network& m_network;
    std::vector<InFlight> m_inFlight;
    std::vector<std::uint32_t> m_freeSlots; ///< of m_inFlight
};

} // namespace geotrain
