// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the server calls: a backend's start, models that load, are configured, run and go.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/sdk/serve/fake_server.h"

namespace {

class Backend : public ::testing::Test {
 protected:
  void SetUp() override {
    fake = FakeServer();
    folder_ = ::testing::TempDir() + "buddy_backend_" + std::to_string(getpid());
    mkdir(folder_.c_str(), 0755);
    mkdir((folder_ + "/1").c_str(), 0755);
    setenv("XDG_CACHE_HOME", (::testing::TempDir() + "buddy_backend_cache").c_str(), 1);
    model_.folder = folder_;
    model_.backend = &backend_;
    backend_.config.text = R"({"cmdline": {"default-max-batch-size": "16", "threads": "1"}})";
    instance_.model = &model_;
  }
  void TearDown() override {
    EXPECT_EQ(Told(TRITONBACKEND_ModelFinalize(&model_)), "");
    for (const char *name : {"/1/model.pt2", "/1/model.so", "/1/other.pt2", "/1", ""})
      remove((folder_ + name).c_str());
    EXPECT_EQ(fake.n_errors, 0);
    EXPECT_EQ(fake.n_messages, 0);
  }
  void Link(const char *name) {
    const std::string to = folder_ + "/1/" + name;
    ASSERT_EQ(symlink(BUDDY_TEST_ARCHIVE, to.c_str()), 0);
  }
  std::string Load(const std::string &config) {
    model_.config = config;
    return Told(TRITONBACKEND_ModelInitialize(&model_));
  }

