# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The page (viewer/) as a source file: npm fetches the packages of package-lock.json into the build
# folder, esbuild bundles them, and the bundle becomes C++ text. Sets trammel_page_source and
# trammel_has_page. Without node or npm, or where npm cannot fetch, the library is built without the
# page: the reason is printed and kept in viewer/no_page of the build folder, and the next
# configuration tries again (`make demo` and `make build` configure again as long as that file exists).
set(trammel_has_page OFF)
set(trammel_page_source ${PROJECT_SOURCE_DIR}/cmake/no_page.cpp)
set(trammel_viewer_dir ${PROJECT_BINARY_DIR}/viewer)  # node_modules and what is made from them
set(viewer ${PROJECT_SOURCE_DIR}/viewer)

# Runs `npm ci` unless the packages of this package-lock.json are already there. Sets `why` to the
# reason if it fails. Scripts of packages are not run: none is needed, and an install stays a download.
function(trammel_fetch_page_packages)
  set(inputs package.json package-lock.json .npmrc)
  list(TRANSFORM inputs PREPEND ${viewer}/)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  file(SHA256 ${viewer}/package-lock.json wanted)
  set(fetched_file ${trammel_viewer_dir}/fetched)
  if(EXISTS ${fetched_file})
    file(READ ${fetched_file} fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()

  message(NOTICE "Fetching the packages of the page")
  file(REMOVE ${fetched_file})
  file(COPY ${inputs} DESTINATION ${trammel_viewer_dir})
  execute_process(
    COMMAND ${TRAMMEL_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
            --fetch-retries=1 --fetch-retry-mintimeout=1000
    WORKING_DIRECTORY ${trammel_viewer_dir} TIMEOUT 300
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(result EQUAL 0)
    file(WRITE ${fetched_file} ${wanted})
    return()
  endif()
  # npm's own word, such as ENOTFOUND, else the exit status
  set(code "npm ended with ${result}")
  if(text MATCHES "code (E[A-Z0-9_]+)")
    set(code ${CMAKE_MATCH_1})
  endif()
  file(WRITE ${trammel_viewer_dir}/npm.log "${text}")
  set(why "npm could not fetch its packages (${code}, see ${trammel_viewer_dir}/npm.log)" PARENT_SCOPE)
endfunction()

find_program(TRAMMEL_NODE node)
find_program(TRAMMEL_NPM npm)
set(why "")
if(NOT TRAMMEL_NODE OR NOT TRAMMEL_NPM)
  set(why "node and npm were not found")
else()
  execute_process(COMMAND ${TRAMMEL_NODE} --version OUTPUT_VARIABLE node_version
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" node_version "${node_version}")
  if(node_version VERSION_GREATER_EQUAL 18)
    trammel_fetch_page_packages()
  else()
    set(why "node ${node_version} is too old, 18 is needed")
  endif()
endif()

if(NOT why STREQUAL "")
  message(NOTICE "Trammel is built without its page (-o run.html, trammel report): ${why}.")
  file(REMOVE ${trammel_viewer_dir}/page_template.cpp)
  file(WRITE ${trammel_viewer_dir}/no_page "${why}\n")
  return()
endif()
file(REMOVE ${trammel_viewer_dir}/no_page)

set(trammel_has_page ON)
set(trammel_page_source ${trammel_viewer_dir}/page_template.cpp)
file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
add_custom_command(
  OUTPUT ${trammel_page_source}
  COMMAND ${TRAMMEL_NODE} ${viewer}/build.mjs ${trammel_viewer_dir} ${trammel_page_source}
  DEPENDS ${viewer}/build.mjs ${viewer_sources} ${trammel_viewer_dir}/fetched
  COMMENT "Bundling the page"
  VERBATIM)
