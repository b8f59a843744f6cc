// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/calibration_test.cc: what is kept of measurements, and what is chosen by them.
#include "sdk/model/calibration.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "buddy/resolve.h"
#include "tests/core/diags_text.h"
#include "tests/sdk/model/model_fixture.h"

namespace {

class CalibrationTest : public ModelTest {
 protected:
  CalibrationTest() {
    unsetenv("BUDDY_REGISTRIES");
    char pattern[] = "/tmp/buddy_calibration_XXXXXX";
    folder = mkdtemp(pattern);
    model.struct_size = sizeof model;
    model.cache_dir = folder.c_str();
    EXPECT_EQ(bd_store_open(folder.c_str(), 1, diags, &store), BUDDY_OK);
    EXPECT_EQ(bd_key_ground(&model, diags, ground), BUDDY_OK);
  }
  ~CalibrationTest() override {
    unsetenv("BUDDY_REGISTRIES");
    buddy_calibration_close(calibration);
    bd_rates_deinit(&rates);
    bd_store_close(&store);
    std::filesystem::remove_all(folder);
  }

  void Add(const char *registry, int n_threads, uint64_t ns) {
    bd_rate rate{};
    rate.is = {BD_CASE_PRODUCT, BUDDY_F32, {1, 128, 768, 768}};
    strcpy(rate.registry, registry);
    rate.n_threads = n_threads;
    rate.ns = ns;
    ASSERT_EQ(bd_rates_add(&rates, &rate), BUDDY_OK);
  }
  void Keep() { ASSERT_EQ(bd_calibration_keep(&store, ground, &rates, diags), BUDDY_OK) << Text(); }
  void Open() {
    buddy_calibration_close(calibration);
    ASSERT_EQ(buddy_calibration_open(&model, diags, &calibration), BUDDY_OK) << Text();
  }

  // Who takes a product, and why: "vendor (…)".
  std::string Taker(const char *order, const buddy_chooser *chooser,
                    std::vector<const char *> pins = {}) {
    buddy_search *search = nullptr;
    buddy_registries *registries = nullptr;
    buddy_plan *plan = nullptr;
    buddy_registries_options options{};
    options.struct_size = sizeof options;
    options.order = order;
    options.no_environment = 1;
    options.pins = pins.data();
    options.n_pins = pins.size();
    options.chooser = chooser;
    EXPECT_EQ(buddy_search_create(nullptr, diags, &search), BUDDY_OK);
    EXPECT_EQ(buddy_registries_create(search, opset, &options, diags, &registries), BUDDY_OK)
        << Text();
    Output(Linear(Input({128, 768}), Weight({768, 768}), {128, 768}));
    EXPECT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_OK) << Text();
    const buddy_decision *decision = buddy_plan_decision(plan, 0);
    const size_t taker = decision->tries[decision->n_tries - 1].registry;
    std::string text = buddy_registries_get(registries, taker)->name;
    const char *choice = buddy_decision_choice(decision);
    if (*choice) text += std::string(" (") + choice + ")";
    buddy_plan_destroy(plan);
    buddy_registries_destroy(registries);
    buddy_search_destroy(search);
    return text;
  }
  const buddy_chooser *Chooser(const buddy_registries_options *options = nullptr) const {
    return buddy_calibration_chooser(calibration, options);
  }
  std::string Text() const { return DiagsText(diags); }
  std::filesystem::path Entry() const {
    return std::filesystem::directory_iterator(folder)->path();
  }

  std::string folder;
  buddy_model_options model{};
  bd_store store{};
  uint8_t ground[BD_KEY_SIZE]{};
  bd_rates rates{};
  buddy_calibration *calibration = nullptr;
};

TEST_F(CalibrationTest, NothingIsChosenByNothing) {
  Open();
  EXPECT_EQ(buddy_calibration_n_samples(calibration), 0u);
  EXPECT_EQ(Chooser(), nullptr);
  model.cache_dir = "/nowhere/at/all";
  Open();
  EXPECT_EQ(Chooser(), nullptr);
  EXPECT_EQ(Text(), "");
}

TEST_F(CalibrationTest, TheFastestIsAskedFirst) {
  Add("linalg", 1, 1000000);
  Add("vendor", 1, 800000);
  Keep();
  Open();
  ASSERT_NE(Chooser(), nullptr);
  EXPECT_EQ(Taker("linalg:vendor", Chooser()), "vendor (vendor: 0.80 of linalg's time, measured)");
  buddy_sample sample;
  ASSERT_TRUE(buddy_calibration_sample(calibration, 1, &sample));
  EXPECT_STREQ(sample.what, "product f32 1x128x768x768");
  EXPECT_STREQ(sample.registry, "vendor");
  EXPECT_DOUBLE_EQ(sample.seconds, 8e-4);
  EXPECT_FALSE(buddy_calibration_sample(calibration, 2, &sample));
}

