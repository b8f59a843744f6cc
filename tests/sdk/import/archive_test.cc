// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/archive.h"

#include <cstdio>
#include <fstream>

#include "core/base/memory.h"
#include "tests/sdk/import/archive_builder.h"

namespace {

class ArchiveTest : public ImportTest {
 protected:
  std::vector<ZipFile> Without(const std::string &name) {
    std::vector<ZipFile> files = ReluProgram().Files(), kept;
    for (ZipFile &file : files) {
      if (file.name != name) kept.push_back(file);
    }
    return kept;
  }
};

TEST_F(ArchiveTest, TellsVersions) {
  ASSERT_EQ(Import(ReluProgram()), BUDDY_OK) << Said();
  EXPECT_STREQ(buddy_archive_schema_version(archive), "8.20");
  EXPECT_STREQ(buddy_archive_torch_version(archive), "2.13.0");
}

TEST_F(ArchiveTest, NamesWhatIsMissing) {
  for (const char *name :
       {"archive_format", "models/model.json", "data/weights/model_weights_config.json",
        "data/constants/model_constants_config.json"}) {
    EXPECT_EQ(Import(Without(std::string("m/") + name)), BUDDY_CORRUPT) << name;
    EXPECT_NE(Said().find(name), std::string::npos) << Said();
  }
  EXPECT_EQ(Import(Without("m/byteorder")), BUDDY_OK) << Said();
}

TEST_F(ArchiveTest, RefusesOtherFormats) {
  std::vector<ZipFile> files = Without("m/byteorder");
  files.push_back({"m/byteorder", "big"});
  EXPECT_EQ(Import(files), BUDDY_INCOMPATIBLE);
  EXPECT_NE(Said().find("byteorder is 'big'"), std::string::npos) << Said();
  files = Without("m/archive_format");
  files.push_back({"m/archive_format", "aoti"});
  EXPECT_EQ(Import(files), BUDDY_INCOMPATIBLE);
}

TEST_F(ArchiveTest, RefusesArchivesOfOldPyTorch) {
  EXPECT_EQ(
      Import(std::vector<ZipFile>{{"version", "8.8"}, {"serialized_exported_program.json", "{}"}}),
      BUDDY_INCOMPATIBLE);
  EXPECT_NE(Said().find("older PyTorch"), std::string::npos) << Said();
}

TEST_F(ArchiveTest, TellsWhatElsePyTorchWrote) {
  EXPECT_EQ(Import(std::vector<ZipFile>{{"m/data.pkl", ""}, {"m/constants.pkl", ""}}),
            BUDDY_INCOMPATIBLE);
  EXPECT_NE(Said().find("TorchScript"), std::string::npos) << Said();
  EXPECT_EQ(Import(std::vector<ZipFile>{{"m/data.pkl", ""}, {"m/data/0", ""}}), BUDDY_INCOMPATIBLE);
  EXPECT_NE(Said().find("torch.save"), std::string::npos) << Said();
}

TEST_F(ArchiveTest, ReadsDeflatedPrograms) {
  std::vector<ZipFile> files = ReluProgram().Files();
  for (ZipFile &file : files) file.is_deflated = file.name == "m/models/model.json";
  EXPECT_EQ(Import(files), BUDDY_OK) << Said();
}

TEST_F(ArchiveTest, RefusesBombs) {
  std::vector<ZipFile> files = ReluProgram().Files();
  for (ZipFile &file : files) {
    file.is_deflated = file.name == "m/models/model.json";
    if (file.is_deflated) file.size = 1 << 29;
  }
  EXPECT_EQ(Import(files), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("claims to inflate"), std::string::npos) << Said();
}

TEST_F(ArchiveTest, RefusesAWrongChecksumOfTheProgram) {
  std::vector<ZipFile> files = ReluProgram().Files();
  for (ZipFile &file : files) {
    if (file.name == "m/models/model.json") file.crc = 1;
  }
  EXPECT_EQ(Import(files), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("checksum"), std::string::npos) << Said();
}

TEST_F(ArchiveTest, OpensFiles) {
  const std::string path = testing::TempDir() + "archive_test.pt2";
  const ZipBuilder zip(ReluProgram().Files());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(zip.data()), static_cast<std::streamsize>(zip.size()));
  ASSERT_EQ(buddy_archive_open(path.c_str(), diags, &archive), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_archive_import(archive, opset, diags, &graph), BUDDY_OK) << Said();
  std::remove(path.c_str());
}

TEST_F(ArchiveTest, TellsWhyAFileCannotBeRead) {
  EXPECT_EQ(buddy_archive_open("/nowhere/x.pt2", diags, &archive), BUDDY_NOT_FOUND);
  EXPECT_EQ(archive, nullptr);
  EXPECT_EQ(buddy_archive_open("/", diags, &archive), BUDDY_CORRUPT);
  EXPECT_EQ(buddy_archive_open("/dev/null", diags, &archive), BUDDY_CORRUPT);
}

// ---- Several programs ----

// Each of the names is relu; extra files after.
std::vector<ZipFile> Several(const std::vector<std::string> &names) {
  std::vector<ZipFile> files;
  for (const std::string &name : names) {
    files.push_back({"m/data/weights/" + name + "_weights_config.json", "{\"config\": {}}"});
    files.push_back({"m/data/constants/" + name + "_constants_config.json", "{\"config\": {}}"});
    files.push_back({"m/models/" + name + ".json", ReluProgram().Json()});
  }
  for (const char *name : {"tokenizer/vocab.txt", "config.json"})
    files.push_back({std::string("m/extra/") + name, std::string("of ") + name});
  files.push_back({"m/archive_format", "pt2"});
  return files;
}

