# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The XML reader as target trammel_pugixml; without it URDF and MJCF files are refused. A program gets the
# static library where there is one, as of HDF5 (trammel_hdf5.cmake).
if(NOT TARGET trammel_pugixml)
  set(trammel_has_pugixml OFF)
  find_path(TRAMMEL_PUGIXML_INCLUDE pugixml.hpp)
  find_library(TRAMMEL_PUGIXML_LIBRARY pugixml)
  find_library(TRAMMEL_PUGIXML_STATIC libpugixml.a)
  mark_as_advanced(TRAMMEL_PUGIXML_INCLUDE TRAMMEL_PUGIXML_LIBRARY TRAMMEL_PUGIXML_STATIC)
  if(NOT TRAMMEL_PUGIXML_STATIC)
    set(TRAMMEL_PUGIXML_STATIC "${TRAMMEL_PUGIXML_LIBRARY}")
  endif()
  add_library(trammel_pugixml INTERFACE IMPORTED)
  if(TRAMMEL_PUGIXML_INCLUDE AND TRAMMEL_PUGIXML_LIBRARY)
    set(trammel_has_pugixml ON)
    set_target_properties(trammel_pugixml PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${TRAMMEL_PUGIXML_INCLUDE}"
      INTERFACE_LINK_LIBRARIES "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${TRAMMEL_PUGIXML_STATIC},${TRAMMEL_PUGIXML_LIBRARY}>")
  endif()
endif()
