// SPDX-License-Identifier: GPL-2.0-only
#include "live/node-programs.h"

#include "live-wan/helper/urgency.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

constexpr int PROGRAM_POLL_US = 10000;
constexpr int PATIENCE_US = 1000000; ///< from SIGTERM to SIGKILL

int
ExitCodeOfStatus(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void
UseOutput(const std::filesystem::path& output)
{
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
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
    for (NodeProgram& program : m_programs)
    {
        std::fflush(nullptr);
        program.process = fork();
        if (program.process == 0)
        {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            setpgid(0, 0); // what it starts ends with it
            ns3::SetUrgency(ns3::Urgency::Ordinary);
            m_nodes.Enter(program.node);
            UseOutput(program.output);
            execl("/bin/sh", "sh", "-c", program.command.c_str(), nullptr);
            _exit(127);
        }
        // A server that is named before its client gets a moment to listen.
        usleep(200000);
    }
}

void
NodePrograms::Collect()
{
    for (NodeProgram& program : m_programs)
    {
        int status = 0;
        if (program.process > 0 && waitpid(program.process, &status, WNOHANG) == program.process)
        {
            program.process = -1;
            program.exitCode = ExitCodeOfStatus(status);
        }
    }
}

bool
NodePrograms::IsLeaderDone()
{
    Collect();
    return m_programs.empty() || m_programs.back().process < 0;
}

void
NodePrograms::Stop()
{
    const auto anyRuns = [this]
    {
        Collect();
        return std::any_of(m_programs.begin(),
                           m_programs.end(),
                           [](const NodeProgram& program) { return program.process > 0; });
    };
    for (const int signal : {SIGTERM, SIGKILL})
    {
        if (!anyRuns())
        {
            return;
        }
        for (NodeProgram& program : m_programs)
        {
            if (program.process > 0)
            {
                program.isStopped = true;
                kill(-program.process, signal);
            }
        }
        for (int waited = 0; anyRuns() && waited < PATIENCE_US; waited += PROGRAM_POLL_US)
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
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::signal(SIGINT, SIG_DFL);
        ns3::SetUrgency(ns3::Urgency::Ordinary);
        nodes.Enter(node);
        const char* chosen = std::getenv("SHELL");
        const char* shell = chosen && *chosen ? chosen : "/bin/sh";
        setenv("GEOTRAIN_NODE", nodeName.c_str(), 1);
        execl(shell, shell, nullptr);
        execl("/bin/sh", "sh", nullptr);
        _exit(127);
    }
    int status = 0;
    for (int patience = PATIENCE_US; waitpid(process, &status, WNOHANG) == 0;)
    {
        usleep(PROGRAM_POLL_US);
        if (isOver()) // an interactive shell ignores SIGTERM
        {
            kill(process, patience > 0 ? SIGHUP : SIGKILL);
            patience -= PROGRAM_POLL_US;
        }
    }
    // A shell with job control has made itself the terminal's foreground group.
    std::signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    return ExitCodeOfStatus(status);
}

} // namespace geotrain
