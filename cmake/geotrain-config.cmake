# SPDX-License-Identifier: GPL-2.0-only
# find_package(geotrain): the ns-3 modules geotrain::wan-topology, geotrain::bulk-tcp, geotrain::training-network and
# geotrain::in-network-optimizer, and the libraries of the compute model (geotrain::execution, geotrain::schedule, ...), with what they need.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.74)
find_dependency(LibXml2)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(ns3 3.37)
include(${CMAKE_CURRENT_LIST_DIR}/geotrain-targets.cmake)
