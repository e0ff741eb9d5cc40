# SPDX-License-Identifier: GPL-2.0-only
# Writes OUTPUT, a C++ source that holds the files of FOLDER/*.textproto as texts, by name:
# cmake -DFOLDER=... -DOUTPUT=... -P embed-texts.cmake
file(GLOB files ${FOLDER}/*.textproto)
list(SORT files)
set(source "// Written by cmake/embed-texts.cmake.\n#include \"loader/library-texts.h\"\n\n")
string(APPEND source "namespace geotrain\n{\n\nconst std::vector<LibraryText>&\nLibraryTexts()\n{\n")
string(APPEND source "    static const std::vector<LibraryText> texts{\n")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND source "{\"${name}\", R\"textproto(${text})textproto\"},\n")
endforeach()
string(APPEND source "    };\n    return texts;\n}\n\n} // namespace geotrain\n")
file(WRITE ${OUTPUT} "${source}")
