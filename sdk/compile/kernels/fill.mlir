// Fills part of an image, line by line. It is the same code for the frames of all images of a model, most of them a few
// short lines: code for each of them would take longer to make than it could save.

!$TAG_part = memref<?x?x?x?x$T, strided<[?, ?, ?, 1], offset: ?>>

func.func private @$NAME(%value: $T, %to: !$TAG_part) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n_i = memref.dim %to, %c0 : !$TAG_part
  %n_j = memref.dim %to, %c1 : !$TAG_part
  %n_k = memref.dim %to, %c2 : !$TAG_part
  %n_l = memref.dim %to, %c3 : !$TAG_part
  scf.for %i = %c0 to %n_i step %c1 {
    scf.for %j = %c0 to %n_j step %c1 {
      scf.for %k = %c0 to %n_k step %c1 {
        scf.for %l = %c0 to %n_l step %c1 {
          memref.store %value, %to[%i, %j, %k, %l] : !$TAG_part
        }
      }
    }
  }
  return
}
