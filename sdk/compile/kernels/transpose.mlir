// to = from turned, by blocks that are turned in registers. Words: those of gemm.mlir. Rows of both lie dense.
// Elements are moved as whole numbers of their width: LLVM takes vectors of bf16 apart where the processor has none.

!$TAG_rows = memref<?x?x$T, strided<[?, 1], offset: ?>>
!$TAG_bits = memref<?x?x$BITS, strided<[?, 1], offset: ?>>

func.func private @$NAME(%from_rows: !$TAG_rows, %to_rows: !$TAG_rows) {
  %from = builtin.unrealized_conversion_cast %from_rows : !$TAG_rows to !$TAG_bits
  %to = builtin.unrealized_conversion_cast %to_rows : !$TAG_rows to !$TAG_bits
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = arith.constant $L : index
  %pad = arith.constant 0 : $BITS
  %rows = memref.dim %from, %c0 : !$TAG_bits
  %columns = memref.dim %from, %c1 : !$TAG_bits
  scf.for %i = %c0 to %rows step %l {
    %rest_i = arith.subi %rows, %i : index
    %whole_i = arith.cmpi sge, %rest_i, %l : index
    scf.for %j = %c0 to %columns step %l {
      %rest_j = arith.subi %columns, %j : index
      %whole_j = arith.cmpi sge, %rest_j, %l : index
      %is_whole = arith.andi %whole_i, %whole_j : i1
      scf.if %is_whole {
        %block = vector.transfer_read %from[%i, %j], %pad {in_bounds = [true, true]} : !$TAG_bits, vector<$Lx$Lx$BITS>
        %turned = vector.transpose %block, [1, 0] : vector<$Lx$Lx$BITS> to vector<$Lx$Lx$BITS>
        vector.transfer_write %turned, %to[%j, %i] {in_bounds = [true, true]} : vector<$Lx$Lx$BITS>, !$TAG_bits
      } else {
        %block = vector.transfer_read %from[%i, %j], %pad : !$TAG_bits, vector<$Lx$Lx$BITS>
        %turned = vector.transpose %block, [1, 0] : vector<$Lx$Lx$BITS> to vector<$Lx$Lx$BITS>
        vector.transfer_write %turned, %to[%j, %i] : vector<$Lx$Lx$BITS>, !$TAG_bits
      }
    }
  }
  return
}
