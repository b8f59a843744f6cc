// C += A · B on strided matrices, the way BLIS does it: blocks that stay in cache, packed so that the innermost kernel
// reads both from front to back, and one tile of C held in registers.
//
//   for each NC columns of B, for each KC rows of them:  pack B into panels of NR columns     (stays in L3)
//     for each MC rows of A:                             pack A into panels of MR rows        (stays in L2)
//       for each panel of B, for each panel of A:        MR × NR of C += panel of A · panel of B
//
// Before this text is parsed, these words are replaced: $T the element type of A, $U that of B, $S that of C, $F the type
// that is computed in, $SUM the one that C is added up in (for integers $S, else $F), $NAME the function's name, $TAG the
// prefix of its type aliases, $MR $NR $MC $KC $NC the sizes above, $L the side of the blocks that are transposed, $ZERO (of T),
// $ZERO_B (of U), $ZERO_C (of S), $ADD (the sum of two $SUM) and $EXTEND (T to F), $EXTEND_B (U to F), $ROUND (F to SUM), $WIDEN (S to
// SUM), $TRUNC (SUM to S) the conversions. Bytes are computed in f32, where sums over $KC of their products are exact.
// C has unit stride along its rows; A and B may be strided in any way. Edges of panels are packed as zeros.

!$TAG_matrix = memref<?x?x$T, strided<[?, ?], offset: ?>>
!$TAG_source = memref<?x?x$U, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?x$S, strided<[?, 1], offset: ?>>
!$TAG_rows = memref<?x?x$U, strided<[?, 1], offset: ?>>
!$TAG_panels_a = memref<?x?x$MRx$F>
!$TAG_panels_b = memref<?x?x$NRx$F>
!$TAG_panel_a = memref<?x$MRx$F, strided<[$MR, 1], offset: ?>>
!$TAG_panel_b = memref<?x$NRx$F, strided<[$NR, 1], offset: ?>>

