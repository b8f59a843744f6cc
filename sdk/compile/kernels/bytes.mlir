// Bytes in panels, for products of four at a time: panel j holds the filters j·L to (j+1)·L side by side, one line for each
// of the window's lines, places and fours of channels. A word holds four channels, the first in its lowest byte. What is
// beyond the last filter or channel is 0.
//
// The processor multiplies unsigned bytes by signed ones, so that the other operand comes with 128 added. One more line
// takes that back, to begin the sums with: -128 times the sum of the filter.
//
// Arguments are those of filter.mlir; a matrix [n, k] is n filters of k channels. There is one group.

func.func private @$NAME(%flat_base: memref<i8>, %panels_base: memref<i32>, %n_panels: index, %n_lines: index,
                         %n_lanes: index, %n_filters: index, %n_channels: index, %window_h: index, %window_w: index,
                         %of_f: index, %of_c: index, %of_h: index, %of_w: index, %in_group: index,
                         %channels_in_group: index)
    attributes {llvm.bareptr, passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %nought = arith.constant 0 : i32
  %shift = arith.constant -128 : i32
  %bits = arith.constant 8 : i32
  %byte = arith.constant 255 : i32
  %of_panel = arith.muli %n_lines, %n_lanes : index
  %flat = memref.reinterpret_cast %flat_base to offset: [0], sizes: [%c1], strides: [1] : memref<i8> to memref<?xi8>
  %panels = memref.reinterpret_cast %panels_base to offset: [0], sizes: [%n_panels, %n_lines, %n_lanes],
      strides: [%of_panel, %n_lanes, 1] : memref<i32> to memref<?x?x?xi32, strided<[?, ?, 1]>>
  %last = arith.subi %n_lines, %c1 : index
  %n_words = arith.ceildivui %n_channels, %c4 : index
  scf.for %j = %c0 to %n_panels step %c1 {
    %first = arith.muli %j, %n_lanes : index
    scf.for %l = %c0 to %n_lanes step %c1 {
      %f = arith.addi %first, %l : index
      %is_there = arith.cmpi slt, %f, %n_filters : index
      %at_f = arith.muli %f, %of_f : index
      %all = scf.for %y = %c0 to %window_h step %c1 iter_args(%sum_y = %nought) -> (i32) {
        %at_h = arith.muli %y, %of_h : index
        %at_fh = arith.addi %at_f, %at_h : index
        %y_k = arith.muli %y, %window_w : index
        %of_line = scf.for %x = %c0 to %window_w step %c1 iter_args(%sum_x = %sum_y) -> (i32) {
          %at_w = arith.muli %x, %of_w : index
          %at_fhw = arith.addi %at_fh, %at_w : index
          %place = arith.addi %y_k, %x : index
          %place_k = arith.muli %place, %n_words : index
          %of_place = scf.for %w = %c0 to %n_words step %c1 iter_args(%sum_w = %sum_x) -> (i32) {
            %c_first = arith.muli %w, %c4 : index
            %c_end = arith.addi %c_first, %c4 : index
            %word, %sum_word = scf.for %c = %c_first to %c_end step %c1 iter_args(%so_far = %nought, %sum_c = %sum_w)
                -> (i32, i32) {
              %has_channel = arith.cmpi slt, %c, %n_channels : index
              %is_real = arith.andi %has_channel, %is_there : i1
              %weight = scf.if %is_real -> (i32) {
                %at_c = arith.muli %c, %of_c : index
                %at = arith.addi %at_fhw, %at_c : index
                %stored = memref.load %flat[%at] : memref<?xi8>
                %wide = arith.extsi %stored : i8 to i32
                scf.yield %wide : i32
              } else {
                scf.yield %nought : i32
              }
              %sum_next = arith.addi %sum_c, %weight : i32
              %low = arith.andi %weight, %byte : i32
              %number = arith.subi %c, %c_first : index
              %number_i32 = arith.index_cast %number : index to i32
              %by = arith.muli %number_i32, %bits : i32
              %moved = arith.shli %low, %by : i32
              %next = arith.ori %so_far, %moved : i32
              scf.yield %next, %sum_next : i32, i32
            }
            %k = arith.addi %place_k, %w : index
            memref.store %word, %panels[%j, %k, %l] : memref<?x?x?xi32, strided<[?, ?, 1]>>
            scf.yield %sum_word : i32
          }
          scf.yield %of_place : i32
        }
        scf.yield %of_line : i32
      }
      %begin = arith.muli %all, %shift : i32
      memref.store %begin, %panels[%j, %last, %l] : memref<?x?x?xi32, strided<[?, ?, 1]>>
    }
  }
  return
}
