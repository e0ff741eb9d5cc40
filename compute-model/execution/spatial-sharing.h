// SPDX-License-Identifier: GPL-2.0-only
// Spatial sharing: every pipeline sends at once over its own node pair, striped over the pair's
// connections. Pairs share the WAN as their packets meet.
#pragma once

#include "execution/message-carrier.h"
#include "execution/message-layer.h"
#include "execution/slots.h"

namespace geotrain
{

/// SpatialSharing is the carrier without turns.
class SpatialSharing : public MessageCarrier
{
  public:
    /// `layer` must outlive this.
    explicit SpatialSharing(MessageLayer& layer);

    /// Cancels what is on the way.
    ~SpatialSharing() override;
    SpatialSharing(const SpatialSharing&) = delete;
    SpatialSharing& operator=(const SpatialSharing&) = delete;

    Handle Send(const Message& message, Callback callback) override;
    void Cancel(Handle message) override;

  private:
    struct InFlight
    {
        MessageTimes times;
        Callback callback;
        MessageHandle message;
    };

    void OnEvent(Handle handle, const TransferEvent& event);

    MessageLayer& m_layer;
    Slots<InFlight> m_inFlight;
};

} // namespace geotrain
