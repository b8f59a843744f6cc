// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/weights_file.h: weights of a compiled model in a file of their own:
 *
 *   1  16 bytes  BD_WEIGHTS_MAGIC
 *   2  8 bytes   size of the file, little-endian
 *   3  4 bytes   CRC-32 of all after the header; 4 bytes: 1, or 0 where no checksum was written
 *   4  32 bytes  the identity of the model: the artifact's
 *   5  tensors, dense, in row-major order, each at a multiple of 64 from the start of the file */
#ifndef BUDDY_SDK_RUNTIME_WEIGHTS_FILE_H
#define BUDDY_SDK_RUNTIME_WEIGHTS_FILE_H

#define BD_WEIGHTS_MAGIC "buddy weights 1\n"
#define BD_WEIGHTS_HEADER 64u
#define BD_IDENTITY_SIZE 32u

#endif
