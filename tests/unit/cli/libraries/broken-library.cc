// SPDX-License-Identifier: GPL-2.0-only
// A shared library that --load refuses. The target's macro FAULT picks why.

namespace broken
{

#if FAULT == 1 // no congestion control
const int nothing = 0;
#elif FAULT == 2 // a function that this ns-3 doesn't have
int FunctionOfALaterNs3(int);
const int later = FunctionOfALaterNs3(1);
#endif

} // namespace broken
