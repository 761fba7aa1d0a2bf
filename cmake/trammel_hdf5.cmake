# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The HDF5 C library as target trammel_hdf5; Debian keeps its serial build under names of its own.
# CMake's FindHDF5 wants the C language enabled, which a user's project need not have.
#
# A program gets the static library where there is one: Debian's shared one brings thirty others
# along (for files on web servers), and a start takes 6 ms longer. A shared library or a Python
# module cannot use the static one.
if(NOT TARGET trammel_hdf5)
  find_path(TRAMMEL_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(TRAMMEL_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
  find_library(TRAMMEL_HDF5_STATIC NAMES libhdf5_serial.a)
  find_library(TRAMMEL_SZ_LIBRARY sz)
  find_library(TRAMMEL_Z_LIBRARY z)
  mark_as_advanced(TRAMMEL_HDF5_INCLUDE TRAMMEL_HDF5_LIBRARY TRAMMEL_HDF5_STATIC
                   TRAMMEL_SZ_LIBRARY TRAMMEL_Z_LIBRARY)
  if(NOT TRAMMEL_HDF5_INCLUDE OR NOT TRAMMEL_HDF5_LIBRARY)
    message(FATAL_ERROR "trammel: the HDF5 C library is missing (Debian: libhdf5-dev)")
  endif()
  set(trammel_hdf5_in_programs ${TRAMMEL_HDF5_LIBRARY})
  if(TRAMMEL_HDF5_STATIC AND TRAMMEL_SZ_LIBRARY AND TRAMMEL_Z_LIBRARY)
    set(trammel_hdf5_in_programs
        "${TRAMMEL_HDF5_STATIC};${TRAMMEL_SZ_LIBRARY};${TRAMMEL_Z_LIBRARY};${CMAKE_DL_LIBS}")
  endif()
  add_library(trammel_hdf5 INTERFACE IMPORTED)
  set_target_properties(trammel_hdf5 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${TRAMMEL_HDF5_INCLUDE}
    INTERFACE_LINK_LIBRARIES "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${trammel_hdf5_in_programs},${TRAMMEL_HDF5_LIBRARY}>")
endif()
