# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a C file with the text of INPUT as the constant SYMBOL: cmake -DINPUT= -DOUTPUT= -DSYMBOL= -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "(,'.x0a',)" "\\1\n" bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT}
  "/* Made from ${name}. */\nextern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n")
