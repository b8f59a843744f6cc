// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/common_cases.c: lists of cases; and products and convolutions as networks for pictures and for texts have
 * them: of the sizes of ResNet, MobileNet, BERT, ViT and LLaMA, and of some in between. */
#include "sdk/model/calibrate.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/try.h"

void bd_cases_deinit(bd_cases *cases) {
  bd_free(cases->items);
  *cases = (bd_cases){0};
}

buddy_code bd_cases_add(bd_cases *cases, const bd_case *c) {
  for (size_t i = 0; i < cases->n; ++i)
    if (memcmp(&cases->items[i], c, sizeof(*c)) == 0) return BUDDY_OK;
  bd_case *items = bd_array_grow(cases->items, &cases->capacity, cases->n + 1, sizeof(*items));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  cases->items = items;
  cases->items[cases->n++] = *c;
  return BUDDY_OK;
}

/* batch, m, n, k */
static const struct {
  bd_case_kind kind;
  int64_t sizes[BD_N_PRODUCT_SIZES];
} products[] = {
    {BD_CASE_PRODUCT, {1, 128, 768, 768}},  {BD_CASE_PRODUCT, {1, 128, 3072, 768}},
    {BD_CASE_PRODUCT, {1, 128, 768, 3072}}, {BD_CASE_PRODUCT, {1, 197, 768, 768}},
    {BD_CASE_PRODUCT, {1, 197, 3072, 768}}, {BD_CASE_PRODUCT, {1, 64, 1024, 1024}},
    {BD_CASE_PRODUCT, {1, 64, 4096, 1024}}, {BD_CASE_PRODUCT, {1, 512, 1024, 1024}},
    {BD_CASE_PRODUCT, {1, 16, 512, 512}},   {BD_CASE_PRODUCT, {1, 32, 128, 128}},
    {BD_CASE_ROW, {1, 1, 768, 768}},        {BD_CASE_ROW, {1, 1, 1000, 512}},
    {BD_CASE_ROW, {1, 1, 4096, 1024}},      {BD_CASE_ROW, {1, 1, 1024, 4096}},
    {BD_CASE_BATCHED, {12, 128, 128, 64}},  {BD_CASE_BATCHED, {12, 128, 64, 128}},
    {BD_CASE_BATCHED, {12, 197, 197, 64}},  {BD_CASE_BATCHED, {16, 64, 64, 64}},
    {BD_CASE_BATCHED, {1, 256, 256, 256}},
};

/* size of the square image, channels in, out, groups, kernel, stride */
static const int64_t convolutions[][6] = {
    {224, 3, 64, 1, 7, 2},     {56, 64, 64, 1, 3, 1},     {28, 128, 128, 1, 3, 1},
    {14, 256, 256, 1, 3, 1},   {7, 512, 512, 1, 3, 1},    {56, 64, 128, 1, 3, 2},
    {28, 128, 256, 1, 3, 2},   {56, 64, 128, 1, 1, 2},    {56, 64, 256, 1, 1, 1},
    {28, 512, 128, 1, 1, 1},   {14, 1024, 256, 1, 1, 1},  {112, 16, 96, 1, 1, 1},
    {56, 96, 24, 1, 1, 1},     {28, 32, 192, 1, 1, 1},    {14, 64, 384, 1, 1, 1},
    {14, 384, 64, 1, 1, 1},    {7, 160, 960, 1, 1, 1},    {7, 320, 1280, 1, 1, 1},
    {224, 3, 32, 1, 3, 2},     {112, 32, 32, 32, 3, 1},   {112, 96, 96, 96, 3, 2},
    {56, 144, 144, 144, 3, 1}, {28, 192, 192, 192, 3, 1}, {14, 384, 384, 384, 3, 1},
    {14, 576, 576, 576, 3, 2}, {7, 960, 960, 960, 3, 1},  {28, 128, 128, 32, 3, 1},
};

static bd_case convolution(const int64_t *at) {
  const int64_t kernel = at[4], groups = at[3];
  const bd_case_kind kind = groups == 1       ? BD_CASE_CONVOLUTION
                            : groups == at[2] ? BD_CASE_DEPTHWISE
                                              : BD_CASE_GROUPED;
  return (bd_case){(int32_t)kind,
                   BUDDY_F32,
                   {[BD_IMAGES] = 1,
                    [BD_HEIGHT] = at[0],
                    [BD_WIDTH] = at[0],
                    [BD_CHANNELS_IN] = at[1],
                    [BD_CHANNELS_OUT] = at[2],
                    [BD_GROUPS] = groups,
                    [BD_KERNEL_HEIGHT] = kernel,
                    [BD_KERNEL_WIDTH] = kernel,
                    [BD_STRIDE] = at[5],
                    [BD_PADDING] = kernel / 2}};
}

static buddy_code add_products(bd_cases *cases, buddy_dtype dtype) {
  for (size_t i = 0; i < sizeof(products) / sizeof(*products); ++i) {
    bd_case c = {.kind = (int32_t)products[i].kind, .dtype = dtype};
    for (size_t k = 0; k < BD_N_PRODUCT_SIZES; ++k) c.sizes[k] = products[i].sizes[k];
    BD_TRY(bd_cases_add(cases, &c));
  }
  return BUDDY_OK;
}

buddy_code bd_cases_add_common(bd_cases *cases) {
  BD_TRY(add_products(cases, BUDDY_F32));
  for (size_t i = 0; i < sizeof(convolutions) / sizeof(*convolutions); ++i) {
    const bd_case c = convolution(convolutions[i]);
    BD_TRY(bd_cases_add(cases, &c));
  }
  return add_products(cases, BUDDY_BF16);
}
