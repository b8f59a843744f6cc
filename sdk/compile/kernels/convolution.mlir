// Convolution over two axes as products of matrices: the places of the input that one output element depends on are
// copied side by side (im2col), a block of output rows at a time, so that the copy stays in cache.
//
// The words that start with $ are those of gemm.mlir, and $GEMM, the name of its function. Two forms:
//
//   planes   out[f, pixels] += filter[f, k] · columns[k, pixels]      k = (c, kh, kw)     for NCHW
//   pixels   out[pixels, f] += columns[pixels, k] · filter[k, f]      k = (kh, kw, c)     for NHWC
//
// The input comes as n, c, h, w and the output as n, f, h, w with whatever strides they have; rows of output pixels lie
// one behind the other. The filter is a matrix already. A filter of one pixel without steps needs no copy.

!$TAG_image = memref<?x?x?x?x$T, strided<[?, ?, ?, ?], offset: ?>>
!$TAG_result = memref<?x?x?x?x$S, strided<[?, ?, ?, ?], offset: ?>>
!$TAG_matrix = memref<?x?x$T, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?x$S, strided<[?, 1], offset: ?>>
!$TAG_line = memref<?x$T, strided<[?], offset: ?>>
!$TAG_dense_line = memref<?x$T, strided<[1], offset: ?>>

// Copies n elements; the usual case of steps of one is told apart so that it can be vectorised.
func.func private @$NAME_copy(%from: !$TAG_line, %to: !$TAG_dense_line) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %base, %offset, %n, %stride = memref.extract_strided_metadata %from : !$TAG_line -> memref<$T>, index, index, index
  %is_dense = arith.cmpi eq, %stride, %c1 : index
  scf.if %is_dense {
    %dense = memref.reinterpret_cast %base to offset: [%offset], sizes: [%n], strides: [1]
        : memref<$T> to !$TAG_dense_line
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %dense[%i] : !$TAG_dense_line
      memref.store %x, %to[%i] : !$TAG_dense_line
    }
  } else {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %from[%i] : !$TAG_line
      memref.store %x, %to[%i] : !$TAG_dense_line
    }
  }
  return
}

// How many output rows of `width` pixels with `k` places each make a block: about half a mebibyte, but at least one.
func.func private @$NAME_rows(%k: index, %width: index, %height: index) -> index {
  %c1 = arith.constant 1 : index
  %room = arith.constant 131072 : index
  %row = arith.muli %k, %width : index
  %row_or_one = arith.maxsi %row, %c1 : index
  %fitting = arith.divui %room, %row_or_one : index
  %at_least_one = arith.maxsi %fitting, %c1 : index
  %rows = arith.minsi %at_least_one, %height : index
  return %rows : index
}

