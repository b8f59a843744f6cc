// Rows of bf16 in panels of pairs, for products of two at a time: line p of panel j holds rows 2·p and 2·p + 1 of its
// columns, side by side, the even one first. What is beyond the last column is 0. There is an even number of rows. Threads
// share the panels.
//
// Before this text is parsed, $NAME is replaced by the function's name, $NR by the columns of a panel, $TWICE by twice as
// many, and $PANEL by what a panel costs.

func.func private @$NAME_pack_b(%matrix: memref<?x?xbf16, strided<[?, ?], offset: ?>>, %panels: memref<?x?x$NRxf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nr = arith.constant $NR : index
  %pad = arith.constant 0.0 : bf16
  %n_panels = memref.dim %panels, %c0 : memref<?x?x$NRxf32>
  %n_lines = memref.dim %panels, %c1 : memref<?x?x$NRxf32>
  %base, %offset, %size_k, %size_n, %stride_k, %stride_n = memref.extract_strided_metadata %matrix
      : memref<?x?xbf16, strided<[?, ?], offset: ?>> -> memref<bf16>, index, index, index, index, index
  %b = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size_k, %size_n], strides: [%stride_k, 1]
      : memref<bf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
  scf.parallel (%first) = (%c0) to (%n_panels) step (%n_panels) {
    %end = arith.addi %first, %n_panels : index
    scf.for %j = %first to %end step %c1 {
      %column = arith.muli %j, %nr : index
      scf.for %p = %c0 to %n_lines step %c1 {
        %even = arith.addi %p, %p : index
        %odd = arith.addi %even, %c1 : index
        %upper = vector.transfer_read %b[%even, %column], %pad : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<$NRxbf16>
        %lower = vector.transfer_read %b[%odd, %column], %pad : memref<?x?xbf16, strided<[?, 1], offset: ?>>, vector<$NRxbf16>
        %pairs = vector.interleave %upper, %lower : vector<$NRxbf16> -> vector<$TWICExbf16>
        %words = vector.bitcast %pairs : vector<$TWICExbf16> to vector<$NRxf32>
        vector.store %words, %panels[%j, %p, %c0] : memref<?x?x$NRxf32>, vector<$NRxf32>
      }
    }
  } {cost = $PANEL : i64}
  return
}
