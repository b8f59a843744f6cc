// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/prepacked.h: what compiled code makes of constants once and keeps: weights in the order in
 * which its kernels read them.
 *
 * The code asks for a slot by number. It gets a block whose head is BD_PREPACKED_HEAD bytes long and
 * begins with a 64-bit word: 1 if the bytes after the head are filled. If it is 0, this thread has
 * the lock and fills them, and then calls bd_prepacked_fill.
 *
 * What a kernel reads only until it returns it asks for with BD_RUNTIME_PACK instead: the first
 * time that is memory of the run, which the next such kernel gets again, so that a program that
 * runs once has no copy of its weights. Without a slot, as for weights that a run computes, it is
 * that each time. */
#ifndef BUDDY_SDK_RUNTIME_PREPACKED_H
#define BUDDY_SDK_RUNTIME_PREPACKED_H

#include <stddef.h>
#include <stdint.h>

#include "sdk/runtime/common.h"

#define BD_PREPACKED_HEAD 64
#define BD_PREPACKED_MAX_SLOTS 65536
#define BD_PREPACKED_NO_SLOT (-1)

/* void *(int64 slot, int64 n_bytes), void (int64 slot) */
#define BD_RUNTIME_KEEP "buddy_runtime_keep"
#define BD_RUNTIME_KEEP_FILLED "buddy_runtime_keep_filled"
/* The same two, for what is read only until the next BD_RUNTIME_PACK of this thread. */
#define BD_RUNTIME_PACK "buddy_runtime_pack"
#define BD_RUNTIME_PACKED "buddy_runtime_packed"
/* The address of a buddy_keeper, as int64: for functions of registries. */
#define BD_RUNTIME_KEEPER "buddy_runtime_keeper"

/* [any-thread] */
typedef struct bd_prepacked bd_prepacked;
bd_prepacked *bd_prepacked_create(void);
void bd_prepacked_destroy(bd_prepacked *prepacked);
/* What is kept from now on, and large, is there once for all that have this common memory. No run may
 * be under way. Of two calls the first counts. */
void bd_prepacked_join(bd_prepacked *prepacked, bd_common *common);
/* What it has joined; null: nothing. */
bd_common *bd_prepacked_joined(const bd_prepacked *prepacked);
/* Null, without the lock, when memory is out. The bytes after the head are 64-byte aligned. */
void *bd_prepacked_get(bd_prepacked *prepacked, int64_t slot, int64_t n_bytes);
/* Of a block that was got; if not, this thread has the lock. */
int bd_prepacked_is_filled(const void *block);
/* Gives the block that the thread has filled if the slot has an equal one of others from now on: it is
 * given to bd_pages_free once the thread has read it; else null. */
void *bd_prepacked_fill(bd_prepacked *prepacked, int64_t slot);
/* In its place, by the thread that has the lock: the slot is left to who asks next. */
void bd_prepacked_abandon(bd_prepacked *prepacked);
/* Of all that is filled. */
uint64_t bd_prepacked_bytes(bd_prepacked *prepacked);
/* False the first time that it is asked for a slot. */
int bd_prepacked_is_known(bd_prepacked *prepacked, int64_t slot);

#endif
