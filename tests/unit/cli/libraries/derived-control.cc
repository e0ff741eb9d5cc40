// SPDX-License-Identifier: GPL-2.0-only
// A library for --load whose control derives from one of geotrain's, and changes nothing in it.
#include "bulk-tcp/model/tcp-bbr3.h"

namespace example
{

class TcpDerived : public ns3::TcpBbr3
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static const ns3::TypeId type = ns3::TypeId("example::TcpDerived")
                                            .SetParent<ns3::TcpBbr3>()
                                            .AddConstructor<TcpDerived>();
        return type;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpDerived);

} // namespace example
