# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``model-explorer --extensions=buddy.model_explorer model.pt2``: archives in Model Explorer, as buddy imports and plans them."""
