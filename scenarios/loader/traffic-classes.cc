// SPDX-License-Identifier: GPL-2.0-only
#include "loader/traffic-classes.h"

#include "loader/network-kinds.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "units/text-pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr const char* besideJobs = "transfer"; ///< name of what sends beside jobs

/// Returns whether some node is of two jobs.
bool
ShareNodes(const std::vector<TrainingSpec>& jobs)
{
    std::set<std::uint32_t> taken;
    std::size_t used = 0;
    for (const TrainingSpec& job : jobs)
    {
        taken.insert(job.nodes.begin(), job.nodes.end());
        used += job.nodes.size();
    }
    return taken.size() < used;
}

/// Returns the code point of a name or a number (RFC 2474, 2597, 3246, 5865 and 8622); nothing where
/// there is none.
std::optional<std::uint8_t>
CodePointOf(const std::string& text)
{
    static const std::map<std::string, std::uint8_t> names{
        {"", 0}, {"DF", 0}, {"LE", 1}, {"VOICE-ADMIT", 44}, {"EF", 46}};
    // A class selector, an assured class with its drop precedence, or a number.
    static const TextPattern shape("^(CS([0-7])|AF([1-4])([1-3])|[0-5]?[0-9]|6[0-3])$");
    if (const auto named = names.find(text); named != names.end())
    {
        return named->second;
    }
    const auto found = shape.FindIn(text);
    if (found.empty())
    {
        return std::nullopt;
    }
    const auto digit = [&found](std::size_t group)
    { return found[group].empty() ? 0 : found[group].front() - '0'; };
    const bool isNumber = std::isdigit(static_cast<unsigned char>(text.front())) != 0;
    const int point = isNumber ? std::stoi(text) : 8 * (digit(2) + digit(3)) + 2 * digit(4);
    return static_cast<std::uint8_t>(point);
}

TrafficClass
ClassOf(const scenario::TrafficClass& written)
{
    TrafficClass one;
    one.name = written.name();
    one.priority = static_cast<int>(written.priority());
    one.weight = written.weight();
    if (written.has_rate())
    {
        one.rate = ParseBitRate(written.rate());
    }
    one.police = written.police();
    one.burst = ParseBytes(written.burst());
    one.dscp = CodePointOf(written.dscp()).value_or(0);
    return one;
}

/// Returns whether a class has messages of `kind` of `job`.
bool
Has(const scenario::TrafficClass& written, MessageKind kind, const std::string& job)
{
    const auto& kinds = written.kind();
    const auto& jobs = written.job();
    const auto isKind = [kind](int one) { return EnumOf<MessageKind>(one) == kind; };
    return (kinds.empty() || std::any_of(kinds.begin(), kinds.end(), isKind)) &&
           (jobs.empty() || std::find(jobs.begin(), jobs.end(), job) != jobs.end());
}

/// ClassTable numbers the classes of a scenario. The first is of what sends beside jobs.
class ClassTable
{
  public:
    explicit ClassTable(const Scenario& scenario)
        : m_scenario(scenario)
    {
        for (const auto& written : scenario.traffic_class())
        {
            m_classes.push_back(ClassOf(written));
        }
        m_classes.emplace_back(); // of what belongs to none
        m_beside = Written(MessageKind::Other, besideJobs);
        const std::size_t last = m_classes.size() - 1;
        for (std::size_t i = 0; i < last; ++i)
        {
            if (scenario.traffic_class(static_cast<int>(i)).marks_only())
            {
                m_classes[i].waitsIn = NumberOf(last);
            }
        }
        std::swap(m_classes.front(), m_classes[m_beside]);
    }

    std::uint32_t Of(MessageKind kind, const std::string& job) const
    {
        return NumberOf(Written(kind, job));
    }

    const std::vector<TrafficClass>& All() const
    {
        return m_classes;
    }

  private:
    /// Returns the number of the class at a place in the scenario.
    std::uint32_t NumberOf(std::size_t written) const
    {
        const std::size_t number = written == m_beside ? 0 : written == 0 ? m_beside : written;
        return static_cast<std::uint32_t>(number);
    }

    /// Returns the place in the scenario of the first class that has such messages.
    std::size_t Written(MessageKind kind, const std::string& job) const
    {
        const auto& all = m_scenario.traffic_class();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const auto& one) { return Has(one, kind, job); });
        return static_cast<std::size_t>(found - all.begin());
    }

    const Scenario& m_scenario;
    std::vector<TrafficClass> m_classes;
    std::size_t m_beside = 0; ///< place in the scenario of what is first here
};

/// Gives jobs a class each by their priorities, unless all are the same.
void
RankJobs(const Scenario& scenario, TestbedSpec& testbed)
{
    std::vector<TrafficClass> classes{TrafficClass()};
    for (const auto& job : scenario.job())
    {
        const auto rank = static_cast<int>(job.priority());
        auto found = std::find_if(classes.begin(),
                                  classes.end(),
                                  [rank](const TrafficClass& one) { return one.priority == rank; });
        if (found == classes.end())
        {
            found = classes.insert(classes.end(), TrafficClass());
            found->priority = rank;
        }
        testbed.classOfOwner.push_back(static_cast<std::uint32_t>(found - classes.begin()));
    }
    const bool hasBeside = scenario.has_transfer() || scenario.cross_traffic_size() > 0;
    std::set<std::uint32_t> used(testbed.classOfOwner.begin(), testbed.classOfOwner.end());
    if (hasBeside)
    {
        used.insert(0);
    }
    if (used.size() < 2)
    {
        testbed.classOfOwner.clear();
        return;
    }
    testbed.wan.classes = classes;
}

