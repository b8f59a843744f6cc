// C += A · B for few rows of A, where the columns of B lie dense: each is read once, where it is, and multiplied with the
// rows of A in vectors. A column is read from front to back, then the one behind it: one stream, which processors read ahead
// faster than several side by side. Where its next page begins no stream has been seen yet: the first lines of that are fetched.
// A row of A that is long would leave the first cache while each column goes by: of long columns eight are read side by side, a vector of
// each for one of the row. No processor reads eight streams as fast as one, so the eight behind them are fetched in the order in which they lie.
// How an element is summed does not depend on which columns a call is for, if it begins with one of every eight: page by page in
// two vectors, or long columns by half a page in one, which are then added up; the lanes of eight columns are added up together, in a tree.
// Words: those of gemm.mlir, $V the sums of a vector, $K the elements of A and of B for it, as many or pairs of them, $STEP those of
// two; EIGHT, TWO, ONE what adds the products of %rows and %block, of so many vectors, to %acc, FETCH what fetches as many lines as EIGHT
// reads, from %ahead_j and %ahead on, ADD_UP what makes %sums of the lanes of %eight; $PAGE elements of B in a page, $HALF in half of one,
// $LINE in a line; $LONG of the longest row of A that is not long. Where B stays in the second cache anyway, that is 0, and nothing is fetched.

!$TAG_matrix = memref<?x?x$T, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?x$S, strided<[?, 1], offset: ?>>
!$TAG_source = memref<?x?x$U, strided<[?, ?], offset: ?>>
!$TAG_rows = memref<?x?x$T, strided<[?, 1], offset: ?>>
!$TAG_columns = memref<?x?x$U, strided<[?, 1], offset: ?>>
!$TAG_lanes = memref<8x$Vx$F>

