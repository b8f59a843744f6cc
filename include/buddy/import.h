// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/import.h: a torch.export archive (.pt2) becomes a graph.
 *
 * The archive is mapped, not read: weights stay where they are in the file and the graph's input
 * data point into the mapping. No pickle is ever executed. The file must not be truncated while it
 * is open: the operating system answers reads of vanished pages with SIGBUS. */
#ifndef BUDDY_IMPORT_H
#define BUDDY_IMPORT_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new opset with every ATen, prim and higher-order op that torch.export writes, and their
 * aliases. Destroy with buddy_opset_destroy. */
BUDDY_EXPORT buddy_code buddy_aten_opset_create(buddy_opset **out_opset);

typedef struct buddy_archive buddy_archive;
/* Maps and checks the zip: every entry's bytes must lie inside the file, stored uncompressed for
 * what is mapped. */
BUDDY_EXPORT buddy_code buddy_archive_open(const char *path, buddy_diags *diags,
                                           buddy_archive **out_archive);
/* A tensor that the caller keeps, by its fully qualified name in the module. */
typedef struct buddy_named_tensor {
  const char *name; /* "encoder.layer.0.weight" */
  buddy_tensor_type type;
  buddy_data data; /* null bytes: not known; the graph can be lowered all the same */
} buddy_named_tensor;
/* An archive without a file, for programs that live in the same process: `program` is what
 * models/model.json holds, `tensors` are the parameters, buffers and constants that it names, in
 * any order. The text, names and types are copied; the bytes are lent, and must outlive what is
 * made of the archive. `where` names the program in messages. Every element of a tensor must lie
 * within its bytes, else BUDDY_INVALID_ARGUMENT. */
BUDDY_EXPORT buddy_code buddy_archive_create(const char *where, buddy_sv program,
                                             const buddy_named_tensor *tensors, size_t n_tensors,
                                             buddy_diags *diags, buddy_archive **out_archive);
/* After every graph that was imported from it is destroyed. */
BUDDY_EXPORT void buddy_archive_close(buddy_archive *archive);
/* Compares every entry's bytes, those of weights among them, with its checksum: all of the file is
 * read. BUDDY_CORRUPT: each that does not match is in diags. What is opened and imported without it
 * is safe all the same; its numbers may be others. */
BUDDY_EXPORT buddy_code buddy_archive_check(const buddy_archive *archive, buddy_diags *diags);

/* ---- Archives with several programs ------------------------------------------------------------
 * package_pt2({"prefill": ..., "decode": ...}, extra_files=...) of torch.export.pt2_archive writes
 * them. Names are whatever the archive says: show them with care. They live as long as the archive. */
BUDDY_EXPORT size_t buddy_archive_n_programs(const buddy_archive *archive);
/* In the order of the file; null after the last. */
BUDDY_EXPORT const char *buddy_archive_program(const buddy_archive *archive, size_t i);
/* Chooses the program that imports read from now on. name: null for the only one, or the one called
 * "model", which is what a new archive has chosen. BUDDY_NOT_FOUND: there is none of that name;
 * BUDDY_INVALID_ARGUMENT: there are several, and a name is needed; either lists the names. */
BUDDY_EXPORT buddy_code buddy_archive_choose(buddy_archive *archive, const char *name,
                                             buddy_diags *diags);
/* The parameters are those of another file from now on: safetensors, or GGUF; buffers that it lacks stay
 * the archive's. The file is mapped, not copied, and must not be cut while the archive is open. Sizes must
 * be the program's. Floats may be others: parameters are rounded to the program's, as load_state_dict does.
 * Blocks of GGUF (Q8_0, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K) stay in memory as they lie in the file: the graph has inputs over
 * these bytes, as u8, i8 or f16, and nodes that restore the parameter, which products and embeddings do
 * where they need it. Two parameters that are one in the archive (tied weights) may be one in the file,
 * under either name. names: text of a table, for what the file calls otherwise; null: nothing. Each line
 * is a name of the program, a blank, and the file's name, in both of which one * may stand for the same
 * text; the first line that fits counts; # begins a comment. A third word tells how rows lie: heads=N: the
 * file has rows i and half + i of each of N heads side by side, as converters for llama.cpp put queries and
 * keys; as-is: it has not. Without it general.architecture of a GGUF file decides, by what the converter
 * does to LLaMA and its kin; what it is known to change otherwise (1 added to Gemma's norms) is
 * BUDDY_UNSUPPORTED. Before a program is chosen. BUDDY_INVALID_ARGUMENT: a line that is no pair, an
 * archive without a file. */
