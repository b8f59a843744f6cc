// C += A · B for few rows of A, where the columns of B lie dense: each is read once, where it is, and multiplied with the
// rows of A in vectors. Eight columns at a time: so many streams from memory, and so many sums that do not wait for one
// another. The next eight begin elsewhere, where no stream has been seen yet: while these are multiplied with the first row,
// the lines of all of them are fetched side by side, of narrow elements all lines, else the first ones, until the processor
// takes over. How an element is summed does not depend on which columns a call is for: in chains of at most 256 for each lane, as
// what rounds grows with their length. The lanes of the eight columns' sums are added up together, in a tree.
// Words: those of gemm.mlir, $V the sums of a vector, $K the elements of A and of B for it, as many or pairs of them, MULTIPLY what adds
// the products of %row and %block to %acc, ADD_UP what makes the %sums of %all, $LINES of $LINE elements of B that are fetched
// for each step.

!$TAG_matrix = memref<?x?x$T, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?x$S, strided<[?, 1], offset: ?>>
!$TAG_source = memref<?x?x$U, strided<[?, ?], offset: ?>>
!$TAG_rows = memref<?x?x$T, strided<[?, 1], offset: ?>>
!$TAG_columns = memref<?x?x$U, strided<[?, 1], offset: ?>>

// Elements %j to %j + 7 of all rows of C; %columns are those of B.
func.func private @$NAME_eight(%a: !$TAG_rows, %columns: !$TAG_columns, %c: !$TAG_target, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant $K : index
  %pad = arith.constant 0.0 : $T
  %pad_b = arith.constant $ZERO_B : $U
  %pad_c = arith.constant 0.0 : $S
  %zero = arith.constant dense<0.0> : vector<8x$Vx$F>
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %k = memref.dim %a, %c1 : !$TAG_rows
  %rest_k = arith.remui %k, %step : index
  %whole_k = arith.subi %k, %rest_k : index
  %chain = arith.constant 256 : index
  %piece = arith.muli %step, %chain : index
  %eight = arith.constant 8 : index
  %lines = arith.constant $LINES : index
  %line = arith.constant $LINE : index
  %ahead = arith.addi %j, %eight : index
  %rest_n = arith.subi %n, %j : index
  %is_whole = arith.cmpi sge, %rest_n, %eight : index
  scf.for %i = %c0 to %m step %c1 {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %main = scf.for %from = %c0 to %whole_k step %piece iter_args(%before = %zero) -> (vector<8x$Vx$F>) {
      %any_to = arith.addi %from, %piece : index
      %to = arith.minui %any_to, %whole_k : index
      %part = scf.if %is_whole -> vector<8x$Vx$F> {
        %sum = scf.for %p = %from to %to step %step iter_args(%acc = %zero) -> (vector<8x$Vx$F>) {
          scf.if %is_first {
            %round = arith.divui %p, %step : index
            %line_first = arith.muli %round, %lines : index
            scf.for %l = %c0 to %lines step %c1 {
              %line_l = arith.addi %line_first, %l : index
              %in_eight = arith.remui %line_l, %eight : index
              %column = arith.addi %ahead, %in_eight : index
              %of_column = arith.divui %line_l, %eight : index
              %at_ahead = arith.muli %of_column, %line : index
              memref.prefetch %columns[%column, %at_ahead], read, locality<2>, data : !$TAG_columns
            }
          }
          %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$Kx$T>
          %block = vector.transfer_read %columns[%j, %p], %pad_b {in_bounds = [true, true]} : !$TAG_columns, vector<8x$Kx$U>
$MULTIPLY
          scf.yield %next : vector<8x$Vx$F>
        }
        scf.yield %sum : vector<8x$Vx$F>
      } else {
        %sum = scf.for %p = %from to %to step %step iter_args(%acc = %zero) -> (vector<8x$Vx$F>) {
          %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$Kx$T>
          %block = vector.transfer_read %columns[%j, %p], %pad_b {in_bounds = [false, true]} : !$TAG_columns, vector<8x$Kx$U>
$MULTIPLY
          scf.yield %next : vector<8x$Vx$F>
        }
        scf.yield %sum : vector<8x$Vx$F>
      }
      %with = arith.addf %before, %part : vector<8x$Vx$F>
      scf.yield %with : vector<8x$Vx$F>
    }
    %all = scf.for %p = %whole_k to %k step %step iter_args(%acc = %main) -> (vector<8x$Vx$F>) {
      %row = vector.transfer_read %a[%i, %p], %pad : !$TAG_rows, vector<$Kx$T>
      %block = vector.transfer_read %columns[%j, %p], %pad_b : !$TAG_columns, vector<8x$Kx$U>
$MULTIPLY
      scf.yield %next : vector<8x$Vx$F>
    }
$ADD_UP
    %old = vector.transfer_read %c[%i, %j], %pad_c : !$TAG_target, vector<8x$S>
    %old_f = $WIDEN %old : vector<8x$S> to vector<8x$F>
    %new_f = arith.addf %old_f, %sums : vector<8x$F>
    %new = $TRUNC %new_f : vector<8x$F> to vector<8x$S>
    vector.transfer_write %new, %c[%i, %j] : vector<8x$S>, !$TAG_target
  }
  return
}

func.func private @$NAME(%a: !$TAG_matrix, %b: !$TAG_source, %c: !$TAG_target) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %n = memref.dim %c, %c1 : !$TAG_target
  %turned = memref.transpose %b (i, j) -> (j, i) : !$TAG_source to !$TAG_source
  %columns = memref.cast %turned : !$TAG_source to !$TAG_columns
  %rows = memref.cast %a : !$TAG_matrix to !$TAG_rows
  scf.for %j = %c0 to %n step %eight {
    func.call @$NAME_eight(%rows, %columns, %c, %j) : (!$TAG_rows, !$TAG_columns, !$TAG_target, index) -> ()
  }
  return
}