TEST_F(ArchiveTest, ListsProgramsAndTakesTheOneThatIsChosen) {
  EXPECT_EQ(Import(Several({"prefill", "decode"})), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(Said().find("2 programs: 'prefill', 'decode'"), std::string::npos) << Said();
  ASSERT_EQ(buddy_archive_n_programs(archive), 2u);
  EXPECT_STREQ(buddy_archive_program(archive, 1), "decode");
  EXPECT_EQ(buddy_archive_program(archive, 2), nullptr);
  EXPECT_EQ(buddy_archive_choose(archive, "prefil", diags), BUDDY_NOT_FOUND);
  EXPECT_NE(Said().find("no program 'prefil'; it holds 'prefill', 'decode'"), std::string::npos);
  EXPECT_EQ(buddy_archive_choose(archive, "", diags), BUDDY_NOT_FOUND);
  for (const char *name : {"decode", "prefill", "decode"}) {
    ASSERT_EQ(buddy_archive_choose(archive, name, diags), BUDDY_OK) << Said();
    ASSERT_EQ(buddy_archive_import(archive, opset, diags, &graph), BUDDY_OK) << Said();
    buddy_graph_destroy(graph);
    graph = nullptr;
  }
}

TEST_F(ArchiveTest, TakesTheOnlyProgramAndTheOneCalledModelUnasked) {
  EXPECT_EQ(Import(Several({"decode"})), BUDDY_OK) << Said();
  EXPECT_EQ(Import(Several({"a", "model", "b"})), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_archive_n_programs(archive), 3u);
}

TEST_F(ArchiveTest, NamesOfProgramsAreShownSafelyAndNotAllOfMany) {
  std::vector<std::string> names = {"\x1b[2Jred", "%s%n", "a b", std::string(300, 'x')};
  for (int i = 0; i < 40; ++i) names.push_back("p" + std::to_string(i));
  EXPECT_EQ(Import(Several(names)), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said().find('\x1b'), std::string::npos);
  EXPECT_NE(Said().find("and 28 more"), std::string::npos) << Said();
  EXPECT_EQ(Said().find(std::string(81, 'x')), std::string::npos);
  for (const std::string &name : names) {
    ASSERT_EQ(buddy_archive_choose(archive, name.c_str(), diags), BUDDY_OK);
    ASSERT_EQ(buddy_archive_import(archive, opset, diags, &graph), BUDDY_OK) << Said();
    buddy_graph_destroy(graph);
    graph = nullptr;
  }
}

TEST_F(ArchiveTest, FoldersAreNoPrograms) {
  std::vector<ZipFile> files = Several({"decode"});
  for (const char *name :
       {"m/models/", "m/models/.json", "m/models/x/y.json", "m/extra/", "m/models/z"})
    files.push_back({name, ""});
  EXPECT_EQ(Import(files), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_archive_n_programs(archive), 1u);
  EXPECT_EQ(buddy_archive_n_extra(archive), 2u);
}

TEST_F(ArchiveTest, HandsExtraFilesThrough) {
  for (const bool is_deflated : {false, true}) {
    std::vector<ZipFile> files = Several({"decode"});
    for (ZipFile &file : files) file.is_deflated = is_deflated && file.name[2] == 'e';
    ASSERT_EQ(Import(files), BUDDY_OK) << Said();
    ASSERT_EQ(buddy_archive_n_extra(archive), 2u);
    EXPECT_STREQ(buddy_archive_extra_name(archive, 0), "tokenizer/vocab.txt");
    EXPECT_EQ(buddy_archive_extra_name(archive, 2), nullptr);
    buddy_sv bytes, again;
    ASSERT_EQ(buddy_archive_extra(archive, "config.json", diags, &bytes), BUDDY_OK) << Said();
    EXPECT_EQ(std::string(bytes.data, bytes.size), "of config.json");
    ASSERT_EQ(buddy_archive_extra(archive, "config.json", diags, &again), BUDDY_OK);
    EXPECT_EQ(bytes.data, again.data);
    EXPECT_EQ(buddy_archive_extra(archive, "config", diags, &bytes), BUDDY_NOT_FOUND);
    EXPECT_EQ(bytes.data, nullptr);
  }
}

TEST_F(ArchiveTest, RefusesExtraFilesThatAreDamagedOrBombs) {
  for (const bool is_bomb : {false, true}) {
    std::vector<ZipFile> files = Several({"decode"});
    for (ZipFile &file : files) {
      if (file.name != "m/extra/config.json") continue;
      file.crc = 1;
      file.is_deflated = is_bomb;
      if (is_bomb) file.size = 1 << 29;
    }
    ASSERT_EQ(Import(files), BUDDY_OK) << Said();
    buddy_sv bytes;
    EXPECT_EQ(buddy_archive_extra(archive, "config.json", diags, &bytes), BUDDY_CORRUPT);
    EXPECT_EQ(buddy_archive_extra(archive, "tokenizer/vocab.txt", diags, &bytes), BUDDY_OK);
  }
}

TEST_F(ArchiveTest, FreesEverythingWhenMemoryIsOut) {
  const std::vector<ZipFile> files = ReluProgram().Files();
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  for (int64_t n = 0; code == BUDDY_OUT_OF_MEMORY; ++n) {
    zips.clear();
    bd_memory_fail_after(n);
    code = Import(files);
    bd_memory_fail_after(-1);
    ASSERT_LT(n, 100000);
    ASSERT_TRUE(code == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) << n << ": " << Said();
  }
  EXPECT_EQ(code, BUDDY_OK);
}

}  // namespace
