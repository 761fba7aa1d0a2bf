# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# METIS, the graph partitioner, as target trammel_metis. It has no package file for CMake.
if(NOT TARGET trammel_metis)
  find_path(TRAMMEL_METIS_INCLUDE metis.h)
  find_library(TRAMMEL_METIS_LIBRARY metis)
  mark_as_advanced(TRAMMEL_METIS_INCLUDE TRAMMEL_METIS_LIBRARY)
  if(NOT TRAMMEL_METIS_INCLUDE OR NOT TRAMMEL_METIS_LIBRARY)
    message(FATAL_ERROR "trammel: the METIS library is missing (Debian: libmetis-dev)")
  endif()
  add_library(trammel_metis INTERFACE IMPORTED)
  set_target_properties(trammel_metis PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${TRAMMEL_METIS_INCLUDE}
    INTERFACE_LINK_LIBRARIES ${TRAMMEL_METIS_LIBRARY})
endif()
