// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/launch.h: ranks started by an MPI's launcher. */
#ifndef BUDDY_SDK_CLI_LAUNCH_H
#define BUDDY_SDK_CLI_LAUNCH_H

/* Runs the command and waits for it, passes SIGINT, SIGTERM and SIGHUP on to it, and exits as it did.
 * Where it failed, files in shared memory that its ranks have left, and no process has, are removed.
 * Returns only if it cannot be started: errno. words: ended by a null. */
int bd_launch(char *const *words);

#endif
