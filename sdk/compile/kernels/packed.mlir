// C += A · B on strided matrices, where B has been packed before, as a whole: panel j holds columns j · NR to (j + 1) · NR,
// row by row (gemm.mlir's pack_b). For products of many rows with a constant whose panels are kept from run to run.
//
// A is packed once, as a whole, and then read by all threads, who share the panels of B:
//
//   for each KC rows of B, for each MC rows of A          (the block of A stays in L2)
//     for each panel of B, for each panel of A:           MR × NR of C += panel of A · panel of B
//
// While the tiles of a panel of B are computed, the next panel is fetched, each tile its share.
//
// Words: those of gemm.mlir; $GEMM the name of that for the same elements; $PRODUCT what one panel of B costs if rows are few.

!$TAG_matrix = memref<?x?x$T, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?x$S, strided<[?, 1], offset: ?>>
!$TAG_panels_a = memref<?x?x$MRx$F>
!$TAG_panels_b = memref<?x?x$NRx$F>
!$TAG_panel_a = memref<?x$MRx$F, strided<[$MR, 1], offset: ?>>
!$TAG_panel_b = memref<?x$NRx$F, strided<[$NR, 1], offset: ?>>

// Panels of A from %first to %last: rows behind the last are zeros.
func.func private @$NAME_rows(%a: !$TAG_matrix, %panels: !$TAG_panels_a, %first: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mr = arith.constant $MR : index
  %zero = arith.constant 0.0 : $F
  %m = memref.dim %a, %c0 : !$TAG_matrix
  %k = memref.dim %a, %c1 : !$TAG_matrix
  scf.for %panel = %first to %last step %c1 {
    %i = arith.muli %panel, %mr : index
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

// The columns of C of the panels of B from %first to %last.
func.func private @$NAME_columns(%a: !$TAG_panels_a, %b: !$TAG_panels_b, %c: !$TAG_target, %first: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mr = arith.constant $MR : index
  %nr = arith.constant $NR : index
  %mc = arith.constant $MC : index
  %kc = arith.constant $KC : index
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %k = memref.dim %b, %c1 : !$TAG_panels_b
  scf.for %p = %c0 to %k step %kc {
    %rest_k = arith.subi %k, %p : index
    %depth = arith.minsi %rest_k, %kc : index
    scf.for %block = %c0 to %m step %mc {
      %block_next = arith.addi %block, %mc : index
      %block_end = arith.minsi %block_next, %m : index
      %rows = arith.subi %block_end, %block : index
      %tiles = arith.ceildivui %rows, %mr : index
      %step = arith.ceildivui %nr, %tiles : index
      %of_tile = arith.muli %step, %depth : index
      scf.for %j = %first to %last step %c1 {
        %j_ahead = arith.addi %j, %c1 : index
        %ahead = memref.subview %b[%j_ahead, %p, 0] [1, %depth, $NR] [1, 1, 1] : !$TAG_panels_b to !$TAG_panel_b
        %panel_b = memref.subview %b[%j, %p, 0] [1, %depth, $NR] [1, 1, 1] : !$TAG_panels_b to !$TAG_panel_b
        %column = arith.muli %j, %nr : index
        %width = arith.subi %n, %column : index
        scf.for %i = %block to %block_end step %mr {
          %index_a = arith.divui %i, %mr : index
          %panel_a = memref.subview %a[%index_a, %p, 0] [1, %depth, $MR] [1, 1, 1] : !$TAG_panels_a to !$TAG_panel_a
          %height = arith.subi %m, %i : index
          %tile = memref.subview %c[%i, %column] [%height, %width] [1, 1] : !$TAG_target to !$TAG_target
          %in_block = arith.subi %i, %block : index
          %index_in_block = arith.divui %in_block, %mr : index
          %from = arith.muli %index_in_block, %of_tile : index
          func.call @$GEMM_tile(%panel_a, %panel_b, %tile, %ahead, %from, %step)
              : (!$TAG_panel_a, !$TAG_panel_b, !$TAG_target, !$TAG_panel_b, index, index) -> ()
        }
      }
    }
  }
  return
}

func.func private @$NAME(%a: !$TAG_matrix, %b: !$TAG_panels_b, %c: !$TAG_target) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mr = arith.constant $MR : index
  %m = memref.dim %c, %c0 : !$TAG_target
  %k = memref.dim %b, %c1 : !$TAG_panels_b
  %n_panels_a = arith.ceildivui %m, %mr : index
  %n_panels_b = memref.dim %b, %c0 : !$TAG_panels_b
  %units_a = arith.maxui %n_panels_a, %c1 : index
  %units_b = arith.maxui %n_panels_b, %c1 : index
  %rows = memref.alloc(%n_panels_a, %k) : !$TAG_panels_a
  scf.parallel (%first) = (%c0) to (%units_a) step (%units_a) {
    %end = arith.addi %first, %units_a : index
    %last = arith.minui %end, %n_panels_a : index
    func.call @$NAME_rows(%a, %rows, %first, %last) : (!$TAG_matrix, !$TAG_panels_a, index, index) -> ()
  } {cost = $PANEL : i64}
  scf.parallel (%first) = (%c0) to (%units_b) step (%units_b) {
    %end = arith.addi %first, %units_b : index
    %last = arith.minui %end, %n_panels_b : index
    func.call @$NAME_columns(%rows, %b, %c, %first, %last)
        : (!$TAG_panels_a, !$TAG_panels_b, !$TAG_target, index, index) -> ()
  } {cost = $PRODUCT : i64}
  memref.dealloc %rows : !$TAG_panels_a
  return
}
