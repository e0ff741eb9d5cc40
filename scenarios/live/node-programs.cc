// SPDX-License-Identifier: GPL-2.0-only
#include "live/node-programs.h"

#include "live-wan/helper/urgency.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace geotrain
{

namespace
{

constexpr int PROGRAM_POLL_US = 10000;
constexpr int PATIENCE_US = 1000000; ///< from SIGTERM to SIGKILL

void
UseOutput(const std::filesystem::path& output)
{
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
}

} // namespace

NodePrograms::NodePrograms(const ns3::NodeNamespaces& nodes, std::vector<NodeProgram> programs)
    : m_nodes(nodes),
      m_programs(std::move(programs))
{
}

NodePrograms::~NodePrograms()
{
    Stop();
}

void
NodePrograms::Start()
{
    for (const NodeProgram& program : m_programs)
    {
        m_processes.emplace_back(
            [&]
            {
                setpgid(0, 0); // what it starts ends with it
                ns3::SetUrgency(ns3::Urgency::Ordinary);
                const bool isAllowed =
                    !program.nice || setpriority(PRIO_PROCESS, 0, *program.nice) == 0;
                m_nodes.Enter(program.node);
                UseOutput(program.output);
                if (!isAllowed)
                {
                    dprintf(STDERR_FILENO, "--nice %d is not allowed here\n", *program.nice);
                    return 126;
                }
                execl("/bin/sh", "sh", "-c", program.command.c_str(), nullptr);
                return 127;
            });
        // A server that is named before its client gets a moment to listen.
        usleep(200000);
    }
}

bool
NodePrograms::AnyRuns()
{
    bool anyRuns = false;
    for (std::size_t i = 0; i < m_processes.size(); ++i)
    {
        anyRuns = !m_processes[i].HasEnded() || anyRuns;
        m_programs[i].exitCode = m_processes[i].ExitCode();
    }
    return anyRuns;
}

bool
NodePrograms::IsLeaderDone()
{
    return !AnyRuns() || m_processes.back().HasEnded();
}

void
NodePrograms::Stop()
{
    for (const int signal : {SIGTERM, SIGKILL})
    {
        for (std::size_t i = 0; i < m_processes.size(); ++i)
        {
            if (!m_processes[i].HasEnded())
            {
                m_programs[i].isStopped = true;
                kill(-m_processes[i].Id(), signal);
            }
        }
        for (int waited = 0; AnyRuns() && waited < PATIENCE_US; waited += PROGRAM_POLL_US)
        {
            usleep(PROGRAM_POLL_US);
        }
    }
}

const std::vector<NodeProgram>&
NodePrograms::Programs() const
{
    return m_programs;
}

int
RunShell(const ns3::NodeNamespaces& nodes,
         std::uint32_t node,
         const std::string& nodeName,
         const std::function<bool()>& isOver)
{
    ChildProcess process(
        [&]
        {
            std::signal(SIGINT, SIG_DFL);
            ns3::SetUrgency(ns3::Urgency::Ordinary);
            nodes.Enter(node);
            const char* chosen = std::getenv("SHELL");
            const char* shell = chosen && *chosen ? chosen : "/bin/sh";
            setenv("GEOTRAIN_NODE", nodeName.c_str(), 1);
            execl(shell, shell, nullptr);
            execl("/bin/sh", "sh", nullptr);
            return 127;
        });
    for (int patience = PATIENCE_US; !process.HasEnded();)
    {
        usleep(PROGRAM_POLL_US);
        if (isOver()) // an interactive shell ignores SIGTERM
        {
            process.Send(patience > 0 ? SIGHUP : SIGKILL);
            patience -= PROGRAM_POLL_US;
        }
    }
    // A shell with job control has made itself the terminal's foreground group.
    std::signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    return process.ExitCode();
}

} // namespace geotrain
