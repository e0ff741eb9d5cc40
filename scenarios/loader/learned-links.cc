// SPDX-License-Identifier: GPL-2.0-only
#include "loader/learned-links.h"

#include "loader/library-texts.h"
#include "loader/nearest-names.h"
#include "path-learning/path-file.h"
#include "schema/scenario.pb.h"

#include <algorithm>
#include <google/protobuf/descriptor.h>
#include <optional>
#include <set>

namespace geotrain
{

namespace
{

/// Returns the library's path of that name, if there is one.
std::optional<PathModel>
FindPathInLibrary(const std::string& name)
{
    for (const LibraryPath& path : LibraryPaths())
    {
        if (path.name == name)
        {
            return DecodePath(name, std::string(path.bytes));
        }
    }
    return std::nullopt;
}

} // namespace

void
CheckLearnedLinks(const scenario::Scenario& scenario, const ScenarioFile& file)
{
    static const std::set<std::string> allowed{"from", "to", "learned"};
    for (int i = 0; i < scenario.wan_link_size(); ++i)
    {
        const scenario::WanLink& link = scenario.wan_link(i);
        if (!link.has_learned())
        {
            continue;
        }
        std::vector<const google::protobuf::FieldDescriptor*> fields;
        link.GetReflection()->ListFields(link, &fields);
        for (const auto* field : fields)
        {
            if (allowed.count(field->name()) == 0)
            {
                file.Fail("wan_link[" + std::to_string(i) + "]." + field->name(),
                          "",
                          "must not be set beside learned, which says all that the link does");
            }
        }
    }
}

void
CheckPacketTrace(const scenario::Scenario& scenario,
                 const WanTopology& topology,
                 const ScenarioFile& file)
{
    std::vector<std::string> names;
    for (const auto& [forward, backward] : topology.NamesOfLinks())
    {
        names.insert(names.end(), {forward, backward});
    }
    for (int i = 0; i < scenario.run().packet_trace_size(); ++i)
    {
        const std::string field = "run.packet_trace[" + std::to_string(i) + "]";
        const std::string& name = scenario.run().packet_trace(i);
        if (std::find(names.begin(), names.end(), name) == names.end())
        {
            file.Fail(field, name, UnknownName("direction of a WAN link", name, names));
        }
    }
}

void
ResolveLearnedLink(scenario::WanLink& written,
                   const std::string& field,
                   const ScenarioFile& file,
                   WanTopology::Link& link)
{
    std::optional<PathModel> model = FindPathInLibrary(written.learned());
    if (!model)
    {
        written.set_learned(
            std::filesystem::absolute(file.PathOf(written.learned(), field + ".learned")).string());
        model = ReadPathFile(written.learned());
    }
    const auto learned = std::make_shared<const LearnedLink>(LinkOf(*model));
    link.rate = learned->forward.rate;
    link.delay = learned->forward.propagation;
    link.queue = WanQueueSize::OfBytes(learned->forward.buffer);
    link.learned = learned;
    written.clear_rate();
    written.clear_delay();
    written.clear_queue();
    written.clear_loss();
}

} // namespace geotrain
