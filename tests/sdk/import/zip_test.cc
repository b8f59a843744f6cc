// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/zip.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class ZipTest : public ImportTest {
 protected:
  buddy_code Open(const std::vector<ZipFile> &files) {
    zips.emplace_back(files);
    return OpenLast();
  }
  buddy_code OpenLast() {
    bd_zip_close(zip);
    zip = nullptr;
    return bd_zip_open(zips.back().data(), zips.back().size(), "z.pt2", diags, &zip);
  }
  void TearDown() override {
    bd_zip_close(zip);
    ImportTest::TearDown();
  }
  bd_zip *zip = nullptr;
};

TEST_F(ZipTest, FindsEntriesWhereTheyLie) {
  ASSERT_EQ(Open({{"m/a", "first"}, {"m/b", "second"}}), BUDDY_OK) << Said();
  ASSERT_EQ(bd_zip_n_entries(zip), 2u);
  const bd_zip_entry *entry = bd_zip_find(zip, "m/b");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(std::string(reinterpret_cast<const char *>(entry->bytes), entry->size), "second");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(entry->bytes) % 64, 0u);
  EXPECT_EQ(bd_zip_check(zip, entry, diags), BUDDY_OK);
  EXPECT_EQ(bd_zip_find(zip, "m/c"), nullptr);
}

TEST_F(ZipTest, InflatesWhatIsDeflated) {
  const std::string text(1000, 'x');
  ASSERT_EQ(Open({{"m/a", text, true}}), BUDDY_OK) << Said();
  const bd_zip_entry *entry = bd_zip_find(zip, "m/a");
  ASSERT_FALSE(entry->is_stored);
  std::string out(entry->size, '\0');
  ASSERT_EQ(bd_zip_inflate(zip, entry, diags, reinterpret_cast<uint8_t *>(out.data())), BUDDY_OK);
  EXPECT_EQ(out, text);
}

TEST_F(ZipTest, RefusesNamesThatLeaveTheFolder) {
  for (const char *name : {"../a", "m/../../a", "/etc/passwd", "m/..", "m\\a"}) {
    buddy_diags_clear(diags);
    EXPECT_EQ(Open({{name, "x"}}), BUDDY_CORRUPT) << name;
    EXPECT_NE(Said().find(name), std::string::npos) << Said();
  }
  EXPECT_EQ(Open({{"m/..a", "x"}, {"m/a..", "x"}}), BUDDY_OK) << Said();
}

TEST_F(ZipTest, RefusesDuplicates) {
  EXPECT_EQ(Open({{"m/a", "x"}, {"m/a", "y"}}), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("'m/a' of the archive is there twice"), std::string::npos) << Said();
}

TEST_F(ZipTest, RefusesEntriesThatShareBytes) {
  ZipFile twin = {"m/a", "same bytes"};
  twin.offset = 0;
  EXPECT_EQ(Open({{"m/a", "same bytes"}, twin}), BUDDY_CORRUPT);
}

TEST_F(ZipTest, RefusesSizesThatLie) {
  ZipFile file = {"m/a", "x"};
  file.size = 1000;
  EXPECT_EQ(Open({file}), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("m/a"), std::string::npos) << Said();
}

TEST_F(ZipTest, RefusesEncryptedEntries) {
  ZipFile file = {"m/a", "x"};
  file.flags = 1;
  EXPECT_EQ(Open({file}), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("encrypted"), std::string::npos) << Said();
}

TEST_F(ZipTest, TellsAWrongChecksum) {
  ZipFile file = {"m/a", "x"};
  file.crc = 7;
  ASSERT_EQ(Open({file}), BUDDY_OK);
  EXPECT_EQ(bd_zip_check(zip, bd_zip_find(zip, "m/a"), diags), BUDDY_CORRUPT);
}

TEST_F(ZipTest, RefusesEveryTruncation) {
  zips.emplace_back(std::vector<ZipFile>{{"m/a", "first"}, {"m/b", "second"}});
  for (size_t size = 0; size < zips.back().size(); ++size) {
    bd_zip *cut = nullptr;
    EXPECT_NE(bd_zip_open(zips.back().data(), size, "z.pt2", nullptr, &cut), BUDDY_OK) << size;
    bd_zip_close(cut);
  }
}

TEST_F(ZipTest, SurvivesEveryFlippedByte) {
  zips.emplace_back(std::vector<ZipFile>{{"m/a", "first"}, {"m/b", "second", true}});
  for (size_t i = 0; i < zips.back().size(); ++i) {
    zips.back().edit()[i] ^= 0xFF;
    bd_zip *flipped = nullptr;
    bd_zip_open(zips.back().data(), zips.back().size(), "z.pt2", nullptr, &flipped);
    bd_zip_close(flipped);
    zips.back().edit()[i] ^= 0xFF;
  }
}

}  // namespace
