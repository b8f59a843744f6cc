// dots.mlir for bf16, sums in f32, of constants: two products at a time are added up, by VDPBF16PS. Each lane holds the sum of
// pairs, so that a column is summed the same alone and among eight; what is left of k behind the last whole vectors is
// filled up with zeros. Words: those of gemm.mlir, $V the lanes of a vector, $NR twice as many: a line of the cache.

!$TAG_matrix = memref<?x?xbf16, strided<[?, ?], offset: ?>>
!$TAG_target = memref<?x?xf32, strided<[?, 1], offset: ?>>
!$TAG_rows = memref<?x?xbf16, strided<[?, 1], offset: ?>>

// Elements %j to %j + 7 of row %i of C; %columns are those of B. With the first row the next eight are fetched meanwhile, in the order in
// which they will be read.
func.func private @$NAME_eight(%a: !$TAG_rows, %columns: !$TAG_rows, %c: !$TAG_target, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two_v = arith.constant $NR : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<$Vxf32>
  %k = memref.dim %a, %c1 : !$TAG_rows
  %rest_k = arith.remui %k, %two_v : index
  %whole_k = arith.subi %k, %rest_k : index
  %by1 = arith.constant 1 : index
  %by2 = arith.constant 2 : index
  %by3 = arith.constant 3 : index
  %by4 = arith.constant 4 : index
  %by5 = arith.constant 5 : index
  %by6 = arith.constant 6 : index
  %by7 = arith.constant 7 : index
  %j0 = arith.addi %j, %c0 : index
  %j1 = arith.addi %j, %by1 : index
  %j2 = arith.addi %j, %by2 : index
  %j3 = arith.addi %j, %by3 : index
  %j4 = arith.addi %j, %by4 : index
  %j5 = arith.addi %j, %by5 : index
  %j6 = arith.addi %j, %by6 : index
  %j7 = arith.addi %j, %by7 : index
  %n = arith.constant 8 : index
  %ahead = arith.addi %j, %n : index
  %is_first = arith.cmpi eq, %i, %c0 : index
  %main:8 = scf.for %p = %c0 to %whole_k step %two_v iter_args(%acc0 = %zero, %acc1 = %zero, %acc2 = %zero, %acc3 = %zero, %acc4 = %zero, %acc5 = %zero, %acc6 = %zero, %acc7 = %zero) -> (vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>) {
    scf.if %is_first {
      scf.for %l = %c0 to %n step %c1 {
        %column = arith.addi %ahead, %l : index
        memref.prefetch %columns[%column, %p], read, locality<2>, data : !$TAG_rows
      }
    }
    %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$NRxbf16>
    %column0 = vector.load %columns[%j0, %p] : !$TAG_rows, vector<$NRxbf16>
    %next0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc0, %row, %column0) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column1 = vector.load %columns[%j1, %p] : !$TAG_rows, vector<$NRxbf16>
    %next1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc1, %row, %column1) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column2 = vector.load %columns[%j2, %p] : !$TAG_rows, vector<$NRxbf16>
    %next2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc2, %row, %column2) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column3 = vector.load %columns[%j3, %p] : !$TAG_rows, vector<$NRxbf16>
    %next3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc3, %row, %column3) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column4 = vector.load %columns[%j4, %p] : !$TAG_rows, vector<$NRxbf16>
    %next4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc4, %row, %column4) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column5 = vector.load %columns[%j5, %p] : !$TAG_rows, vector<$NRxbf16>
    %next5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc5, %row, %column5) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column6 = vector.load %columns[%j6, %p] : !$TAG_rows, vector<$NRxbf16>
    %next6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc6, %row, %column6) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column7 = vector.load %columns[%j7, %p] : !$TAG_rows, vector<$NRxbf16>
    %next7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc7, %row, %column7) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    scf.yield %next0, %next1, %next2, %next3, %next4, %next5, %next6, %next7 : vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>
  }
  %has_rest = arith.cmpi ne, %rest_k, %c0 : index
  %all:8 = scf.if %has_rest -> (vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>) {
    %row = vector.transfer_read %a[%i, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %column0 = vector.transfer_read %columns[%j0, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#0, %row, %column0) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column1 = vector.transfer_read %columns[%j1, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#1, %row, %column1) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column2 = vector.transfer_read %columns[%j2, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#2, %row, %column2) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column3 = vector.transfer_read %columns[%j3, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#3, %row, %column3) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column4 = vector.transfer_read %columns[%j4, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#4, %row, %column4) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column5 = vector.transfer_read %columns[%j5, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#5, %row, %column5) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column6 = vector.transfer_read %columns[%j6, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#6, %row, %column6) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    %column7 = vector.transfer_read %columns[%j7, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#7, %row, %column7) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    scf.yield %next0, %next1, %next2, %next3, %next4, %next5, %next6, %next7 : vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>
  } else {
    scf.yield %main#0, %main#1, %main#2, %main#3, %main#4, %main#5, %main#6, %main#7 : vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>, vector<$Vxf32>
  }
  %s0 = vector.reduction <add>, %all#0 fastmath<reassoc> : vector<$Vxf32> into f32
  %old0 = memref.load %c[%i, %j0] : !$TAG_target
  %new0 = arith.addf %old0, %s0 : f32
  memref.store %new0, %c[%i, %j0] : !$TAG_target
  %s1 = vector.reduction <add>, %all#1 fastmath<reassoc> : vector<$Vxf32> into f32
  %old1 = memref.load %c[%i, %j1] : !$TAG_target
  %new1 = arith.addf %old1, %s1 : f32
  memref.store %new1, %c[%i, %j1] : !$TAG_target
  %s2 = vector.reduction <add>, %all#2 fastmath<reassoc> : vector<$Vxf32> into f32
  %old2 = memref.load %c[%i, %j2] : !$TAG_target
  %new2 = arith.addf %old2, %s2 : f32
  memref.store %new2, %c[%i, %j2] : !$TAG_target
  %s3 = vector.reduction <add>, %all#3 fastmath<reassoc> : vector<$Vxf32> into f32
  %old3 = memref.load %c[%i, %j3] : !$TAG_target
  %new3 = arith.addf %old3, %s3 : f32
  memref.store %new3, %c[%i, %j3] : !$TAG_target
  %s4 = vector.reduction <add>, %all#4 fastmath<reassoc> : vector<$Vxf32> into f32
  %old4 = memref.load %c[%i, %j4] : !$TAG_target
  %new4 = arith.addf %old4, %s4 : f32
  memref.store %new4, %c[%i, %j4] : !$TAG_target
  %s5 = vector.reduction <add>, %all#5 fastmath<reassoc> : vector<$Vxf32> into f32
  %old5 = memref.load %c[%i, %j5] : !$TAG_target
  %new5 = arith.addf %old5, %s5 : f32
  memref.store %new5, %c[%i, %j5] : !$TAG_target
  %s6 = vector.reduction <add>, %all#6 fastmath<reassoc> : vector<$Vxf32> into f32
  %old6 = memref.load %c[%i, %j6] : !$TAG_target
  %new6 = arith.addf %old6, %s6 : f32
  memref.store %new6, %c[%i, %j6] : !$TAG_target
  %s7 = vector.reduction <add>, %all#7 fastmath<reassoc> : vector<$Vxf32> into f32
  %old7 = memref.load %c[%i, %j7] : !$TAG_target
  %new7 = arith.addf %old7, %s7 : f32
  memref.store %new7, %c[%i, %j7] : !$TAG_target
  return
}

// Element %j.
func.func private @$NAME_one(%a: !$TAG_rows, %columns: !$TAG_rows, %c: !$TAG_target, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two_v = arith.constant $NR : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<$Vxf32>
  %k = memref.dim %a, %c1 : !$TAG_rows
  %rest_k = arith.remui %k, %two_v : index
  %whole_k = arith.subi %k, %rest_k : index
  %j0 = arith.addi %j, %c0 : index
  %main:1 = scf.for %p = %c0 to %whole_k step %two_v iter_args(%acc0 = %zero) -> (vector<$Vxf32>) {
    %row = vector.load %a[%i, %p] : !$TAG_rows, vector<$NRxbf16>
    %column0 = vector.load %columns[%j0, %p] : !$TAG_rows, vector<$NRxbf16>
    %next0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%acc0, %row, %column0) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    scf.yield %next0 : vector<$Vxf32>
  }
  %has_rest = arith.cmpi ne, %rest_k, %c0 : index
  %all:1 = scf.if %has_rest -> (vector<$Vxf32>) {
    %row = vector.transfer_read %a[%i, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %column0 = vector.transfer_read %columns[%j0, %whole_k], %pad : !$TAG_rows, vector<$NRxbf16>
    %next0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%main#0, %row, %column0) : (vector<$Vxf32>, vector<$NRxbf16>, vector<$NRxbf16>) -> vector<$Vxf32>
    scf.yield %next0 : vector<$Vxf32>
  } else {
    scf.yield %main#0 : vector<$Vxf32>
  }
  %s0 = vector.reduction <add>, %all#0 fastmath<reassoc> : vector<$Vxf32> into f32
  %old0 = memref.load %c[%i, %j0] : !$TAG_target
  %new0 = arith.addf %old0, %s0 : f32
  memref.store %new0, %c[%i, %j0] : !$TAG_target
  return
}

func.func private @$NAME(%a: !$TAG_matrix, %b: !$TAG_matrix, %c: !$TAG_target) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %m = memref.dim %c, %c0 : !$TAG_target
  %n = memref.dim %c, %c1 : !$TAG_target
  %rest = arith.remui %n, %eight : index
  %whole = arith.subi %n, %rest : index
  %turned = memref.transpose %b (i, j) -> (j, i) : !$TAG_matrix to !$TAG_matrix
  %columns = memref.cast %turned : !$TAG_matrix to !$TAG_rows
  %rows = memref.cast %a : !$TAG_matrix to !$TAG_rows
  scf.for %j = %c0 to %whole step %eight {
    scf.for %i = %c0 to %m step %c1 {
      func.call @$NAME_eight(%rows, %columns, %c, %i, %j) : (!$TAG_rows, !$TAG_rows, !$TAG_target, index, index) -> ()
    }
  }
  scf.for %j = %whole to %n step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      func.call @$NAME_one(%rows, %columns, %c, %i, %j) : (!$TAG_rows, !$TAG_rows, !$TAG_target, index, index) -> ()
    }
  }
  return
}
