// Rows of bf16 in panels of pairs, for products of two at a time: line p of panel j holds rows 2·p and 2·p + 1 of its
// columns, side by side, the even one first. What is beyond the last column or row is 0.
//
// Before this text is parsed, $NAME is replaced by the function's name, $NR by the columns of a panel, $TWICE by twice as
// many, and $PANEL by what a panel costs.

// The panels from %first to %last, of as many lines as they have, or whole $NR rows take.
func.func private @$NAME_pack_some_b(%matrix: memref<?x?xbf16, strided<[?, ?], offset: ?>>, %panels: memref<?x?x$NRxf32>, %first: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %nr = arith.constant $NR : index
  %pad = arith.constant 0.0 : bf16
  %zeros = arith.constant dense<0.0> : vector<$NRxbf16>
  %base, %offset, %size_k, %size_n, %stride_k, %stride_n = memref.extract_strided_metadata %matrix
      : memref<?x?xbf16, strided<[?, ?], offset: ?>> -> memref<bf16>, index, index, index, index, index
  %b = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size_k, %size_n], strides: [%stride_k, 1]
      : memref<bf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
  %lines = memref.dim %panels, %c1 : memref<?x?x$NRxf32>
  %blocks = arith.ceildivui %size_k, %nr : index
  %rows_of_blocks = arith.muli %blocks, %nr : index
  %lines_of_blocks = arith.divui %rows_of_blocks, %two : index
  %n_lines = arith.minui %lines, %lines_of_blocks : index
  %whole = arith.divui %size_k, %two : index
  %last_row = arith.subi %size_k, %c1 : index
  scf.for %j = %first to %last step %c1 {
    %column = arith.muli %j, %nr : index
    scf.for %p = %c0 to %whole step %c1 {
      %even = arith.addi %p, %p : index
      %odd = arith.addi %even, %c1 : index
      %upper = vector.transfer_read %b[%even, %column], %pad : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<$NRxbf16>
      %lower = vector.transfer_read %b[%odd, %column], %pad : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<$NRxbf16>
      %pairs = vector.interleave %upper, %lower : vector<$NRxbf16> -> vector<$TWICExbf16>
      %words = vector.bitcast %pairs : vector<$TWICExbf16> to vector<$NRxf32>
      vector.store %words, %panels[%j, %p, %c0] : memref<?x?x$NRxf32>, vector<$NRxf32>
    }
    // A last row that has no other beside it, then zeros.
    scf.for %p = %whole to %n_lines step %c1 {
      %even = arith.addi %p, %p : index
      %is_row = arith.cmpi ult, %even, %size_k : index
      %row = arith.minui %even, %last_row : index
      %read = vector.transfer_read %b[%row, %column], %pad : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<$NRxbf16>
      %upper = arith.select %is_row, %read, %zeros : vector<$NRxbf16>
      %pairs = vector.interleave %upper, %zeros : vector<$NRxbf16> -> vector<$TWICExbf16>
      %words = vector.bitcast %pairs : vector<$TWICExbf16> to vector<$NRxf32>
      vector.store %words, %panels[%j, %p, %c0] : memref<?x?x$NRxf32>, vector<$NRxf32>
    }
  }
  return
}

// All panels; threads share them.
func.func private @$NAME_pack_b(%matrix: memref<?x?xbf16, strided<[?, ?], offset: ?>>, %panels: memref<?x?x$NRxf32>) {
  %c0 = arith.constant 0 : index
  %n_panels = memref.dim %panels, %c0 : memref<?x?x$NRxf32>
  scf.parallel (%first) = (%c0) to (%n_panels) step (%n_panels) {
    %last = arith.addi %first, %n_panels : index
    func.call @$NAME_pack_some_b(%matrix, %panels, %first, %last)
        : (memref<?x?xbf16, strided<[?, ?], offset: ?>>, memref<?x?x$NRxf32>, index, index) -> ()
  } {cost = $PANEL : i64}
  return
}
