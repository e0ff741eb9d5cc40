#include "schedule/schedule-catalogue.h"

#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"

namespace geotrain
{

const std::vector<ScheduleEntry>&
ScheduleCatalogue()
{
    static const std::vector<ScheduleEntry> entries = {
        {"gpipe",
         "all forwards, then all backwards; holds every microbatch's activations",
         "Huang et al., NeurIPS'19, section 2.3",
         &GPipe},
        {"1f1b",
         "one forward, one backward in turn; warmup_factor deepens the warm-up",
         "Narayanan et al., SC'21, section 2.2.1",
         &OneForwardOneBackward},
    };
    return entries;
}

const ScheduleEntry*
FindSchedule(const std::string& name)
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        if (entry.name == name)
        {
            return &entry;
        }
    }
    return nullptr;
}

} // namespace geotrain