void
CheckClassNames(const Scenario& scenario, const ScenarioFile& file)
{
    std::set<std::string> names{besideJobs};
    for (const auto& job : scenario.job())
    {
        names.insert(job.name());
        if (job.priority() != 0)
        {
            file.Fail(
                "traffic_class", "", "must not be there with job.priority: give a class the job");
        }
    }
    for (int i = 0; i < scenario.traffic_class_size(); ++i)
    {
        const std::string& dscp = scenario.traffic_class(i).dscp();
        if (!CodePointOf(dscp))
        {
            file.Fail(fmt::format("traffic_class[{}].dscp", i),
                      dscp,
                      "must be EF, VOICE-ADMIT, LE, DF, CS0 to CS7, AF11 to AF43 or 0 to 63");
        }
        const Bytes burst = ParseBytes(scenario.traffic_class(i).burst());
        if (burst.Count() < scenario.mtu())
        {
            file.Fail(
                fmt::format("traffic_class[{}].burst", i), Format(burst), "must be >= the MTU");
        }
        for (const std::string& name : scenario.traffic_class(i).job())
        {
            if (names.count(name) == 0)
            {
                file.Fail(fmt::format("traffic_class[{}].job", i), name, "is the name of no job");
            }
        }
    }
}

/// Gives each job connections of their own for each kind of messages, where a class tells kinds apart.
void
SetClasses(const Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    CheckClassNames(scenario, file);
    const ClassTable table(scenario);
    const auto& written = scenario.traffic_class();
    const bool tellsKinds = std::any_of(
        written.begin(), written.end(), [](const auto& one) { return one.kind_size() > 0; });
    const auto jobs = static_cast<OwnerIndex>(experiment.jobs.size());
    TestbedSpec& testbed = experiment.testbed;
    testbed.wan.classes = table.All();
    testbed.classOfOwner.assign(tellsKinds ? 3 * jobs + 1 : jobs + 1, 0);
    for (OwnerIndex job = 0; job < jobs; ++job)
    {
        TrainingSpec& spec = experiment.jobs[job];
        const auto add = [&](OwnerIndex owner, MessageKind kind)
        { testbed.classOfOwner[owner] = table.Of(kind, spec.name); };
        add(spec.owners.front(), MessageKind::Activations);
        if (tellsKinds)
        {
            // One owner, after the jobs, sends beside them.
            spec.owners = {job, jobs + 1 + job, 2 * jobs + 1 + job};
            add(spec.owners[1], MessageKind::Gradients);
            add(spec.owners[2], MessageKind::Other);
        }
    }
}

} // namespace

void
ResolveClasses(const Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    const bool isWritten = scenario.traffic_class_size() > 0;
    TestbedSpec& testbed = experiment.testbed;
    if (isWritten)
    {
        SetClasses(scenario, file, experiment);
    }
    else
    {
        RankJobs(scenario, testbed);
    }
    if (!ServeUnlike(testbed.wan.classes))
    {
        return;
    }
    const std::string field = isWritten ? "traffic_class.priority" : "job.priority";
    int lowest = testbed.wan.classes.front().priority;
    for (const std::uint32_t number : testbed.classOfOwner)
    {
        lowest = std::min(lowest, testbed.wan.classes[number].priority);
    }
    if (scenario.transfer().has_duration() && lowest < testbed.wan.classes.front().priority)
    {
        file.Fail(
            field,
            std::to_string(lowest),
            fmt::format("must be >= {} beside steady flows, behind which no connection would open",
                        testbed.wan.classes.front().priority));
    }
    const auto& caps = scenario.caps();
    const bool isCapped = caps.has_node_pair() || caps.has_node_egress() || caps.has_node_ingress();
    if (isCapped && !NetworkKindOf(scenario.run()).hasPackets &&
        (isWritten || ShareNodes(experiment.jobs)))
    {
        file.Fail(
            field,
            "",
            "must be the same for all that share the caps of a node on the analytic network: run "
            "it over packets");
    }
    const WanTopology& wan = testbed.wan;
    for (std::size_t i = 0; i < wan.links.size(); ++i)
    {
        const auto& link = wan.links[i];
        const std::vector<std::string> queues = link.Names();
        if (!queues.empty() || link.policer || link.learned)
        {
            file.Fail(
                field,
                "",
                fmt::format("must be the same for all, since the link \"{}\" has {}, which knows "
                            "no priorities",
                            wan.NamesOfLink(i).first,
                            !queues.empty() ? queues.front()
                            : link.policer  ? "policer"
                                            : "learned"));
        }
    }
}

} // namespace geotrain