// Elements %j to %j + 7 of all rows of C; %columns are those of B.
func.func private @$NAME_eight(%a: !$TAG_rows, %columns: !$TAG_columns, %c: !$TAG_target, %j: index)
    attributes {passthrough = [["prefer-vector-width", "$BITS_OF_LOAD"], ["min-legal-vector-width", "$BITS_OF_LOAD"]]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %vector = arith.constant $K : index
  %step = arith.constant $STEP : index
  %page = arith.constant $PAGE : index
  %half_page = arith.constant $HALF : index
  %long = arith.constant $LONG : index
  %line = arith.constant $LINE : index
  %fetched = arith.constant 4 : index
  %pad = arith.constant 0.0 : $T
  %pad_b = arith.constant $ZERO_B : $U
  %pad_c = arith.constant 0.0 : $S
  %pad_f = arith.constant 0.0 : $F
  %zeros = arith.constant dense<0.0> : vector<8x$Vx$F>
  %zero = arith.constant dense<0.0> : vector<2x$Vx$F>
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %k = memref.dim %a, %c1 : !$TAG_rows
  %rest_k = arith.remui %k, %vector : index
  %vectors_k = arith.subi %k, %rest_k : index
  %rest_steps = arith.remui %k, %step : index
  %steps_k = arith.subi %k, %rest_steps : index
  %rest_n = arith.subi %n, %j : index
  %n_columns = arith.minui %rest_n, %c8 : index
  %is_long = arith.cmpi ugt, %k, %long : index
  %is_whole = arith.cmpi eq, %n_columns, %c8 : index
  %are_aside = arith.andi %is_long, %is_whole : i1
  %behind_j = arith.addi %j, %c8 : index
  %of_b, %offset_b, %sizes_b:2, %strides_b:2 = memref.extract_strided_metadata %columns
      : !$TAG_columns -> memref<$U>, index, index, index, index, index
  %is_dense = arith.cmpi eq, %strides_b#0, %k : index
  %lanes = memref.alloca() {alignment = 64} : !$TAG_lanes
  scf.for %i = %c0 to %m step %c1 {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %eight = scf.if %are_aside -> vector<8x$Vx$F> {
      // Lines of what lies behind; of other rows, or where nothing lies densely, those that are there already.
      %is_behind = arith.andi %is_first, %is_dense : i1
      %ahead_j = arith.select %is_behind, %behind_j, %j : index
      %at_a_time = arith.select %is_behind, %c8, %c0 : index
      %whole = scf.for %from = %c0 to %vectors_k step %half_page iter_args(%before = %zeros) -> (vector<8x$Vx$F>) {
        %next_half = arith.addi %from, %half_page : index
        %to = arith.minui %next_half, %vectors_k : index
        %part = scf.for %p = %from to %to step %vector iter_args(%acc = %zeros) -> (vector<8x$Vx$F>) {
          %ahead = arith.muli %p, %at_a_time : index
$FETCH
          %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$Kx$T>
          %rows = vector.broadcast %row : vector<$Kx$T> to vector<8x$Kx$T>
          %block = vector.transfer_read %columns[%j, %p], %pad_b {in_bounds = [true, true]} : !$TAG_columns, vector<8x$Kx$U>
$EIGHT
          scf.yield %next : vector<8x$Vx$F>
        }
        %with = arith.addf %before, %part : vector<8x$Vx$F>
        scf.yield %with : vector<8x$Vx$F>
      }
      %all = scf.for %p = %vectors_k to %k step %vector iter_args(%acc = %whole) -> (vector<8x$Vx$F>) {
        %row = vector.transfer_read %a[%i, %p], %pad : !$TAG_rows, vector<$Kx$T>
        %rows = vector.broadcast %row : vector<$Kx$T> to vector<8x$Kx$T>
        %block = vector.transfer_read %columns[%j, %p], %pad_b {in_bounds = [true, false]} : !$TAG_columns, vector<8x$Kx$U>
$EIGHT
        scf.yield %next : vector<8x$Vx$F>
      }
      scf.yield %all : vector<8x$Vx$F>
    } else {
      scf.for %q = %c0 to %n_columns step %c1 {
        %at_b = arith.addi %j, %q : index
        %main = scf.for %from = %c0 to %steps_k step %page iter_args(%before = %zero) -> (vector<2x$Vx$F>) {
          %next_page = arith.addi %from, %page : index
          %to = arith.minui %next_page, %steps_k : index
          scf.if %is_first {
            scf.for %l = %c0 to %fetched step %c1 {
              %of_line = arith.muli %l, %line : index
              %ahead = arith.addi %to, %of_line : index
              memref.prefetch %columns[%at_b, %ahead], read, locality<3>, data : !$TAG_columns
            }
          }
          %part = scf.for %p = %from to %to step %step iter_args(%acc = %zero) -> (vector<2x$Vx$F>) {
            %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$STEPx$T>
            %column = vector.load %columns[%at_b, %p] : !$TAG_columns, vector<$STEPx$U>
            %rows = vector.shape_cast %row : vector<$STEPx$T> to vector<2x$Kx$T>
            %block = vector.shape_cast %column : vector<$STEPx$U> to vector<2x$Kx$U>
$TWO
            scf.yield %next : vector<2x$Vx$F>
          }
          %with = arith.addf %before, %part : vector<2x$Vx$F>
          scf.yield %with : vector<2x$Vx$F>
        }
        %main_0 = vector.extract %main[0] : vector<$Vx$F> from vector<2x$Vx$F>
        %main_1 = vector.extract %main[1] : vector<$Vx$F> from vector<2x$Vx$F>
        %folded = arith.addf %main_0, %main_1 : vector<$Vx$F>
        %whole = vector.shape_cast %folded : vector<$Vx$F> to vector<1x$Vx$F>
        %all = scf.for %p = %steps_k to %k step %vector iter_args(%acc = %whole) -> (vector<1x$Vx$F>) {
          %row = vector.transfer_read %a[%i, %p], %pad : !$TAG_rows, vector<$Kx$T>
          %column = vector.transfer_read %columns[%at_b, %p], %pad_b : !$TAG_columns, vector<$Kx$U>
          %rows = vector.shape_cast %row : vector<$Kx$T> to vector<1x$Kx$T>
          %block = vector.shape_cast %column : vector<$Kx$U> to vector<1x$Kx$U>
$ONE
          scf.yield %next : vector<1x$Vx$F>
        }
        %of_column = vector.shape_cast %all : vector<1x$Vx$F> to vector<$Vx$F>
        vector.store %of_column, %lanes[%q, %c0] : !$TAG_lanes, vector<$Vx$F>
      }
      %all = vector.transfer_read %lanes[%c0, %c0], %pad_f {in_bounds = [true, true]} : !$TAG_lanes, vector<8x$Vx$F>
      scf.yield %all : vector<8x$Vx$F>
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
