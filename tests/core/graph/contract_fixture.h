// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the contract of an op says of one node. */
#ifndef BUDDY_TESTS_CORE_GRAPH_CONTRACT_FIXTURE_H
#define BUDDY_TESTS_CORE_GRAPH_CONTRACT_FIXTURE_H

#include <string>
#include <vector>

#include "core/graph/guards.h"
#include "tests/core/graph/fixture.h"

class ContractFixture : public GraphFixture {
 protected:
  std::vector<const char *> schemas; /* as PyTorch declares them */
  /* "" if the node is taken, else why not. The graph's text form is what says it shortest. */
  std::string Told(const std::string &inputs, const std::string &node) {
    buddy_opset *ops = CreateTestOpset();
    for (const char *schema : schemas) {
      const buddy_op_kind kind = strstr(schema, "add_") ? BUDDY_KIND_ELEMENTWISE : BUDDY_KIND_OTHER;
      EXPECT_EQ(buddy_opset_define(ops, schema, kind, nullptr), BUDDY_OK) << schema;
    }
    const std::string text = "graph @g {\n" + inputs + "  " + node + "\n}\n";
    buddy_diags *told = nullptr;
    buddy_graph *made = nullptr;
    EXPECT_EQ(buddy_diags_create(&told), BUDDY_OK);
    const buddy_code code = buddy_graph_parse(ops, {text.data(), text.size()}, told, &made);
    const buddy_diag *first = buddy_diags_get(told, 0);
    const std::string said = code ? first ? first->what : "?" : "";
    guards.clear();
    for (size_t i = 0; made && i < bd_graph_n_guards(made); ++i)
      guards += std::string(i ? ", " : "") + bd_graph_guard(made, i)->text;
    buddy_graph_destroy(made);
    buddy_diags_destroy(told);
    buddy_opset_destroy(ops);
    return said;
  }
  std::string guards; /* of the last graph that was told of */
  static std::string In(const std::vector<std::string> &types) {
    std::string text;
    for (size_t i = 0; i < types.size(); ++i)
      text += "  input %" + std::string(1, static_cast<char>('a' + i)) + " : " + types[i] + "\n";
    return text;
  }
};

#endif
