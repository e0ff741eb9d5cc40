// SPDX-License-Identifier: GPL-2.0-only
// A shared library that --load refuses. The target's macro FAULT picks why.
#include <ns3/type-id.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace broken
{

#if FAULT == 1 // no congestion control
const int nothing = 0;
#elif FAULT == 2 // a TypeId that ns-3 has
const ns3::TypeId doubled("ns3::TcpVegas");
#elif FAULT == 3
int
Throw()
{
    throw std::runtime_error("the licence has run out");
}

const int thrown = Throw();
#elif FAULT == 4 // ends the program as if all were well
struct Ends
{
    Ends()
    {
        std::exit(0);
    }
} ends;
#elif FAULT == 5
const int signalled = std::raise(SIGSEGV);
#elif FAULT == 6 // a function that this ns-3 doesn't have
int FunctionOfALaterNs3(int);
const int later = FunctionOfALaterNs3(1);
#endif

} // namespace broken
