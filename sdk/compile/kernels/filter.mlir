// The filter of a convolution in panels: panel j holds the filters j·L to (j+1)·L side by side, one line for each of the
// window's lines, places and words of W channels, the first of which lies first. What is beyond the last filter or channel
// is 0.
//
// Filters may be of groups, of %in_group each: these have %channels_in_group of the panels' channels, those of the first
// group the first ones, of the next one the next, and so in turn; elsewhere they are 0.
//
// flat_base: where the filter's elements begin; of_f, of_c, of_h, of_w: its strides. panels_base: where the panels begin,
// n_panels of n_lines by n_lanes words. It is the same code for all filters of a model, and runs once or twice for each of
// them. Before this text is parsed, these words are replaced: $T the type of the elements, $ZERO a
// zero of $T, $L the side of the blocks that are transposed, $W how many elements are a word, $NAME the function's name.

!$TAG_flat = memref<?x$T>
!$TAG_line = memref<$Lx$T, strided<[$W], offset: ?>>

// Lanes %lane to %lane_end of panel %j. Elements of one filter that lie in the order channel, line, place are transposed L × L
// at a time with those of its neighbours.
func.func private @$NAME_lanes(%flat_base: memref<$T>, %panels_base: memref<$T>, %n_lines: index,
                               %n_lanes: index, %n_filters: index, %n_channels: index, %window_h: index, %window_w: index,
                               %of_f: index, %of_c: index, %of_h: index, %of_w: index, %in_group: index,
                               %channels_in_group: index, %j: index, %lane: index, %lane_end: index) attributes {llvm.bareptr, passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant $W : index
  %flat = memref.reinterpret_cast %flat_base to offset: [0], sizes: [%c1], strides: [1] : memref<$T> to !$TAG_flat
  %panels = memref.reinterpret_cast %panels_base to offset: [0], sizes: [%c1], strides: [1] : memref<$T> to !$TAG_flat
  %l = arith.constant $L : index
  %nought = arith.constant $ZERO : $T
  %turned = memref.alloca() : memref<$Lx$Lx$T>
  %panel_first = arith.muli %j, %n_lanes : index
  %first = arith.addi %panel_first, %lane : index
  %window = arith.muli %window_h, %window_w : index
  %words = arith.ceildivui %n_channels, %w : index
  %room = arith.muli %words, %w : index
  %depth = arith.muli %window, %room : index
  %panel_line = arith.muli %j, %n_lines : index

  %is_dense_c = arith.cmpi eq, %of_c, %window : index
  %is_dense_h = arith.cmpi eq, %of_h, %window_w : index
  %is_dense_w = arith.cmpi eq, %of_w, %c1 : index
  %block_end = arith.addi %first, %l : index
  %has_filters = arith.cmpi ule, %block_end, %n_filters : index
  %n = arith.subi %lane_end, %lane : index
  %has_lanes = arith.cmpi eq, %n, %l : index
  %is_dense_hw = arith.andi %is_dense_h, %is_dense_w : i1
  %is_dense = arith.andi %is_dense_c, %is_dense_hw : i1
  %is_whole = arith.andi %has_filters, %has_lanes : i1
  %is_group = arith.cmpi eq, %channels_in_group, %room : index
  %are_blocks = arith.andi %is_dense, %is_whole : i1
  %by_blocks = arith.andi %are_blocks, %is_group : i1
  %groups_in_turn = arith.divui %n_channels, %channels_in_group : index
  %rest = arith.remui %depth, %l : index
  %blocked = arith.subi %depth, %rest : index
  %start = arith.select %by_blocks, %blocked, %c0 : index

  scf.for %q0 = %c0 to %start step %l {
    %from_f = arith.muli %first, %of_f : index
    %from = arith.addi %from_f, %q0 : index
    %source = memref.reinterpret_cast %flat to offset: [%from], sizes: [%l, %l], strides: [%of_f, 1]
        : !$TAG_flat to memref<?x?x$T, strided<[?, 1], offset: ?>>
    %block = vector.transfer_read %source[%c0, %c0], %nought {in_bounds = [true, true]}
        : memref<?x?x$T, strided<[?, 1], offset: ?>>, vector<$Lx$Lx$T>
    %transposed = vector.transpose %block, [1, 0] : vector<$Lx$Lx$T> to vector<$Lx$Lx$T>
    vector.transfer_write %transposed, %turned[%c0, %c0] {in_bounds = [true, true]} : vector<$Lx$Lx$T>, memref<$Lx$Lx$T>
    scf.for %i = %c0 to %l step %c1 {
      %q = arith.addi %q0, %i : index
      %c = arith.divui %q, %window : index
      %place = arith.remui %q, %window : index
      %place_k = arith.muli %place, %room : index
      %k = arith.addi %place_k, %c : index
      %k_word = arith.divui %k, %w : index
      %in_word = arith.remui %k, %w : index
      %k_line = arith.addi %panel_line, %k_word : index
      %line_at = arith.muli %k_line, %n_lanes : index
      %lane_at = arith.addi %line_at, %lane : index
      %word_at = arith.muli %lane_at, %w : index
      %to = arith.addi %word_at, %in_word : index
      %target = memref.reinterpret_cast %panels_base to offset: [%to], sizes: [$L], strides: [$W] : memref<$T> to !$TAG_line
      %line = vector.load %turned[%i, %c0] : memref<$Lx$Lx$T>, vector<$Lx$T>
      vector.transfer_write %line, %target[%c0] {in_bounds = [true]} : vector<$Lx$T>, !$TAG_line
    }
  }
  scf.for %q = %start to %depth step %c1 {
    %c = arith.divui %q, %window : index
    %has_channel = arith.cmpi ult, %c, %n_channels : index
    %place = arith.remui %q, %window : index
    %y = arith.divui %place, %window_w : index
    %x = arith.remui %place, %window_w : index
    %group = arith.divui %c, %channels_in_group : index
    %c_in_group = arith.remui %c, %channels_in_group : index
    %c_c = arith.muli %c_in_group, %of_c : index
    %y_h = arith.muli %y, %of_h : index
    %x_w = arith.muli %x, %of_w : index
    %at_ch = arith.addi %c_c, %y_h : index
    %at_chw = arith.addi %at_ch, %x_w : index
    %place_k = arith.muli %place, %room : index
    %k = arith.addi %place_k, %c : index
    %k_word = arith.divui %k, %w : index
    %in_word = arith.remui %k, %w : index
    %k_line = arith.addi %panel_line, %k_word : index
    %line_at = arith.muli %k_line, %n_lanes : index
    scf.for %to = %lane to %lane_end step %c1 {
      %f = arith.addi %panel_first, %to : index
      %group_all = arith.divui %f, %in_group : index
      %group_f = arith.remui %group_all, %groups_in_turn : index
      %is_filter = arith.cmpi slt, %f, %n_filters : index
      %is_of_group = arith.cmpi eq, %group_f, %group : index
      %is_wanted = arith.andi %is_filter, %is_of_group : i1
      %is_there = arith.andi %is_wanted, %has_channel : i1
      %value = scf.if %is_there -> ($T) {
        %f_f = arith.muli %f, %of_f : index
        %at = arith.addi %at_chw, %f_f : index
        %weight = memref.load %flat[%at] : !$TAG_flat
        scf.yield %weight : $T
      } else {
        scf.yield %nought : $T
      }
      %lane_at = arith.addi %line_at, %to : index
      %word_at = arith.muli %lane_at, %w : index
      %at = arith.addi %word_at, %in_word : index
      memref.store %value, %panels[%at] : !$TAG_flat
    }
  }
  return
}

// All panels; threads share them.
func.func private @$NAME(%flat: memref<$T>, %panels: memref<$T>, %n_panels: index, %n_lines: index, %n_lanes: index,
                         %n_filters: index, %n_channels: index, %window_h: index, %window_w: index, %of_f: index,
                         %of_c: index, %of_h: index, %of_w: index, %in_group: index,
                         %channels_in_group: index)
    attributes {llvm.bareptr, passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = arith.constant $L : index
  scf.parallel (%first) = (%c0) to (%n_panels) step (%n_panels) {
    %last = arith.addi %first, %n_panels : index
    scf.for %j = %first to %last step %c1 {
      scf.for %lane = %c0 to %n_lanes step %l {
        %next = arith.addi %lane, %l : index
        %lane_end = arith.minui %next, %n_lanes : index
        func.call @$NAME_lanes(%flat, %panels, %n_lines, %n_lanes, %n_filters, %n_channels, %window_h, %window_w,
                               %of_f, %of_c, %of_h, %of_w, %in_group, %channels_in_group, %j, %lane, %lane_end)
            : (memref<$T>, memref<$T>, index, index, index, index, index, index, index, index, index,
               index, index, index, index, index, index) -> ()
      }
    }
  } {cost = $PANEL : i64}
  return
}
