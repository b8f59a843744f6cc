// Fills part of an image, line by line. It is the same code for the frames of all images of a model, most of them a few
// short lines: code for each of them would take longer to make than it could save.
//
// base: where the buffer begins; first: the part's first element in it; n_: the part's sizes, of_: its strides, whose last
// one is 1.

func.func private @$NAME(%value: $T, %base: memref<$T>, %first: index, %n_i: index, %n_j: index, %n_k: index, %n_l: index,
                         %of_i: index, %of_j: index, %of_k: index)
    attributes {llvm.bareptr, passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %to = memref.reinterpret_cast %base to offset: [0], sizes: [%c1], strides: [1] : memref<$T> to memref<?x$T>
  scf.for %i = %c0 to %n_i step %c1 {
    %i_i = arith.muli %i, %of_i : index
    %at_i = arith.addi %first, %i_i : index
    scf.for %j = %c0 to %n_j step %c1 {
      %j_j = arith.muli %j, %of_j : index
      %at_j = arith.addi %at_i, %j_j : index
      scf.for %k = %c0 to %n_k step %c1 {
        %k_k = arith.muli %k, %of_k : index
        %at_k = arith.addi %at_j, %k_k : index
        scf.for %l = %c0 to %n_l step %c1 {
          %at = arith.addi %at_k, %l : index
          memref.store %value, %to[%at] : memref<?x$T>
        }
      }
    }
  }
  return
}
