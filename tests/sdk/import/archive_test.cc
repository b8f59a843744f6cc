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
