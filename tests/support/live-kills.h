// SPDX-License-Identifier: GPL-2.0-only
// Kills processes of `geotrain live` at random moments, and checks that nothing is left of the run:
// no process (and so no namespace, which lives as long as its processes), interface, mount or file.
// The processes of a run are known by their environment, which names the test's folder.
#pragma once

#include "program-test.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <set>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace geotrain
{

class LiveKills : public ProgramTest
{
  protected:
    void TearDown() override
    {
        unsetenv("TMPDIR");
    }

    /// Starts, kills and checks `runs` runs.
    void KillAtRandom(unsigned seed, int runs)
    {
        std::mt19937 random(seed);
        Write("t.textproto", R"(
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "50Mbps" delay: "10ms" queue: "1bdp" }
transport { window: "2MB" connections: 2 }
transfer { from: "a" to: "b" size: "20MB" }
)");
        std::filesystem::create_directory(m_temporaries);
        setenv("TMPDIR", m_temporaries.c_str(), 1); // which the runs inherit
        const std::string machine = Machine();
        for (int run = 0; run < runs; ++run)
        {
            SCOPED_TRACE(fmt::format("run {} of seed {}", run, seed));
            const bool isTransfer = random() % 2 == 0;
            const auto delay = std::chrono::milliseconds(random() % 1500);
            const pid_t parent = Start(isTransfer);
            std::this_thread::sleep_for(delay);
            const auto processes = Processes();
            if (!processes.empty())
            {
                kill(processes[random() % processes.size()], SIGKILL);
            }
            AwaitEndOf(parent);
            if (Contents(m_folder / "error.txt").find("allows no namespaces") != std::string::npos)
            {
                GTEST_SKIP() << Contents(m_folder / "error.txt");
            }
            const auto cleaned = Geotrain("live --clean --quiet");
            ASSERT_EQ(cleaned.code, 0) << cleaned.error;
            AwaitEndOfProcesses(); // the kernel has killed them, and ends them
            ASSERT_TRUE(Processes().empty());
            ASSERT_EQ(Machine(), machine);
            ASSERT_TRUE(std::filesystem::is_empty(m_temporaries));
        }
    }

  private:
    static constexpr int s_patienceMs = 15000;

    pid_t Start(bool isTransfer) const
    {
        const pid_t process = fork();
        if (process != 0)
        {
            return process;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int output =
            open((m_folder / "error.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        static_cast<void>(chdir(m_folder.c_str()));
        const char* exec = isTransfer ? nullptr : "--exec";
        execl(GEOTRAIN_PROGRAM,
              "geotrain",
              "live",
              "t.textproto",
              "--out",
              "live",
              "--force",
              "--quiet",
              exec,
              "a/0: sleep 60",
              nullptr);
        _exit(127);
    }

    /// Waits for the end of a run one of whose processes was killed: all of it ends then.
    void AwaitEndOf(pid_t parent) const
    {
        for (int waited = 0; waited < s_patienceMs; waited += 10)
        {
            if (waitpid(parent, nullptr, WNOHANG) == parent)
            {
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ADD_FAILURE() << "the run goes on without one of its processes";
        kill(parent, SIGKILL);
        waitpid(parent, nullptr, 0);
    }

    void AwaitEndOfProcesses() const
    {
        for (int tries = 0; tries < 100 && !Processes().empty(); ++tries)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    /// Returns the processes of the run, the first one first.
    std::vector<pid_t> Processes() const
    {
        std::vector<pid_t> processes;
        for (const auto& entry : std::filesystem::directory_iterator("/proc"))
        {
            const std::string name = entry.path().filename().string();
            if (name.find_first_not_of("0123456789") == std::string::npos &&
                Contents(entry.path() / "environ").find(m_temporaries.string()) !=
                    std::string::npos)
            {
                processes.push_back(std::stoi(name));
            }
        }
        return processes;
    }

    /// Returns the names of interfaces, the mounts and the named network namespaces of the machine.
    static std::string Machine()
    {
        std::string text = Contents("/proc/self/mounts");
        std::set<std::string> names;
        std::ifstream interfaces("/proc/net/dev");
        for (std::string line; std::getline(interfaces, line);)
        {
            names.insert(line.substr(0, line.find(':') + 1));
        }
        std::error_code noFolder;
        for (const auto& entry : std::filesystem::directory_iterator("/run/netns", noFolder))
        {
            names.insert(entry.path().string());
        }
        for (const std::string& name : names)
        {
            text += name + "\n";
        }
        return text;
    }

    const std::filesystem::path m_temporaries = m_folder / "tmp";
};

} // namespace geotrain
