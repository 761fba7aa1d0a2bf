# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The page (viewer/) as a source file: npm fetches what package-lock.json names into the build folder,
# esbuild bundles it, and the bundle becomes C++ text. Sets trammel_page_source and trammel_has_page.
# Without node and npm the library is built without pages, and says so.
set(trammel_has_page OFF)
set(trammel_page_source ${PROJECT_SOURCE_DIR}/cmake/no_page.cpp)
set(trammel_viewer_dir ${PROJECT_BINARY_DIR}/viewer)  # node_modules and what is made

find_program(TRAMMEL_NODE node)
find_program(TRAMMEL_NPM npm)
set(why "node and npm were not found")
if(TRAMMEL_NODE AND TRAMMEL_NPM)
  execute_process(COMMAND ${TRAMMEL_NODE} --version OUTPUT_VARIABLE node_version
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" node_version "${node_version}")
  set(why "node ${node_version} is too old, 18 is needed")
  if(node_version VERSION_GREATER_EQUAL 18)
    set(trammel_has_page ON)
  endif()
endif()
if(NOT trammel_has_page)
  message(WARNING "Trammel is built without pages (-o run.html, trammel report): ${why}.")
  return()
endif()

# Scripts of packages are not run: none is needed, and an install stays a download.
set(packages ${trammel_viewer_dir}/node_modules/.package-lock.json)
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
add_custom_command(
  OUTPUT ${packages}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${trammel_viewer_dir}
  COMMAND ${CMAKE_COMMAND} -E copy ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/.npmrc
          ${trammel_viewer_dir}
  COMMAND ${TRAMMEL_NPM} ci --ignore-scripts --no-audit --no-fund --silent
  COMMAND ${CMAKE_COMMAND} -E touch ${packages}
  WORKING_DIRECTORY ${trammel_viewer_dir}
  DEPENDS ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/.npmrc
  COMMENT "Fetching the packages of the page"
  VERBATIM)

file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
set(trammel_page_source ${trammel_viewer_dir}/page_template.cpp)
add_custom_command(
  OUTPUT ${trammel_page_source}
  COMMAND ${TRAMMEL_NODE} ${viewer}/build.mjs ${trammel_viewer_dir} ${trammel_page_source}
  DEPENDS ${viewer}/build.mjs ${viewer_sources} ${packages}
  COMMENT "Bundling the page"
  VERBATIM)
