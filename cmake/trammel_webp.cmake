# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries for animated pictures as target trammel_webp; without them `trammel render` makes none.
# A program gets static libraries where there are some, as of HDF5 (trammel_hdf5.cmake): three shared ones
# more would lengthen every start.
if(NOT TARGET trammel_webp)
  set(trammel_has_webp ON)
  set(trammel_webp_shared "")
  set(trammel_webp_static "")
  foreach(name webpmux webp png z)
    string(TOUPPER ${name} upper)
    find_library(TRAMMEL_${upper}_LIBRARY ${name})
    find_library(TRAMMEL_${upper}_STATIC lib${name}.a)
    mark_as_advanced(TRAMMEL_${upper}_LIBRARY TRAMMEL_${upper}_STATIC)
    if(NOT TRAMMEL_${upper}_LIBRARY)
      set(trammel_has_webp OFF)
    endif()
    list(APPEND trammel_webp_shared "${TRAMMEL_${upper}_LIBRARY}")
    if(TRAMMEL_${upper}_STATIC)
      list(APPEND trammel_webp_static "${TRAMMEL_${upper}_STATIC}")
    else()
      list(APPEND trammel_webp_static "${TRAMMEL_${upper}_LIBRARY}")
    endif()
  endforeach()
  find_path(TRAMMEL_WEBP_INCLUDE webp/mux.h)
  find_path(TRAMMEL_PNG_INCLUDE png.h)
  mark_as_advanced(TRAMMEL_WEBP_INCLUDE TRAMMEL_PNG_INCLUDE)
  if(NOT TRAMMEL_WEBP_INCLUDE OR NOT TRAMMEL_PNG_INCLUDE)
    set(trammel_has_webp OFF)
  endif()
  add_library(trammel_webp INTERFACE IMPORTED)
  if(trammel_has_webp)
    set_target_properties(trammel_webp PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${TRAMMEL_WEBP_INCLUDE};${TRAMMEL_PNG_INCLUDE}"
      INTERFACE_LINK_LIBRARIES "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${trammel_webp_static},${trammel_webp_shared}>")
  endif()
endif()
