// SPDX-License-Identifier: GPL-2.0-only
#include "execution/executor-report.h"

#include <cctype>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

/// A report of more lines groups those that are alike.
constexpr std::size_t mostLines = 24;

/// Returns a line with '#' in place of each number: one of a kind of lines.
std::string
WithoutNumbers(const std::string& line)
{
    std::string kind;
    for (const char c : line)
    {
        const bool isDigit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!isDigit || kind.empty() || kind.back() != '#')
        {
            kind += isDigit ? '#' : c;
        }
    }
    return kind;
}

const char*
NameOf(Payload payload)
{
    return payload == Payload::Activation ? "activation" : "gradient";
}

const char*
NameOf(InstructionKind collective)
{
    switch (collective)
    {
    case InstructionKind::ReduceScatter:
        return "reduce-scatter";
    case InstructionKind::AllGather:
        return "all-gather";
    case InstructionKind::Pull:
        return "pull";
    case InstructionKind::Push:
        return "push";
    case InstructionKind::AllToAll:
        return "all-to-all";
    default:
        return "all-reduce";
    }
}

} // namespace

std::string
NameOfMessage(const ExecutionPlan& plan, const Message& message)
{
    return std::string(NameOf(message.payload)) + " of microbatch " +
           std::to_string(message.microbatch) + " from " + plan.workers[message.sender].name +
           " to " + plan.workers[message.receiver].name;
}

std::string
NameOfCollective(const ExecutionPlan& plan, const Instruction& instruction)
{
    const auto& group = plan.groups[instruction.group];
    const std::string others = group.size() == 1 ? std::string()
                               : group.size() == 2
                                   ? " and " + plan.workers[group.back()].name
                                   : " and " + std::to_string(group.size() - 1) + " others";
    return std::string(NameOf(instruction.kind)) + " of " + plan.workers[group.front()].name +
           others;
}

std::string
WaitOf(const ExecutionPlan& plan, const Instruction& in, bool isComputing)
{
    if (isComputing)
    {
        return "computes";
    }
    if (in.kind == InstructionKind::Receive)
    {
        return std::string("waits for the ") + NameOf(in.payload) + " of microbatch " +
               std::to_string(in.microbatch) + " from " + plan.workers[in.peer].name;
    }
    if (in.kind == InstructionKind::Await && in.lane == Lane::AllToAll)
    {
        return "waits for the tokens of the experts of stage " + std::to_string(in.stage);
    }
    if (in.kind == InstructionKind::Await && in.lane != Lane::Collective)
    {
        return "waits for the " + std::string(in.lane == Lane::Pull ? "pull" : "push") +
               " of layer " + std::to_string(in.stage);
    }
    return in.kind == InstructionKind::Await
               ? "waits for the all-gather of layer " + std::to_string(in.stage)
               : "waits for its collectives";
}

std::string
LinesTogether(const std::vector<std::string>& lines)
{
    std::map<std::string, std::size_t> alike;
    std::vector<std::pair<std::string, std::string>> firsts; // of each kind: the kind and its line
    for (const auto& line : lines)
    {
        const auto kind = lines.size() > mostLines ? WithoutNumbers(line) : line;
        if (++alike[kind] == 1)
        {
            firsts.emplace_back(kind, line);
        }
    }
    std::string text;
    for (const auto& [kind, line] : firsts)
    {
        const std::size_t others = alike[kind] - 1;
        text += line + (others > 0 ? " (and " + std::to_string(others) + " like it)" : "") + "\n";
    }
    return text;
}

} // namespace geotrain
