#include "execution/spatial-sharing.h"

#include <memory>
#include <utility>

namespace geotrain
{

SpatialSharing::SpatialSharing(Network& network)
    : m_network(network)
{
}

void
SpatialSharing::Send(const Message& message, Callback callback)
{
    auto times = std::make_shared<MessageTimes>();
    times->queued = m_network.GetClock().Now();
    times->sendStart = times->queued;
    m_network.SendStriped(message.source,
                          message.destination,
                          message.size,
                          [times, callback = std::move(callback)](const TransferEvent& event)
                          {
                              switch (event.kind)
                              {
                              case TransferEvent::Kind::FirstByte:
                                  times->firstByte = event.at;
                                  break;
                              case TransferEvent::Kind::Sent:
                                  times->sent = event.at;
                                  break;
                              case TransferEvent::Kind::Delivered:
                                  times->delivered = event.at;
                                  callback(*times, {});
                                  break;
                              case TransferEvent::Kind::Failed:
                                  callback(*times, event.reason);
                                  break;
                              }
                          });
}

} // namespace geotrain