func.func private @$NAME_planes(%in: !$TAG_image, %filter: !$TAG_matrix, %out: !$TAG_result, %kh: index, %kw: index,
                                %sh: index, %sw: index, %dh: index, %dw: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in_base, %in_offset, %in_size:4, %in_stride:4 = memref.extract_strided_metadata %in
      : !$TAG_image -> memref<$T>, index, index, index, index, index, index, index, index, index
  %out_base, %out_offset, %out_size:4, %out_stride:4 = memref.extract_strided_metadata %out
      : !$TAG_result -> memref<$S>, index, index, index, index, index, index, index, index, index
  %k = memref.dim %filter, %c1 : !$TAG_matrix
  %pixels = arith.muli %out_size#2, %out_size#3 : index
  %window = arith.muli %kh, %kw : index
  %steps = arith.muli %sh, %sw : index
  %extent = arith.muli %window, %steps : index
  %is_point = arith.cmpi eq, %extent, %c1 : index
  %line = arith.muli %out_size#3, %in_stride#3 : index
  %is_dense = arith.cmpi eq, %line, %in_stride#2 : index
  %needs_no_copy = arith.andi %is_point, %is_dense : i1
  scf.if %needs_no_copy {
    scf.for %n = %c0 to %in_size#0 step %c1 {
      %in_step = arith.muli %n, %in_stride#0 : index
      %in_at = arith.addi %in_offset, %in_step : index
      %out_step = arith.muli %n, %out_stride#0 : index
      %out_at = arith.addi %out_offset, %out_step : index
      %b = memref.reinterpret_cast %in_base to offset: [%in_at], sizes: [%k, %pixels],
          strides: [%in_stride#1, %in_stride#3] : memref<$T> to !$TAG_matrix
      %c = memref.reinterpret_cast %out_base to offset: [%out_at], sizes: [%out_size#1, %pixels],
          strides: [%out_stride#1, 1] : memref<$S> to !$TAG_target
      func.call @$GEMM(%filter, %b, %c) : (!$TAG_matrix, !$TAG_matrix, !$TAG_target) -> ()
    }
  } else {
    %rows = func.call @$NAME_rows(%k, %out_size#3, %out_size#2) : (index, index, index) -> index
    %most = arith.muli %rows, %out_size#3 : index
    %columns = memref.alloc(%k, %most) : memref<?x?x$T>
    scf.for %n = %c0 to %in_size#0 step %c1 {
      %in_step_n = arith.muli %n, %in_stride#0 : index
      %in_at_n = arith.addi %in_offset, %in_step_n : index
      %out_step_n = arith.muli %n, %out_stride#0 : index
      %out_at_n = arith.addi %out_offset, %out_step_n : index
      scf.for %y = %c0 to %out_size#2 step %rows {
        %rest = arith.subi %out_size#2, %y : index
        %height = arith.minsi %rest, %rows : index
        %width = arith.muli %height, %out_size#3 : index
        scf.for %p = %c0 to %k step %c1 {
          %c = arith.divui %p, %window : index
          %place = arith.remui %p, %window : index
          %i = arith.divui %place, %kw : index
          %j = arith.remui %place, %kw : index
          %step_c = arith.muli %c, %in_stride#1 : index
          %at_c = arith.addi %in_at_n, %step_c : index
          %x = arith.muli %j, %dw : index
          %step_x = arith.muli %x, %in_stride#3 : index
          %at_x = arith.addi %at_c, %step_x : index
          %gap = arith.muli %sw, %in_stride#3 : index
          scf.for %r = %c0 to %height step %c1 {
            %row = arith.addi %y, %r : index
            %row_s = arith.muli %row, %sh : index
            %i_d = arith.muli %i, %dh : index
            %line_y = arith.addi %row_s, %i_d : index
            %step_y = arith.muli %line_y, %in_stride#2 : index
            %at = arith.addi %at_x, %step_y : index
            %from = memref.reinterpret_cast %in_base to offset: [%at], sizes: [%out_size#3], strides: [%gap]
                : memref<$T> to !$TAG_line
            %start = arith.muli %r, %out_size#3 : index
            %to = memref.subview %columns[%p, %start] [1, %out_size#3] [1, 1] : memref<?x?x$T> to !$TAG_dense_line
            func.call @$NAME_copy(%from, %to) : (!$TAG_line, !$TAG_dense_line) -> ()
          }
        }
        %block = memref.subview %columns[0, 0] [%k, %width] [1, 1]
            : memref<?x?x$T> to memref<?x?x$T, strided<[?, 1]>>
        %b = memref.cast %block : memref<?x?x$T, strided<[?, 1]>> to !$TAG_matrix
        %out_step_y = arith.muli %y, %out_stride#2 : index
        %out_at = arith.addi %out_at_n, %out_step_y : index
        %result = memref.reinterpret_cast %out_base to offset: [%out_at], sizes: [%out_size#1, %width],
            strides: [%out_stride#1, 1] : memref<$S> to !$TAG_target
        func.call @$GEMM(%filter, %b, %result) : (!$TAG_matrix, !$TAG_matrix, !$TAG_target) -> ()
      }
    }
    memref.dealloc %columns : memref<?x?x$T>
  }
  return
}

func.func private @$NAME_pixels(%in: !$TAG_image, %filter: !$TAG_matrix, %out: !$TAG_result, %kh: index, %kw: index,
                                %sh: index, %sw: index, %dh: index, %dw: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in_base, %in_offset, %in_size:4, %in_stride:4 = memref.extract_strided_metadata %in
      : !$TAG_image -> memref<$T>, index, index, index, index, index, index, index, index, index
  %out_base, %out_offset, %out_size:4, %out_stride:4 = memref.extract_strided_metadata %out
      : !$TAG_result -> memref<$S>, index, index, index, index, index, index, index, index, index
  %k = memref.dim %filter, %c0 : !$TAG_matrix
  %pixels = arith.muli %out_size#2, %out_size#3 : index
  %window = arith.muli %kh, %kw : index
  %steps = arith.muli %sh, %sw : index
  %extent = arith.muli %window, %steps : index
  %is_point = arith.cmpi eq, %extent, %c1 : index
  %line = arith.muli %out_size#3, %in_stride#3 : index
  %is_dense = arith.cmpi eq, %line, %in_stride#2 : index
  %needs_no_copy = arith.andi %is_point, %is_dense : i1
  scf.if %needs_no_copy {
    scf.for %n = %c0 to %in_size#0 step %c1 {
      %in_step = arith.muli %n, %in_stride#0 : index
      %in_at = arith.addi %in_offset, %in_step : index
      %out_step = arith.muli %n, %out_stride#0 : index
      %out_at = arith.addi %out_offset, %out_step : index
      %a = memref.reinterpret_cast %in_base to offset: [%in_at], sizes: [%pixels, %k],
          strides: [%in_stride#3, %in_stride#1] : memref<$T> to !$TAG_matrix
      %c = memref.reinterpret_cast %out_base to offset: [%out_at], sizes: [%pixels, %out_size#1],
          strides: [%out_stride#3, 1] : memref<$S> to !$TAG_target
      func.call @$GEMM(%a, %filter, %c) : (!$TAG_matrix, !$TAG_matrix, !$TAG_target) -> ()
    }
  } else {
    %rows = func.call @$NAME_rows(%k, %out_size#3, %out_size#2) : (index, index, index) -> index
    %most = arith.muli %rows, %out_size#3 : index
    %columns = memref.alloc(%most, %k) : memref<?x?x$T>
    scf.for %n = %c0 to %in_size#0 step %c1 {
      %in_step_n = arith.muli %n, %in_stride#0 : index
      %in_at_n = arith.addi %in_offset, %in_step_n : index
      %out_step_n = arith.muli %n, %out_stride#0 : index
      %out_at_n = arith.addi %out_offset, %out_step_n : index
      scf.for %y = %c0 to %out_size#2 step %rows {
        %rest = arith.subi %out_size#2, %y : index
        %height = arith.minsi %rest, %rows : index
        %width = arith.muli %height, %out_size#3 : index
        scf.for %q = %c0 to %width step %c1 {
          %r = arith.divui %q, %out_size#3 : index
          %column = arith.remui %q, %out_size#3 : index
          %row = arith.addi %y, %r : index
          %row_s = arith.muli %row, %sh : index
          %column_s = arith.muli %column, %sw : index
          scf.for %i = %c0 to %kh step %c1 {
            %i_d = arith.muli %i, %dh : index
            %line_y = arith.addi %row_s, %i_d : index
            %step_y = arith.muli %line_y, %in_stride#2 : index
            %at_y = arith.addi %in_at_n, %step_y : index
            scf.for %j = %c0 to %kw step %c1 {
              %j_d = arith.muli %j, %dw : index
              %line_x = arith.addi %column_s, %j_d : index
              %step_x = arith.muli %line_x, %in_stride#3 : index
              %at = arith.addi %at_y, %step_x : index
              %from = memref.reinterpret_cast %in_base to offset: [%at], sizes: [%in_size#1], strides: [%in_stride#1]
                  : memref<$T> to !$TAG_line
              %i_k = arith.muli %i, %kw : index
              %place = arith.addi %i_k, %j : index
              %start = arith.muli %place, %in_size#1 : index
              %to = memref.subview %columns[%q, %start] [1, %in_size#1] [1, 1] : memref<?x?x$T> to !$TAG_dense_line
              func.call @$NAME_copy(%from, %to) : (!$TAG_line, !$TAG_dense_line) -> ()
            }
          }
        }
        %block = memref.subview %columns[0, 0] [%width, %k] [1, 1]
            : memref<?x?x$T> to memref<?x?x$T, strided<[?, 1]>>
        %a = memref.cast %block : memref<?x?x$T, strided<[?, 1]>> to !$TAG_matrix
        %out_step_y = arith.muli %y, %out_stride#2 : index
        %out_at = arith.addi %out_at_n, %out_step_y : index
        %result = memref.reinterpret_cast %out_base to offset: [%out_at], sizes: [%width, %out_size#1],
            strides: [%out_stride#3, 1] : memref<$S> to !$TAG_target
        func.call @$GEMM(%a, %filter, %result) : (!$TAG_matrix, !$TAG_matrix, !$TAG_target) -> ()
      }
    }
    memref.dealloc %columns : memref<?x?x$T>
  }
  return
}
