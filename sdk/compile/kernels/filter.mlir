// The filter of a convolution in panels: panel j holds the filters j·L to (j+1)·L side by side, one line for each of the
// window's lines, places and channels. What is beyond the last filter is 0.
//
// flat: the filter's elements in memory; of_f, of_c, of_h, of_w: its strides. It is the same code for all filters of a
// model, and runs once for each of them.

func.func private @$NAME(%flat: memref<?x$T>, %panels: memref<?x?x?x$T>, %n_filters: index, %n_channels: index,
                         %window_h: index, %window_w: index, %of_f: index, %of_c: index, %of_h: index, %of_w: index)
    attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %nought = arith.constant $ZERO : $T
  %n_panels = memref.dim %panels, %c0 : memref<?x?x?x$T>
  %n_lanes = memref.dim %panels, %c2 : memref<?x?x?x$T>
  scf.for %j = %c0 to %n_panels step %c1 {
    %first = arith.muli %j, %n_lanes : index
    scf.for %y = %c0 to %window_h step %c1 {
      %at_h = arith.muli %y, %of_h : index
      %y_k = arith.muli %y, %window_w : index
      scf.for %x = %c0 to %window_w step %c1 {
        %x_w = arith.muli %x, %of_w : index
        %at_hw = arith.addi %at_h, %x_w : index
        %place = arith.addi %y_k, %x : index
        %place_k = arith.muli %place, %n_channels : index
        scf.for %c = %c0 to %n_channels step %c1 {
          %c_c = arith.muli %c, %of_c : index
          %at_c = arith.addi %at_hw, %c_c : index
          %k = arith.addi %place_k, %c : index
          scf.for %l = %c0 to %n_lanes step %c1 {
            %f = arith.addi %first, %l : index
            %is_there = arith.cmpi slt, %f, %n_filters : index
            %value = scf.if %is_there -> ($T) {
              %f_f = arith.muli %f, %of_f : index
              %at = arith.addi %at_c, %f_f : index
              %weight = memref.load %flat[%at] : memref<?x$T>
              scf.yield %weight : $T
            } else {
              scf.yield %nought : $T
            }
            memref.store %value, %panels[%j, %k, %l] : memref<?x?x?x$T>
          }
        }
      }
    }
  }
  return
}
