# SPDX-License-Identifier: GPL-2.0-only
# What is installed beside the modules (geotrain_install_library): the program with its manual pages, completion, pages and
# Python reader, and the CMake package, whose find_package(geotrain) gives geotrain::bulk-tcp and the others. cpack makes a
# Debian package of it.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geotrain)
install(TARGETS geotrain)
install(DIRECTORY ${PROJECT_BINARY_DIR}/scenarios/cli/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES scenarios/cli/shell/geotrain.bash DESTINATION share/bash-completion/completions RENAME geotrain)
install(FILES scenarios/cli/shell/_geotrain DESTINATION share/zsh/vendor-completions)
install(EXPORT geotrain NAMESPACE geotrain:: FILE geotrain-targets.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geotrain-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/geotrain-config.cmake ${PROJECT_BINARY_DIR}/geotrain-config-version.cmake
    DESTINATION ${package_dir})

# Makes all that is installed, for cpack and cmake --install, which build nothing.
add_custom_target(packaged DEPENDS geotrain)
if(TARGET geotrain-train-path)
    add_dependencies(packaged geotrain-train-path)
endif()

# All libraries that are installed are parts of the program, so that they are built where it is.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/require-programs.cmake CONTENT
"foreach(program IN ITEMS $<TARGET_FILE:geotrain> $<$<TARGET_EXISTS:geotrain-train-path>:$<TARGET_FILE:geotrain-train-path>>)
    if(NOT EXISTS \${program})
        message(FATAL_ERROR \"Nothing is installed: \${program} is not built. This builds all: cmake --build ${PROJECT_BINARY_DIR} --target packaged\")
    endif()
endforeach()
")

install(FILES README.md CHANGELOG.md TYPE DOC)
# The copyright file of each package. Paths of the library are drawn from profiles that have a licence of their own.
set(copyright ${PROJECT_BINARY_DIR}/copyright)
file(READ LICENSE own_licence)
file(READ scenarios/library/paths/LICENSE.ibox ibox_licence)
file(CONFIGURE OUTPUT ${copyright} @ONLY CONTENT "@own_licence@
The model files cellular-* of scenarios/library/paths, which the program contains, are drawn from the network profiles of
internet-in-a-box (https://github.com/microsoft/internet-in-a-box), whose licence is:

@ibox_licence@")
install(FILES ${copyright} TYPE DOC)
if(TARGET geotrain-train-path)
    install(FILES ${copyright} DESTINATION share/doc/geotrain-trainer COMPONENT trainer)
endif()
install(DIRECTORY scenarios/library scenarios/examples TYPE DOC)
install(DIRECTORY docs TYPE DOC PATTERN CMakeLists.txt EXCLUDE PATTERN site EXCLUDE)
install(DIRECTORY analysis/python/geotrain DESTINATION lib/python3/dist-packages FILES_MATCHING PATTERN "*.py")
install(FILES analysis/schema/trace.proto DESTINATION lib/python3/dist-packages/geotrain) # the reader's schema

set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "The developers of geotrain <geotrain@localhost>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The trainer of learned paths is a package of its own, since only it needs libtorch.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
if(TARGET geotrain-train-path)
    list(APPEND CPACK_COMPONENTS_ALL trainer)
endif()
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENT_TRAINER_DESCRIPTION "Trainer of learned paths, which geotrain learn --model rbu starts")
set(CPACK_DEBIAN_TRAINER_PACKAGE_NAME geotrain-trainer)
set(CPACK_DEBIAN_TRAINER_PACKAGE_DEPENDS "geotrain (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME geotrain)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "gnuplot-nox | gnuplot, fonts-dejavu-core")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "python3-pandas, iproute2, geotrain-trainer")
# For a program of one's own against the modules. CMake only recommends make, without which it builds nothing.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "cmake, make | ninja-build, g++, ns3, libns3-dev, libboost-graph-dev, libfmt-dev, libgsl-dev, libpython3.11-dev, libsqlite3-dev, libutf8proc-dev, libxml2-dev, nlohmann-json3-dev, libprotobuf-dev")
include(CPack)
