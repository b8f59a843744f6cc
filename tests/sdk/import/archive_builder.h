// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/import/archive_builder.h: archives made by hand, with or without lies.
#ifndef BUDDY_TESTS_SDK_IMPORT_ARCHIVE_BUILDER_H
#define BUDDY_TESTS_SDK_IMPORT_ARCHIVE_BUILDER_H

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "buddy/import.h"
#include "sdk/import/archive.h"

// One entry of a zip. Fields that are set differ in the directory from what the bytes are.
struct ZipFile {
  std::string name, bytes;
  bool is_deflated = false;
  uint16_t flags = 0;
  int64_t crc = -1, size = -1, offset = -1;
};

class ZipBuilder {
 public:
  explicit ZipBuilder(std::vector<ZipFile> files) {
    std::string directory;
    for (const ZipFile &file : files) {
      const std::string stored = file.is_deflated ? Deflate(file.bytes) : file.bytes;
      const size_t offset = bytes_.size();
      const size_t padding = (64 - (offset + 30 + file.name.size()) % 64) % 64;
      Number(&bytes_, 0x04034b50, 4);
      Number(&bytes_, 20, 2);
      Header(&bytes_, file, stored.size(), padding);
      bytes_ += file.name + std::string(padding, '\0') + stored;
      Number(&directory, 0x02014b50, 4);
      Number(&directory, 20, 2);
      Number(&directory, 20, 2);
      Header(&directory, file, stored.size(), 0);
      Number(&directory, 0, 2 + 2);
      Number(&directory, 0, 6);
      Number(&directory, file.offset < 0 ? offset : static_cast<uint64_t>(file.offset), 4);
      directory += file.name;
    }
    const size_t start = bytes_.size();
    bytes_ += directory;
    Number(&bytes_, 0x06054b50, 4);
    Number(&bytes_, 0, 4);
    Number(&bytes_, files.size(), 2);
    Number(&bytes_, files.size(), 2);
    Number(&bytes_, directory.size(), 4);
    Number(&bytes_, start, 4);
    Number(&bytes_, 0, 2);
    // Weights are mapped where they lie: as in a file, the zip begins at a multiple of 64.
    memory_.resize(bytes_.size() + 64);
    data_ = memory_.data() + (64 - reinterpret_cast<uintptr_t>(memory_.data()) % 64) % 64;
    bytes_.copy(data_, bytes_.size());
  }

  const uint8_t *data() const { return reinterpret_cast<const uint8_t *>(data_); }
  uint8_t *edit() { return reinterpret_cast<uint8_t *>(data_); }
  size_t size() const { return bytes_.size(); }

 private:
  static void Number(std::string *out, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; ++i) out->push_back(static_cast<char>(number >> (8 * i)));
  }

  static std::string Deflate(const std::string &bytes) {
    z_stream stream = {};
    deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    std::string in = bytes;
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  static void Header(std::string *out, const ZipFile &file, size_t stored, size_t padding) {
    const uLong crc =
        crc32_z(0, reinterpret_cast<const Bytef *>(file.bytes.data()), file.bytes.size());
    Number(out, file.flags, 2);
    Number(out, file.is_deflated ? 8 : 0, 2);
    Number(out, 0, 4);
    Number(out, file.crc < 0 ? crc : static_cast<uint64_t>(file.crc), 4);
    Number(out, stored, 4);
    Number(out, file.size < 0 ? file.bytes.size() : static_cast<uint64_t>(file.size), 4);
    Number(out, file.name.size(), 2);
    Number(out, padding, 2);
  }

  std::string bytes_;
  std::vector<char> memory_;
  char *data_;
};

// ---- Programs ----

inline std::string Meta(const std::string &sizes, const std::string &strides, int dtype = 7,
                        int offset = 0) {
  const auto ints = [](const std::string &list) {
    std::string out;
    for (size_t at = 0; at < list.size();) {
      const size_t comma = std::min(list.find(',', at), list.size());
      out += (out.empty() ? "" : ", ") + ("{\"as_int\": " + list.substr(at, comma - at) + "}");
      at = comma + 1;
    }
    return out;
  };
  return "{\"dtype\": " + std::to_string(dtype) + ", \"sizes\": [" + ints(sizes) +
         "], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", \"index\": null}, "
         "\"strides\": [" +
         ints(strides) + "], \"storage_offset\": {\"as_int\": " + std::to_string(offset) +
         "}, \"layout\": 7}";
}

inline std::string Payload(const std::string &path, const std::string &meta,
                           bool is_pickled = false) {
  return "{\"path_name\": \"" + path +
         "\", \"is_param\": true, \"use_pickle\": " + (is_pickled ? "true" : "false") +
         ", \"tensor_meta\": " + meta + "}";
}

inline std::string Tensor(const std::string &name) {
  return "{\"as_tensor\": {\"name\": \"" + name + "\"}}";
}

inline std::string Input(const std::string &name, const std::string &arg) {
  return "{\"name\": \"" + name + "\", \"arg\": " + arg + ", \"kind\": 1}";
}

inline std::string Node(const std::string &target, const std::string &inputs,
                        const std::string &outputs, const std::string &name,
                        const std::string &metadata = "{}") {
  return "{\"target\": \"" + target + "\", \"inputs\": [" + inputs + "], \"outputs\": [" + outputs +
         "], \"metadata\": " + metadata + ", \"is_hop_single_tensor_return\": null, \"name\": \"" +
         name + "\"}";
}

// A program with the parts that its text is made of; each may be replaced.
struct Program {
  std::string inputs, outputs, nodes, tensor_values;
  std::string sym_int_values, sym_float_values, sym_bool_values;
  std::string input_specs, output_specs, ranges;
  std::string version = "{\"major\": 8, \"minor\": 20}";
  std::string weights, constants;
  std::vector<ZipFile> files;

