#include "analytic/congestion-window.h"

#include "analytic/bulk-window.h"
#include "analytic/stock-window.h"

namespace geotrain
{

std::unique_ptr<CongestionWindow>
CongestionWindow::Make(const Settings& settings)
{
    if (settings.isBulkTcp)
    {
        return std::make_unique<BulkWindow>(settings);
    }
    return std::make_unique<StockWindow>(settings);
}

} // namespace geotrain