// One tile: MR × NR of C += a panel of A · a panel of B. Meanwhile what lies %ahead of element %from is fetched, %step
// elements for each row of B.
func.func private @$NAME_tile(%a: !$TAG_panel_a, %b: !$TAG_panel_b, %c: !$TAG_target, %ahead: !$TAG_panel_b, %from: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %a, %c0 : !$TAG_panel_a
  %zero = arith.constant dense<0.0> : vector<$MRx$NRx$F>
  %sum = scf.for %p = %c0 to %k step %c1 iter_args(%acc = %zero) -> (vector<$MRx$NRx$F>) {
    %column = vector.load %a[%p, %c0] : !$TAG_panel_a, vector<$MRx$F>
    %row = vector.load %b[%p, %c0] : !$TAG_panel_b, vector<$NRx$F>
    %steps = arith.muli %p, %step : index
    %at_ahead = arith.addi %from, %steps : index
    memref.prefetch %ahead[%c0, %at_ahead], read, locality<2>, data : !$TAG_panel_b
    %next = vector.outerproduct %column, %row, %acc {kind = #vector.kind<add>} : vector<$MRx$F>, vector<$NRx$F>
    scf.yield %next : vector<$MRx$NRx$F>
  }
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %mr = arith.constant $MR : index
  %nr = arith.constant $NR : index
  %has_rows = arith.cmpi sge, %m, %mr : index
  %has_columns = arith.cmpi sge, %n, %nr : index
  %is_whole = arith.andi %has_rows, %has_columns : i1
  %pad = arith.constant $ZERO_C : $S
  %part = $ROUND %sum : vector<$MRx$NRx$F> to vector<$MRx$NRx$SUM>
  scf.if %is_whole {
    %old = vector.transfer_read %c[%c0, %c0], %pad {in_bounds = [true, true]} : !$TAG_target, vector<$MRx$NRx$S>
    %old_s = $WIDEN %old : vector<$MRx$NRx$S> to vector<$MRx$NRx$SUM>
    %new_s = $ADD %old_s, %part : vector<$MRx$NRx$SUM>
    %new = $TRUNC %new_s : vector<$MRx$NRx$SUM> to vector<$MRx$NRx$S>
    vector.transfer_write %new, %c[%c0, %c0] {in_bounds = [true, true]} : vector<$MRx$NRx$S>, !$TAG_target
  } else {
    %old = vector.transfer_read %c[%c0, %c0], %pad : !$TAG_target, vector<$MRx$NRx$S>
    %old_s = $WIDEN %old : vector<$MRx$NRx$S> to vector<$MRx$NRx$SUM>
    %new_s = $ADD %old_s, %part : vector<$MRx$NRx$SUM>
    %new = $TRUNC %new_s : vector<$MRx$NRx$SUM> to vector<$MRx$NRx$S>
    vector.transfer_write %new, %c[%c0, %c0] : vector<$MRx$NRx$S>, !$TAG_target
  }
  return
}

// Rows of A, MR at a time, each panel k-major.
func.func private @$NAME_pack_a(%a: !$TAG_matrix, %panels: !$TAG_panels_a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mr = arith.constant $MR : index
  %zero = arith.constant 0.0 : $F
  %m = memref.dim %a, %c0 : !$TAG_matrix
  %k = memref.dim %a, %c1 : !$TAG_matrix
  scf.for %i = %c0 to %m step %mr {
    %panel = arith.divui %i, %mr : index
    %rest = arith.subi %m, %i : index
    %rows = arith.minsi %rest, %mr : index
    scf.for %r = %c0 to %rows step %c1 {
      %row = arith.addi %i, %r : index
      scf.for %p = %c0 to %k step %c1 {
        %x = memref.load %a[%row, %p] : !$TAG_matrix
        %x_f = $EXTEND %x : $T to $F
        memref.store %x_f, %panels[%panel, %p, %r] : !$TAG_panels_a
      }
    }
    scf.for %r = %rows to %mr step %c1 {
      scf.for %p = %c0 to %k step %c1 {
        memref.store %zero, %panels[%panel, %p, %r] : !$TAG_panels_a
      }
    }
  }
  return
}

// Columns of B, NR at a time, each panel k-major: those panels from %first to %last. Rows of B that lie dense are copied as
// vectors; columns that lie dense, as in the weights of torch.nn.Linear, are transposed L × L at a time.
func.func private @$NAME_pack_some_b(%b: !$TAG_source, %panels: !$TAG_panels_b, %first: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nr = arith.constant $NR : index
  %l = arith.constant $L : index
  %zero = arith.constant 0.0 : $F
  %pad = arith.constant $ZERO_B : $U
  %base, %offset, %size_k, %size_n, %stride_k, %stride_n = memref.extract_strided_metadata %b
      : !$TAG_source -> memref<$U>, index, index, index, index, index
  %rows_dense = arith.cmpi eq, %stride_n, %c1 : index
  %columns_dense = arith.cmpi eq, %stride_k, %c1 : index
  scf.for %panel = %first to %last step %c1 {
    %j = arith.muli %panel, %nr : index
    %rest = arith.subi %size_n, %j : index
    %columns = arith.minsi %rest, %nr : index
    scf.if %rows_dense {
      %dense = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size_k, %size_n], strides: [%stride_k, 1]
          : memref<$U> to !$TAG_rows
      %is_whole = arith.cmpi eq, %columns, %nr : index
      scf.if %is_whole {
        scf.for %p = %c0 to %size_k step %c1 {
          %row = vector.load %dense[%p, %j] : !$TAG_rows, vector<$NRx$U>
          %row_f = $EXTEND_B %row : vector<$NRx$U> to vector<$NRx$F>
          vector.store %row_f, %panels[%panel, %p, %c0] : !$TAG_panels_b, vector<$NRx$F>
        }
      } else {
        scf.for %p = %c0 to %size_k step %c1 {
          %row = vector.transfer_read %dense[%p, %j], %pad : !$TAG_rows, vector<$NRx$U>
          %row_f = $EXTEND_B %row : vector<$NRx$U> to vector<$NRx$F>
          vector.store %row_f, %panels[%panel, %p, %c0] : !$TAG_panels_b, vector<$NRx$F>
        }
      }
    } else {
      // A whole panel of dense columns goes by blocks as far as k has whole blocks.
      %is_whole = arith.cmpi eq, %columns, %nr : index
      %by_blocks = arith.andi %columns_dense, %is_whole : i1
      %blocks = arith.divui %size_k, %l : index
      %blocked_k = arith.muli %blocks, %l : index
      %start = arith.select %by_blocks, %blocked_k, %c0 : index
      %dense = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size_n, %size_k], strides: [%stride_n, 1]
          : memref<$U> to !$TAG_rows
      scf.for %p = %c0 to %start step %l {
        scf.for %q = %c0 to %nr step %l {
          %column = arith.addi %j, %q : index
          %block = vector.transfer_read %dense[%column, %p], %pad {in_bounds = [true, true]} : !$TAG_rows, vector<$Lx$Lx$U>
          %block_f = $EXTEND_B %block : vector<$Lx$Lx$U> to vector<$Lx$Lx$F>
          %turned = vector.transpose %block_f, [1, 0] : vector<$Lx$Lx$F> to vector<$Lx$Lx$F>
          vector.transfer_write %turned, %panels[%panel, %p, %q] {in_bounds = [true, true]}
              : vector<$Lx$Lx$F>, !$TAG_panels_b
        }
      }
      scf.for %p = %start to %size_k step %c1 {
        scf.for %q = %c0 to %columns step %c1 {
          %column = arith.addi %j, %q : index
          %x = memref.load %b[%p, %column] : !$TAG_source
          %x_f = $EXTEND_B %x : $U to $F
          memref.store %x_f, %panels[%panel, %p, %q] : !$TAG_panels_b
        }
        scf.for %q = %columns to %nr step %c1 {
          memref.store %zero, %panels[%panel, %p, %q] : !$TAG_panels_b
        }
      }
    }
  }
  return
}

