// SPDX-License-Identifier: GPL-2.0-only
// Runs a user's programs in the nodes of a live WAN.
#pragma once

#include "live-wan/helper/node-namespaces.h"
#include "units/child-process.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A NodeProgram is a command of the shell in one node.
struct NodeProgram
{
    std::string nodeName; ///< "dc-a/0"
    std::uint32_t node = 0;
    std::string command;          ///< names of nodes are replaced by their addresses
    std::filesystem::path output; ///< what it writes to both of its outputs
    /// Nice value, -20 to 19; below that of this program needs rights. None: that of this program.
    std::optional<int> nice = std::nullopt;
    int exitCode = 0;             ///< 128 + the signal that ended it
    bool isStopped = false;       ///< the run ended it
};

/// NodePrograms are the programs of one run, in the order in which they were given.
class NodePrograms
{
  public:
    /// `nodes` outlives the programs.
    NodePrograms(const ns3::NodeNamespaces& nodes, std::vector<NodeProgram> programs);

    /// Stops those that still run.
    ~NodePrograms();
    NodePrograms(const NodePrograms&) = delete;
    NodePrograms& operator=(const NodePrograms&) = delete;

    void Start();

    /// Returns whether the last of them has ended: it leads, and the others serve it.
    bool IsLeaderDone();

    /// Ends those that still run: SIGTERM, and SIGKILL after a second.
    void Stop();

    const std::vector<NodeProgram>& Programs() const;

  private:
    bool AnyRuns();

    const ns3::NodeNamespaces& m_nodes;
    std::vector<NodeProgram> m_programs;
    std::vector<ChildProcess> m_processes; ///< by program, once they are started
};

/// Runs an interactive shell in a node, on this process's terminal, until it ends or `isOver` holds.
/// Returns its exit code.
int RunShell(const ns3::NodeNamespaces& nodes,
             std::uint32_t node,
             const std::string& nodeName,
             const std::function<bool()>& isOver);

} // namespace geotrain
