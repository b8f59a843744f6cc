// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/steps.c: what a program that measures itself tells of its steps. */
#include "sdk/runtime/program.h"

size_t buddy_program_n_steps(const buddy_program *program) {
  return !program->profile ? 0 : program->profile->n;
}

const buddy_step *buddy_program_step(const buddy_program *program, size_t i) {
  bd_profile_tell(program->profile);
  return i < buddy_program_n_steps(program) ? &program->profile->items[i].report : NULL;
}

size_t buddy_program_n_spans(const buddy_program *program) {
  bd_profile_tell(program->profile);
  return !program->profile ? 0 : program->profile->n_spans;
}

const buddy_span *buddy_program_span(const buddy_program *program, size_t i) {
  return i < buddy_program_n_spans(program) ? &program->profile->spans[i] : NULL;
}

size_t buddy_program_n_places(const buddy_program *program) {
  return !program->profile ? 0 : program->profile->n_places;
}

const buddy_place *buddy_program_place(const buddy_program *program, size_t i) {
  return i < buddy_program_n_places(program) ? &program->profile->places[i].report : NULL;
}