BUDDY_EXPORT buddy_code buddy_archive_take_weights(buddy_archive *archive, const char *path,
                                                   const char *names, buddy_diags *diags);
/* Chooses sizes that the program's inputs have in every run, so that it is compiled as one that was exported
 * with these sizes: "x=8x3x224x224,mask=8x?", by the names of inputs; a ? stays as it is. What other sizes are
 * made of the same symbols follows from them. null: all stay. Text of the caller, copied. Judged when the
 * archive is imported: BUDDY_INVALID_ARGUMENT for another text, an input that is not there, a size that
 * the program does not take. */
BUDDY_EXPORT buddy_code buddy_archive_set_sizes(buddy_archive *archive, const char *sizes);
/* Files that were given along (a tokenizer, a configuration): their names, "tokenizer.json", and
 * bytes, which are compared with their checksum, and lent for the life of the archive. Null after the
 * last; BUDDY_NOT_FOUND: there is none of that name. BUDDY_LIMIT: more than 1 GiB. */
BUDDY_EXPORT size_t buddy_archive_n_extra(const buddy_archive *archive);
BUDDY_EXPORT const char *buddy_archive_extra_name(const buddy_archive *archive, size_t i);
BUDDY_EXPORT buddy_code buddy_archive_extra(buddy_archive *archive, const char *name,
                                            buddy_diags *diags, buddy_sv *out_bytes);

/* "8.20": the schema version of the program; "" before an import. */
BUDDY_EXPORT const char *buddy_archive_schema_version(const buddy_archive *archive);
BUDDY_EXPORT const char *buddy_archive_torch_version(const buddy_archive *archive);

/* Reads the program into a graph in functional form: in-place ops and views over shared storage are
 * rewritten, type promotion is explicit (aten._to_copy), dims and indices are non-negative, scalar
 * overloads are their tensor twins, size arithmetic has become dims. Ops without a definition are
 * kept as unknown nodes. All problems are reported together. */
BUDDY_EXPORT buddy_code buddy_archive_import(buddy_archive *archive, const buddy_opset *opset,
                                             buddy_diags *diags, buddy_graph **out_graph);

/* ---- Tensor parallel ----------------------------------------------------------------------------
 * Cuts an imported program for one of n ranks, which run together over the registry `dist`: weights of
 * products become this rank's rows or columns, where they lie in the archive, and collectives make
 * results whole. Inputs and outputs of the user stay whole, and the same on every rank. */
typedef struct buddy_shard_options {
  size_t struct_size;
  size_t n_ranks; /* 0, 1: nothing is cut */
  size_t rank;    /* from 0 */
  /* Text of a JSON object, as transformers' base_model_tp_plan: {"layers.*.self_attn.q_proj":
   * "colwise", "layers.*.self_attn.o_proj": "rowwise"}; null: what is cut is found, so that every
   * cut ends in a sum, or pays for its gather. */
  const char *plan;
} buddy_shard_options;
/* What is cut, and what it sends, is a note of diags; so is each op whose operands are gathered for it.
 * Nothing that can be cut is a warning. A plan that names no weight, or another way to cut, is
 * BUDDY_INVALID_ARGUMENT or BUDDY_UNSUPPORTED. After a failure the graph is only good for
 * buddy_graph_destroy. */
BUDDY_EXPORT buddy_code buddy_graph_shard(buddy_graph *graph, const buddy_shard_options *options,
                                          buddy_diags *diags);

/* The same normalisation for graphs built by calls (buddy_archive_import has done it already). */
BUDDY_EXPORT buddy_code buddy_graph_normalize(buddy_graph *graph, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
