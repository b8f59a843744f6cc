// A schedule: MLIR's transform dialect says how a model's operations become loops.
//
//   buddy run MODEL.pt2 --schedule examples/schedule.mlir
//
// Sequences are applied where their names say: @tensors to fused linalg on tensors, @buffers to linalg on buffers,
// @loops once products and convolutions have become kernels; private sequences are for others to include. This one
// cuts operations on matrices whose dims are all parallel into tiles of 16 columns.
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @is_parallel(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured failures(propagate) %op : !transform.any_op {
    ^bb0(%struct: !transform.any_op):
      transform.match.structured.dim %struct[all] {parallel} : !transform.any_op
      %rank = transform.match.structured.rank %struct : (!transform.any_op) -> !transform.param<i64>
      %two = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %two : !transform.param<i64>
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence private @tile(%op: !transform.any_op {transform.consumed}) {
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @tensors(%module: !transform.any_op) {
    transform.foreach_match in %module @is_parallel -> @tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