  std::string folder_;
  TRITONBACKEND_Backend backend_;
  TRITONBACKEND_Model model_;
  TRITONBACKEND_ModelInstance instance_;
};

TEST_F(Backend, AsksForTheVersion) {
  EXPECT_EQ(Told(TRITONBACKEND_Initialize(&backend_)), "");
  fake.minor = 25;
  EXPECT_EQ(Told(TRITONBACKEND_Initialize(&backend_)), "");
  fake.minor = 18;
  EXPECT_NE(Told(TRITONBACKEND_Initialize(&backend_)).find("this server has 1.18"),
            std::string::npos);
  fake.major = 2;
  EXPECT_NE(Told(TRITONBACKEND_Initialize(&backend_)), "");
  TRITONBACKEND_BackendAttribute attributes = {};
  EXPECT_EQ(Told(TRITONBACKEND_GetBackendAttribute(&backend_, &attributes)), "");
  EXPECT_EQ(attributes.kind, TRITONSERVER_INSTANCEGROUPKIND_CPU);
  EXPECT_EQ(attributes.count, 1u);
}

TEST_F(Backend, RunsOnTheProcessor) {
  EXPECT_EQ(Told(TRITONBACKEND_ModelInstanceInitialize(&instance_)), "");
  instance_.kind = TRITONSERVER_INSTANCEGROUPKIND_GPU;
  EXPECT_NE(Told(TRITONBACKEND_ModelInstanceInitialize(&instance_)).find("KIND_CPU"),
            std::string::npos);
}

TEST_F(Backend, LoadsRunsAndGoes) {
  Link("model.pt2");
  ASSERT_EQ(Load(R"({"parameters": {"no-cache": {"string_value": "true"}}})"), "");
  EXPECT_NE(model_.config.find(R"("dims":[1,1,28,28])"), std::string::npos) << model_.config;
  EXPECT_NE(model_.config.find(R"("max_batch_size":0)"), std::string::npos) << model_.config;
  ASSERT_EQ(fake.log.size(), 1u);
  EXPECT_EQ(fake.log[0].find("model, version 1: 12 nodes: "), 0u) << fake.log[0];
  EXPECT_NE(fake.log[0].find("; no batch; threads: 1"), std::string::npos) << fake.log[0];
  const std::string image(28 * 28 * 4, '\0');
  TRITONBACKEND_Request request;
  request.inputs = {{"x", TRITONSERVER_TYPE_FP32, {1, 1, 28, 28}, image.size(), {image}}};
  request.outputs = {"linear_2"};
  TRITONBACKEND_Request *requests[] = {&request};
  ASSERT_EQ(Told(TRITONBACKEND_ModelInstanceExecute(&instance_, requests, 1)), "");
  EXPECT_EQ(request.error, "");
  EXPECT_EQ(request.results.at("linear_2").shape, (std::vector<int64_t>{1, 10}));
}

TEST_F(Backend, ConfigurationsThatContradict) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "no JSON object"},
      {"[1]", "no JSON object"},
      {R"({"max_batch_size": 4})", "no symbolic first size"},
      {R"({"max_batch_size": "4"})", "no symbolic first size"},
      {R"({"input": 3, "output": "text"})", ""},
      {R"({"input": [3]})", "input: the model has none of this name"},
      {R"({"input": [{"name": "x"}]})", "no type"},
      {R"({"input": [{"name": "x", "data_type": "TYPE_FP32"}]})", "dims []"},
      {R"({"input": [{"name": "x", "data_type": "TYPE_FP32", "dims": ["1", 1, 28, 27]}]})",
       "dims [1,1,28,27], the model [1,1,28,28]"},
      {R"({"input": [{"name": "x", "data_type": "TYPE_FP32", "dims": [1, 1, 28, -1]}]})",
       "[1,1,28,-1]"},
      {R"({"input": [{"name": "x", "data_type": "TYPE_FP32", "dims": [784],
          "reshape": {"shape": [1, 1, 28, 28]}}]})",
       ""},
      {R"({"input": [{"name": "input_0", "data_type": "TYPE_FP32", "dims": [1, 1, 28, 28]}],
           "output": [{"name": "output_0", "data_type": "TYPE_FP32", "dims": [1, 10]}]})",
       ""},
      {R"({"output": [{"name": "output_1", "data_type": "TYPE_FP32", "dims": [1, 10]}]})",
       "the model has linear_2"},
      {R"({"output": [{"name": "output_99999999999999999999", "dims": [1, 10]}]})", "none"},
      {R"({"parameters": {"threads": {"string_value": "1025"}}})", "0 to 1024"},
      {R"({"parameters": {"threads": 3}})", ""},
      {R"({"parameters": {"theads": {"string_value": "2"}}})", "'theads' is no parameter"},
      {R"({"parameters": {"verify": {"string_value": "perhaps"}}})", "false, true"},
      {R"({"parameters": {"pin": {"string_value": "aten.relu.default=tosa,,x"}}})", "x"},
      {R"({"parameters": {"registries": {"string_value": "none"}}})", "none"},
      {R"({"default_model_filename": "/etc/passwd"})", "no name of a file"},
      {R"({"default_model_filename": ".."})", "no name of a file"},
      {R"({"default_model_filename": "other.pt2"})", "no other.pt2"},
      {R"({"model_transaction_policy": {"decoupled": true}})", "prefill and decode"},
  };
  Link("model.pt2");
  for (const auto &[config, words] : cases) {
    const std::string error = Load(config);
    if (*words == '\0') {
      EXPECT_EQ(error, "") << config;
    } else {
      EXPECT_NE(error.find(words), std::string::npos) << config << ": " << error;
      EXPECT_EQ(model_.state, nullptr);
    }
    EXPECT_EQ(Told(TRITONBACKEND_ModelFinalize(&model_)), "");
    model_.state = nullptr;
  }
}

TEST_F(Backend, WithoutCompletion) {
  Link("model.pt2");
  model_.completes = false;
  EXPECT_NE(Load("{}").find("input x: the configuration lacks it"), std::string::npos);
}

TEST_F(Backend, OneFile) {
  EXPECT_NE(Load("{}").find("no model.pt2 and no model.so"), std::string::npos);
  Link("model.pt2");
  Link("model.so");
  EXPECT_NE(Load("{}").find("both"), std::string::npos);
  Link("other.pt2");
  EXPECT_EQ(Load(R"({"default_model_filename": "other.pt2"})"), "");
}

}  // namespace