// All panels of B; threads share them.
func.func private @$NAME_pack_b(%b: !$TAG_source, %panels: !$TAG_panels_b) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nr = arith.constant $NR : index
  %n = memref.dim %b, %c1 : !$TAG_source
  %n_panels = arith.ceildivui %n, %nr : index
  %units = arith.maxui %n_panels, %c1 : index
  scf.parallel (%first) = (%c0) to (%units) step (%units) {
    %end = arith.addi %first, %units : index
    %last = arith.minui %end, %n_panels : index
    func.call @$NAME_pack_some_b(%b, %panels, %first, %last)
        : (!$TAG_source, !$TAG_panels_b, index, index) -> ()
  } {cost = $PANEL : i64}
  return
}

func.func private @$NAME(%a: !$TAG_matrix, %b: !$TAG_source, %c: !$TAG_target) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mr = arith.constant $MR : index
  %nr = arith.constant $NR : index
  %mc = arith.constant $MC : index
  %nc = arith.constant $NC : index
  %kc = arith.constant $KC : index
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %k = memref.dim %a, %c1 : !$TAG_matrix
  %most_m = arith.minsi %m, %mc : index
  %most_n = arith.minsi %n, %nc : index
  %most_k = arith.minsi %k, %kc : index
  %most_panels_a = arith.ceildivui %most_m, %mr : index
  %most_panels_b = arith.ceildivui %most_n, %nr : index
  %space_a = memref.alloc(%most_panels_a, %most_k) : !$TAG_panels_a
  %space_b = memref.alloc(%most_panels_b, %most_k) : !$TAG_panels_b
  scf.for %j = %c0 to %n step %nc {
    %rest_n = arith.subi %n, %j : index
    %columns = arith.minsi %rest_n, %nc : index
    scf.for %p = %c0 to %k step %kc {
      %rest_k = arith.subi %k, %p : index
      %depth = arith.minsi %rest_k, %kc : index
      %block_b = memref.subview %b[%p, %j] [%depth, %columns] [1, 1] : !$TAG_source to !$TAG_source
      func.call @$NAME_pack_b(%block_b, %space_b) : (!$TAG_source, !$TAG_panels_b) -> ()
      scf.for %i = %c0 to %m step %mc {
        %rest_m = arith.subi %m, %i : index
        %rows = arith.minsi %rest_m, %mc : index
        %block_a = memref.subview %a[%i, %p] [%rows, %depth] [1, 1] : !$TAG_matrix to !$TAG_matrix
        func.call @$NAME_pack_a(%block_a, %space_a) : (!$TAG_matrix, !$TAG_panels_a) -> ()
        scf.for %jr = %c0 to %columns step %nr {
          %index_b = arith.divui %jr, %nr : index
          %panel_b = memref.subview %space_b[%index_b, 0, 0] [1, %depth, $NR] [1, 1, 1] : !$TAG_panels_b to !$TAG_panel_b
          %column = arith.addi %j, %jr : index
          %width = arith.subi %columns, %jr : index
          scf.for %ir = %c0 to %rows step %mr {
            %index_a = arith.divui %ir, %mr : index
            %panel_a = memref.subview %space_a[%index_a, 0, 0] [1, %depth, $MR] [1, 1, 1] : !$TAG_panels_a to !$TAG_panel_a
            %row = arith.addi %i, %ir : index
            %height = arith.subi %rows, %ir : index
            %tile = memref.subview %c[%row, %column] [%height, %width] [1, 1] : !$TAG_target to !$TAG_target
            func.call @$NAME_tile(%panel_a, %panel_b, %tile, %panel_b, %c0, %c0)
                : (!$TAG_panel_a, !$TAG_panel_b, !$TAG_target, !$TAG_panel_b, index, index) -> ()
          }
        }
      }
    }
  }
  memref.dealloc %space_a : !$TAG_panels_a
  memref.dealloc %space_b : !$TAG_panels_b
  return
}
