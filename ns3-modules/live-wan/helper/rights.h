// SPDX-License-Identifier: GPL-2.0-only
// Gives up what a process of a live run may do beyond any other program (capabilities(7)), once its
// namespaces and sockets are open.
#pragma once

#include <cstdint>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3
{

/// Drops all capabilities but `kept`, a set of bits, of this process and of those that it starts from
/// then on, for good. A kernel that refuses leaves them.
inline void
DropRights(std::uint32_t kept = 0)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;)
    {
        ++capability;
    }
    static_assert(_LINUX_CAPABILITY_U32S_3 == 2); // the first word has all that are kept
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct rights[2] = {{kept, kept, 0}, {0, 0, 0}};
    syscall(SYS_capset, &header, rights);
}

} // namespace ns3
