// A queue that keeps its memory: std::deque frees and takes blocks as it moves along, which costs more than what the analytic
// network does with a train.
#pragma once

#include <boost/circular_buffer.hpp>

#include <algorithm>

namespace geotrain
{

template <typename T>
class GrowingRing : public boost::circular_buffer<T>
{
  public:
    void PushBack(const T& value)
    {
        if (this->full())
        {
            this->set_capacity(std::max<std::size_t>(8, 2 * this->capacity()));
        }
        this->push_back(value);
    }
};

} // namespace geotrain