TEST_F(CalibrationTest, WhatIsHardlyFasterIsNot) {
  Add("linalg", 1, 1000000);
  Add("vendor", 1, 960000);
  Keep();
  Open();
  EXPECT_EQ(Taker("linalg:vendor", Chooser()), "linalg");
}

TEST_F(CalibrationTest, AStatedOrderStands) {
  Add("linalg", 1, 1000000);
  Add("vendor", 1, 800000);
  Keep();
  Open();
  buddy_registries_options options{};
  options.struct_size = sizeof options;
  EXPECT_NE(Chooser(&options), nullptr);
  options.order = "tosa:*";
  EXPECT_EQ(Chooser(&options), nullptr);
  options.order = nullptr;
  setenv("BUDDY_REGISTRIES", "tosa:*", 1);
  EXPECT_EQ(Chooser(&options), nullptr);
  options.no_environment = 1;
  EXPECT_NE(Chooser(&options), nullptr);
}

TEST_F(CalibrationTest, APinStands) {
  Add("linalg", 1, 1000000);
  Add("vendor", 1, 800000);
  Keep();
  Open();
  EXPECT_EQ(Taker("linalg:vendor", Chooser(), {"aten.linear.default=linalg"}), "linalg");
}

TEST_F(CalibrationTest, OptionsGetAChooserUnlessTheySayWhatToTake) {
  Add("linalg", 1, 1000000);
  Keep();
  bd_chosen chosen;
  ASSERT_EQ(bd_chosen_init(&store, ground, &model, diags, &chosen), BUDDY_OK);
  EXPECT_NE(chosen.how.registries.chooser, nullptr);
  EXPECT_EQ(chosen.how.options.registries, &chosen.how.registries);
  EXPECT_STREQ(chosen.how.options.cache_dir, folder.c_str());
  const std::string key = chosen.how.registries.chooser->key;
  bd_chosen_deinit(&chosen);

  Add("vendor", 1, 1000000);
  Keep();
  ASSERT_EQ(bd_chosen_init(&store, ground, &model, diags, &chosen), BUDDY_OK);
  EXPECT_NE(chosen.how.registries.chooser->key, key)
      << "code that was chosen otherwise is not the same";
  bd_chosen_deinit(&chosen);

  buddy_registries_options registries{};
  registries.struct_size = sizeof registries;
  registries.order = "tosa:*";
  model.registries = &registries;
  ASSERT_EQ(bd_chosen_init(&store, ground, &model, diags, &chosen), BUDDY_OK);
  EXPECT_EQ(chosen.how.registries.chooser, nullptr);
  bd_chosen_deinit(&chosen);

  const buddy_chooser own{};
  registries.order = nullptr;
  registries.chooser = &own;
  ASSERT_EQ(bd_chosen_init(&store, ground, &model, diags, &chosen), BUDDY_OK);
  EXPECT_EQ(chosen.how.registries.chooser, &own);
  bd_chosen_deinit(&chosen);
}

TEST_F(CalibrationTest, DamageIsTold) {
  Add("linalg", 1, 1000000);
  Add("vendor", 1, 800000);
  Keep();
  const auto path = Entry();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-3, std::ios::end);
  file.put('x');
  file.close();
  Open();
  EXPECT_EQ(buddy_calibration_n_samples(calibration), 0u);
  EXPECT_EQ(Chooser(), nullptr);
  EXPECT_NE(Text().find("was damaged"), std::string::npos) << Text();
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Whole by its hash, and yet nothing that was measured.
TEST_F(CalibrationTest, NonsenseIsTold) {
  const std::string text = "buddy rates 1\nproduct f32 1 0 0 0 linalg\n";
  uint8_t key[BD_KEY_SIZE];
  bd_key_name(ground, "buddy rates 1", key);
  ASSERT_EQ(bd_store_add(&store, key, text.data(), text.size(), diags), BUDDY_OK);
  Open();
  EXPECT_EQ(Chooser(), nullptr);
  EXPECT_NE(Text().find("cannot be read"), std::string::npos) << Text();
}

TEST_F(CalibrationTest, ItCanBeForgotten) {
  int was_there = 0;
  Add("linalg", 1, 1000000);
  Keep();
  EXPECT_EQ(buddy_calibration_clear(&model, diags, &was_there), BUDDY_OK);
  EXPECT_TRUE(was_there);
  EXPECT_EQ(buddy_calibration_clear(&model, diags, &was_there), BUDDY_OK);
  EXPECT_FALSE(was_there);
  Open();
  EXPECT_EQ(buddy_calibration_n_samples(calibration), 0u);
}

}  // namespace
