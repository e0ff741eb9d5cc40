# Lets ns-3's own build take geotrain's modules from its contrib/ folder, where they are links into a checkout of geotrain:
#
#   for module in wan-topology bulk-tcp training-network live-wan in-network-optimizer; do ln -s GEOTRAIN/ns3-modules/$module NS3/contrib/; done
#
# There geotrain_library means something else: a library of the compute model only notes its sources, and a module becomes
# an ns-3 module with build_lib, with the sources of the libraries that are part of it.
get_filename_component(GEOTRAIN_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(GEOTRAIN_INCLUDE ${CMAKE_BINARY_DIR}/geotrain-include)

find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

# The libraries whose sources each module takes. A library is part of the one module that all link that need it.
set(GEOTRAIN_PARTS_OF_wan-topology units wan learned-path link-model execution)
set(GEOTRAIN_PARTS_OF_bulk-tcp)
set(GEOTRAIN_PARTS_OF_in-network-optimizer in-network)
set(GEOTRAIN_PARTS_OF_training-network)
set(GEOTRAIN_PARTS_OF_live-wan)

function(geotrain_library name)
    cmake_parse_arguments(ARG "COLD" "FOLDER" "SOURCES;LINKS" ${ARGN})
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    file(MAKE_DIRECTORY ${GEOTRAIN_INCLUDE})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${GEOTRAIN_INCLUDE}/${folder} SYMBOLIC)
    list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL PROPERTY GEOTRAIN_SOURCES_${name} ${ARG_SOURCES})
    if(NOT DEFINED lib${name}) # ns-3 names a target for each folder of contrib
        return()
    endif()
    foreach(part ${GEOTRAIN_PARTS_OF_${name}})
        get_property(sources GLOBAL PROPERTY GEOTRAIN_SOURCES_${part})
        list(APPEND ARG_SOURCES ${sources})
    endforeach()
    file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} model/*.h helper/*.h)
    set(modules ${libinternet} ${libtraffic-control})
    foreach(link ${ARG_LINKS})
        string(REPLACE "geotrain::" "" link ${link})
        if(DEFINED lib${link})
            list(APPEND modules ${lib${link}})
        endif()
    endforeach()
    build_lib(LIBNAME ${name} SOURCE_FILES ${ARG_SOURCES} HEADER_FILES ${headers} LIBRARIES_TO_LINK ${modules} IGNORE_PCH)
    foreach(target ${lib${name}} ${lib${name}-obj})
        target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${GEOTRAIN_INCLUDE}>)
        target_link_libraries(${target} PRIVATE Boost::headers fmt::fmt nlohmann_json::nlohmann_json utf8proc)
    endforeach()
endfunction()

function(geotrain_use_ns3_headers target)
endfunction()

get_property(known GLOBAL PROPERTY GEOTRAIN_SOURCES_units SET)
if(NOT known)
    foreach(folder units wan path-learning execution in-network)
        add_subdirectory(${GEOTRAIN_ROOT}/compute-model/${folder} ${CMAKE_BINARY_DIR}/geotrain/${folder})
    endforeach()
endif()
