// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/model/learned-path.h"

#include "learned-path/model/path-file.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/string.h>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LearnedPath);

TypeId
LearnedPath::GetTypeId()
{
    static const TypeId id =
        TypeId("geotrain::LearnedPath")
            .SetParent<Object>()
            .SetGroupName("LearnedPath")
            .AddConstructor<LearnedPath>()
            .AddAttribute("ModelFile",
                          "Model file of `geotrain learn`.",
                          StringValue(),
                          MakeStringAccessor(&LearnedPath::m_modelFile),
                          MakeStringChecker())
            .AddAttribute("Backward",
                          "Whether packets go against the direction of the records.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LearnedPath::m_isBackward),
                          MakeBooleanChecker());
    return id;
}

void
LearnedPath::SetNext(PacketElement& next)
{
    NS_ABORT_MSG_IF(m_link, "a learned path gets the element after it once");
    const geotrain::LearnedLink link = LinkOf(geotrain::ReadPathFile(m_modelFile));
    const geotrain::PathParameters& path = m_isBackward ? link.backward : link.forward;
    LinkSettings settings;
    settings.rate = path.rate;
    settings.delay = path.propagation;
    settings.learned = std::make_shared<const geotrain::PathParameters>(path);
    m_link = std::make_unique<LightLink>(settings, next);
}

void
LearnedPath::Receive(const PacketRecord& record)
{
    NS_ABORT_MSG_UNLESS(m_link, "a packet came to a learned path before SetNext()");
    m_link->Receive(record);
}

void
LearnedPath::DoDispose()
{
    m_link.reset();
    Object::DoDispose();
}

} // namespace ns3
