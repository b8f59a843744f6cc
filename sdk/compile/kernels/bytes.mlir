// Panels of bytes (filter.mlir) for products of unsigned bytes by signed ones: the other operand comes with 128 added. The
// last line of a panel takes that back, to begin the sums with: -128 times the sum of the filter.
//
// panels, words: where the panels begin, n_panels of n_lines by n_lanes words, by bytes and by words.

func.func private @$NAME_shift(%panels: memref<i8>, %words: memref<i32>, %n_panels: index, %n_lines: index, %n_lanes: index)
    attributes {llvm.bareptr, passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %nought = arith.constant 0 : i32
  %shift = arith.constant -128 : i32
  %flat = memref.reinterpret_cast %panels to offset: [0], sizes: [%c1], strides: [1] : memref<i8> to memref<?xi8>
  %sums = memref.reinterpret_cast %words to offset: [0], sizes: [%c1], strides: [1] : memref<i32> to memref<?xi32>
  %last = arith.subi %n_lines, %c1 : index
  scf.for %j = %c0 to %n_panels step %c1 {
    %first = arith.muli %j, %n_lines : index
    %end = arith.addi %first, %last : index
    %end_at = arith.muli %end, %n_lanes : index
    scf.for %lane = %c0 to %n_lanes step %c1 {
      %all = scf.for %line = %first to %end step %c1 iter_args(%so_far = %nought) -> (i32) {
        %line_at = arith.muli %line, %n_lanes : index
        %word = arith.addi %line_at, %lane : index
        %at = arith.muli %word, %c4 : index
        %at_end = arith.addi %at, %c4 : index
        %with_word = scf.for %byte = %at to %at_end step %c1 iter_args(%sum = %so_far) -> (i32) {
          %stored = memref.load %flat[%byte] : memref<?xi8>
          %weight = arith.extsi %stored : i8 to i32
          %next = arith.addi %sum, %weight : i32
          scf.yield %next : i32
        }
        scf.yield %with_word : i32
      }
      %begin = arith.muli %all, %shift : i32
      %to = arith.addi %end_at, %lane : index
      memref.store %begin, %sums[%to] : memref<?xi32>
    }
  }
  return
}