  std::string Json() const {
    return "{\"graph_module\": {\"graph\": {\"inputs\": [" + inputs + "], \"outputs\": [" +
           outputs + "], \"nodes\": [" + nodes + "], \"tensor_values\": {" + tensor_values +
           "}, \"sym_int_values\": {" + sym_int_values + "}, \"sym_float_values\": {" +
           sym_float_values + "}, \"sym_bool_values\": {" + sym_bool_values +
           "}, \"is_single_tensor_return\": false, \"custom_obj_values\": {}}, \"signature\": "
           "{\"input_specs\": [" +
           input_specs + "], \"output_specs\": [" + output_specs +
           "]}, \"module_call_graph\": []}, \"opset_version\": {\"aten\": 10}, "
           "\"range_constraints\": {" +
           ranges + "}, \"schema_version\": " + version + ", \"torch_version\": \"2.13.0\"}";
  }

  std::vector<ZipFile> Files() const {
    std::vector<ZipFile> all = files;
    all.push_back({"m/data/weights/model_weights_config.json", "{\"config\": {" + weights + "}}"});
    all.push_back(
        {"m/data/constants/model_constants_config.json", "{\"config\": {" + constants + "}}"});
    all.push_back({"m/models/model.json", Json()});
    all.push_back({"m/archive_format", "pt2"});
    all.push_back({"m/archive_version", "0"});
    all.push_back({"m/byteorder", "little"});
    return all;
  }

  void AddUserInput(const std::string &name, const std::string &meta) {
    Comma(&inputs) += Tensor(name);
    Comma(&input_specs) += "{\"user_input\": {\"arg\": " + Tensor(name) + "}}";
    AddValue(name, meta);
  }
  void AddParameter(const std::string &name, const std::string &target, const std::string &meta) {
    Comma(&inputs) += Tensor(name);
    Comma(&input_specs) += "{\"parameter\": {\"arg\": {\"name\": \"" + name +
                           "\"}, \"parameter_name\": \"" + target + "\"}}";
    AddValue(name, meta);
  }
  void AddValue(const std::string &name, const std::string &meta) {
    Comma(&tensor_values) += "\"" + name + "\": " + meta;
  }
  void AddNode(const std::string &node) { Comma(&nodes) += node; }
  void AddOutput(const std::string &arg) {
    Comma(&outputs) += arg;
    Comma(&output_specs) += "{\"user_output\": {\"arg\": " + arg + "}}";
  }

  static std::string &Comma(std::string *list) {
    if (!list->empty()) *list += ", ";
    return *list;
  }
};

// relu(x) of two numbers.
inline Program ReluProgram() {
  Program program;
  program.AddUserInput("x", Meta("2", "1"));
  program.AddValue("relu", Meta("2", "1"));
  program.AddNode(
      Node("torch.ops.aten.relu.default", Input("self", Tensor("x")), Tensor("relu"), "relu"));
  program.AddOutput(Tensor("relu"));
  return program;
}

// ---- Importing ----

class ImportTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    ASSERT_EQ(buddy_aten_opset_create(&opset), BUDDY_OK);
  }
  void TearDown() override {
    Close();
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }
  void Close() {
    buddy_graph_destroy(graph);
    buddy_archive_close(archive);
    graph = nullptr;
    archive = nullptr;
  }

  // Opens and imports; the bytes stay.
  buddy_code Import(const std::vector<ZipFile> &files) {
    zips.emplace_back(files);
    const ZipBuilder &zip = zips.back();
    Close();
    buddy_diags_clear(diags);
    const buddy_code code =
        bd_archive_open_memory(zip.data(), zip.size(), "m.pt2", diags, &archive);
    return code ? code : buddy_archive_import(archive, opset, diags, &graph);
  }
  buddy_code Import(const Program &program) { return Import(program.Files()); }

  std::string Print() const {
    std::string text;
    const buddy_writer writer = {[](void *user, const char *data, size_t size) {
                                   static_cast<std::string *>(user)->append(data, size);
                                   return BUDDY_OK;
                                 },
                                 &text};
    if (graph) buddy_graph_print(graph, &writer);
    return text;
  }

  // "severity where: what" of all diagnostics, a line each.
  std::string Said() const {
    std::string text;
    for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
      const buddy_diag *diag = buddy_diags_get(diags, i);
      text += std::string(diag->where) + ": " + diag->what + "\n";
    }
    return text;
  }

  // The normal form of a graph given as text.
  std::string Normalize(const std::string &text) {
    Close();
    buddy_diags_clear(diags);
    const std::string whole = "graph @f {\n" + text + "}\n";
    buddy_code code = buddy_graph_parse(opset, {whole.data(), whole.size()}, diags, &graph);
    EXPECT_EQ(code, BUDDY_OK) << Said();
    if (!code) code = buddy_graph_normalize(graph, diags);
    if (!code) code = buddy_graph_verify(graph, diags);
    if (code) return "failed\n" + Said();
    std::string out = Print(), lines;
    for (size_t at = 0; at < out.size();) {  // without the frame, and without indentation
      const size_t end = out.find('\n', at);
      std::string line = out.substr(at, end - at);
      line.erase(0, line.find_first_not_of(' '));
      if (line != "graph @f {" && line != "}") lines += line + "\n";
      at = end + 1;
    }
    return lines;
  }

  buddy_diags *diags = nullptr;
  buddy_opset *opset = nullptr;
  buddy_archive *archive = nullptr;
  buddy_graph *graph = nullptr;
  std::vector<ZipBuilder> zips;
};

#endif
