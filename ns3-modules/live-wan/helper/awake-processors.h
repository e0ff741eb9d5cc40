// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

namespace ns3
{

/// AwakeProcessors keeps idle processors from sleeping, by the kernel's quality of service for power
/// (Documentation/power/pm_qos_interface.rst). A processor that sleeps takes 0.1 ms or more to handle
/// what it is woken for, and a frame crosses several of them. Does nothing where the caller may not
/// write the device, which root may. The kernel forgets it when the process ends, in whatever way.
class AwakeProcessors
{
  public:
    AwakeProcessors()
        : m_device(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC))
    {
        const std::int32_t tolerableUs = 0;
        if (m_device >= 0 && write(m_device, &tolerableUs, sizeof tolerableUs) < 0)
        {
            close(m_device);
            m_device = -1;
        }
    }

    ~AwakeProcessors()
    {
        if (m_device >= 0)
        {
            close(m_device);
        }
    }

    AwakeProcessors(const AwakeProcessors&) = delete;
    AwakeProcessors& operator=(const AwakeProcessors&) = delete;

  private:
    int m_device;
};

} // namespace ns3
