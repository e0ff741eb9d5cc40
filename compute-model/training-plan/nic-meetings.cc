// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/nic-meetings.h"

#include <algorithm>
#include <map>
#include <set>

namespace geotrain
{

namespace
{

bool
IsByMembers(InstructionKind kind)
{
    return IsCollective(kind) && kind != InstructionKind::Pull && kind != InstructionKind::Push;
}

/// NicUsers finds where a collective inside a data centre meets something else in a NIC that a formula
/// does not have. Messages of its members are not in its way, since all but the last come before it.
class NicUsers
{
  public:
    NicUsers(const ExecutionPlan& plan, const CellLayout& cells)
        : m_plan(plan),
          m_cells(cells)
    {
        for (const auto& group : m_plan.groups)
        {
            auto& nodes = m_nodesOfGroup.emplace_back();
            for (const WorkerIndex member : group)
            {
                nodes.push_back(m_plan.workers[member].node);
            }
        }
        for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
        {
            for (const Instruction& sent : m_plan.workers[worker].stream)
            {
                AddUsers(worker, sent);
            }
        }
    }

    bool MeetCollectives() const
    {
        for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
        {
            if (JoinsSeveralGroups(worker))
            {
                return true;
            }
        }
        for (const std::uint32_t group : m_byFormula)
        {
            if (HasOthersOnItsNodes(group))
            {
                return true;
            }
        }
        return false;
    }

  private:
    void AddUsers(WorkerIndex worker, const Instruction& sent)
    {
        if (!LeavesNode(worker, sent))
        {
            return;
        }
        if (!IsByMembers(sent.kind))
        {
            Add(worker);
            Add(sent.peer);
        }
        else if (CrossesWan(m_cells, m_nodesOfGroup[sent.group]))
        {
            Add(worker);
        }
        else
        {
            m_byFormula.insert(sent.group);
        }
    }

    void Add(WorkerIndex worker)
    {
        m_users[m_plan.workers[worker].node].insert(worker);
    }

    bool LeavesNode(const std::vector<NodeIndex>& nodes) const
    {
        return std::any_of(
            nodes.begin(), nodes.end(), [&](NodeIndex node) { return node != nodes.front(); });
    }

    bool LeavesNode(WorkerIndex worker, const Instruction& instruction) const
    {
        return IsByMembers(instruction.kind)
                   ? LeavesNode(m_nodesOfGroup[instruction.group])
                   : instruction.kind == InstructionKind::Send &&
                         m_plan.workers[instruction.peer].node != m_plan.workers[worker].node;
    }

    /// Returns whether a worker joins collectives in several groups, one of them by formula, such as that
    /// of tied embeddings over the WAN. Members of the second join it at unlike times.
    bool JoinsSeveralGroups(WorkerIndex worker) const
    {
        std::set<std::uint32_t> joined;
        bool isByFormula = false;
        for (const Instruction& sent : m_plan.workers[worker].stream)
        {
            if (IsByMembers(sent.kind) && LeavesNode(worker, sent))
            {
                joined.insert(sent.group);
                isByFormula = isByFormula || m_byFormula.count(sent.group) > 0;
            }
        }
        return isByFormula && joined.size() > 1;
    }

    bool HasOthersOnItsNodes(std::uint32_t group) const
    {
        const auto& list = m_plan.groups[group];
        const std::set<WorkerIndex> members(list.begin(), list.end());
        const auto& nodes = m_nodesOfGroup[group];
        return std::any_of(nodes.begin(),
                           nodes.end(),
                           [&](NodeIndex node)
                           {
                               const auto here = m_users.find(node);
                               return here != m_users.end() && !std::includes(members.begin(),
                                                                              members.end(),
                                                                              here->second.begin(),
                                                                              here->second.end());
                           });
    }

    const ExecutionPlan& m_plan;
    const CellLayout& m_cells;
    std::vector<std::vector<NodeIndex>> m_nodesOfGroup;
    std::set<std::uint32_t> m_byFormula;                ///< groups of collectives over NICs
    std::map<NodeIndex, std::set<WorkerIndex>> m_users; ///< of NICs, but for collectives by formula
};

} // namespace

bool
CrossesWan(const CellLayout& cells, const std::vector<NodeIndex>& nodes)
{
    const auto& dataCenterOf = cells.dataCenterOfNode;
    return std::any_of(nodes.begin(),
                       nodes.end(),
                       [&](NodeIndex node)
                       { return dataCenterOf[node] != dataCenterOf[nodes.front()]; });
}

bool
CollectivesMeetMessages(const ExecutionPlan& plan, const CellLayout& cells)
{
    return NicUsers(plan, cells).MeetCollectives();
}

} // namespace geotrain
