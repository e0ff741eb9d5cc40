// Spatial sharing: every pipeline sends over its own node pair, striped over the pair's connections, at
// once. Pairs share the WAN as their packets meet.
#pragma once

#include "execution/message-carrier.h"

namespace geotrain
{

class SpatialSharing : public MessageCarrier
{
  public:
    explicit SpatialSharing(Network& network);

    void Send(const Message& message, Callback callback) override;

  private:
    Network& m_network;
};

} // namespace geotrain
