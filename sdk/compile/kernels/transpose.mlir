// to = from turned, by blocks that are turned in registers. Words: those of gemm.mlir. Rows of both lie dense.

!$TAG_rows = memref<?x?x$T, strided<[?, 1], offset: ?>>

func.func private @$NAME(%from: !$TAG_rows, %to: !$TAG_rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = arith.constant $L : index
  %pad = arith.constant $ZERO : $T
  %rows = memref.dim %from, %c0 : !$TAG_rows
  %columns = memref.dim %from, %c1 : !$TAG_rows
  scf.for %i = %c0 to %rows step %l {
    %rest_i = arith.subi %rows, %i : index
    %whole_i = arith.cmpi sge, %rest_i, %l : index
    scf.for %j = %c0 to %columns step %l {
      %rest_j = arith.subi %columns, %j : index
      %whole_j = arith.cmpi sge, %rest_j, %l : index
      %is_whole = arith.andi %whole_i, %whole_j : i1
      scf.if %is_whole {
        %block = vector.transfer_read %from[%i, %j], %pad {in_bounds = [true, true]} : !$TAG_rows, vector<$Lx$Lx$T>
        %turned = vector.transpose %block, [1, 0] : vector<$Lx$Lx$T> to vector<$Lx$Lx$T>
        vector.transfer_write %turned, %to[%j, %i] {in_bounds = [true, true]} : vector<$Lx$Lx$T>, !$TAG_rows
      } else {
        %block = vector.transfer_read %from[%i, %j], %pad : !$TAG_rows, vector<$Lx$Lx$T>
        %turned = vector.transpose %block, [1, 0] : vector<$Lx$Lx$T> to vector<$Lx$Lx$T>
        vector.transfer_write %turned, %to[%j, %i] : vector<$Lx$Lx$T>, !$TAG_rows
      }
    }
  }
  return
}
