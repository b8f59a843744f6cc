# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense linear algebra: decompositions, solutions, norms and products of matrices."""

import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("matrix")
t = FAMILY.tensor
L = torch.linalg
A = torch.ops.aten


def square(*sizes: int, dtype: torch.dtype) -> torch.Tensor:
    """Far from singular."""
    a = t(*sizes, dtype=dtype)
    return a + 6 * torch.eye(sizes[-1], dtype=dtype)


def positive(*sizes: int, dtype: torch.dtype) -> torch.Tensor:
    a = t(*sizes, dtype=dtype)
    return a @ a.mH + torch.eye(sizes[-1], dtype=dtype)


def rebuilt(u: torch.Tensor, s: torch.Tensor, vh: torch.Tensor) -> torch.Tensor:
    return u @ (s.to(u.dtype).unsqueeze(-1) * vh)


def of_lu(x: tuple) -> torch.Tensor:
    p, l, u = x
    return p @ l @ u


for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
    name = short(dtype)
    loose = (1e-3, 1e-4) if dtype in (torch.float32, torch.complex64) else (1e-8, 1e-9)
    a, b = square(4, 4, dtype=dtype), t(4, 3, dtype=dtype)
    many, sides = square(2, 3, 3, dtype=dtype), t(2, 3, 2, dtype=dtype)
    tall, wide = t(5, 3, dtype=dtype), t(2, 3, 5, dtype=dtype)
    good = positive(4, 4, dtype=dtype)

    def add(title: str, function, *inputs: torch.Tensor) -> None:
        FAMILY.add(f"{title} {name}", function, *inputs, tolerance=loose)

    add("inv", lambda a, m: (L.inv(a), torch.inverse(m), *L.inv_ex(m)), a, many)
    add("solve", lambda a, b, m, s: (L.solve(a, b), L.solve(a, b[:, 0]), L.solve(m, s), L.solve(a, b.mT, left=False),
                                     *L.solve_ex(m, s)), a, b, many, sides)
    add("det", lambda a, m: (L.det(a), torch.det(m), *L.slogdet(a), *torch.slogdet(m)), a, many)
    add("factors of determinants", lambda a, m: (
        *A._linalg_det(a), *A._linalg_det(a.mT), *A._linalg_slogdet(m), *A._linalg_slogdet(m.mT), *A._linalg_det(m.mT + 1),
        *A._linalg_slogdet((m + 1).transpose(0, 1)), *A._linalg_det(m.expand(2, 3, 3, 3)[:, 0])), t(4, 4, dtype=dtype), t(3, 3, 3, dtype=dtype))
    add("lu", lambda a, m, w: (*L.lu_factor(a), *L.lu_factor_ex(m), of_lu(L.lu(w)), of_lu(L.lu(m)),
                               *torch.lu_unpack(*L.lu_factor(a))), a, many, wide)
    add("lu_solve", lambda a, b: (L.lu_solve(*L.lu_factor(a), b), L.lu_solve(*L.lu_factor(a), b, adjoint=True),
                                  L.lu_solve(*L.lu_factor(a), b.mT, left=False),
                                  L.lu_solve(*L.lu_factor(a), b.mT, left=False, adjoint=True),
                                  torch.lu_solve(b, *L.lu_factor(a))), a, b)
    add("cholesky", lambda g, b: (L.cholesky(g), L.cholesky(g, upper=True), *L.cholesky_ex(g),
                                  torch.cholesky_solve(b, L.cholesky(g)), torch.cholesky_inverse(L.cholesky(g)),
                                  torch.cholesky_solve(b, L.cholesky(g, upper=True), upper=True)), good, b)
    add("triangular", lambda a, b: (
        L.solve_triangular(a, b, upper=True), L.solve_triangular(a, b, upper=False),
        L.solve_triangular(a, b, upper=False, unitriangular=True), L.solve_triangular(a, b.mT, upper=True, left=False),
        *torch.triangular_solve(b, a), torch.triangular_solve(b, a, upper=False, transpose=True).solution), a, b)
    add("qr", lambda x, w: (*map(torch.abs, L.qr(x)), torch.matmul(*L.qr(w)), torch.matmul(*L.qr(x, "complete")),
                            L.qr(x, "r").R.abs(), torch.matmul(*torch.qr(x))), tall, wide)
    add("reflectors", lambda x, y: (L.householder_product(*torch.geqrf(x)).abs(),
                                    torch.ormqr(*torch.geqrf(x), y).abs(),
                                    torch.ormqr(*torch.geqrf(x), y, transpose=True).abs()), tall, t(5, 2, dtype=dtype))
    add("svd", lambda x, w: (
        L.svdvals(x), L.svd(w).S, rebuilt(*L.svd(x, full_matrices=False)), rebuilt(*L.svd(w, full_matrices=False)),
        torch.svd(x).S, rebuilt(torch.svd(x).U, torch.svd(x).S, torch.svd(x).V.mH)), tall, wide)
    add("eigh", lambda g: (L.eigvalsh(g), L.eigh(g).eigenvalues, L.eigvalsh(g.mT, UPLO="U"),
                           rebuilt(L.eigh(g).eigenvectors, L.eigh(g).eigenvalues, L.eigh(g).eigenvectors.mH)), good)
    add("eig", lambda a: (L.eigvals(a).abs().sort().values, L.eig(a).eigenvalues.imag.abs().sort().values, a + 0,
                          a.to(torch.complex128) @ L.eig(a).eigenvectors.to(torch.complex128)
                          - L.eig(a).eigenvectors.to(torch.complex128) * L.eig(a).eigenvalues.to(torch.complex128)), a)
    add("pinv", lambda x, w, g: (L.pinv(x), L.pinv(w), L.pinv(g, hermitian=True), torch.pinverse(x),
                                 L.pinv(x, atol=0.1, rtol=0.2)), tall, wide, good)
    add("rank", lambda x, w, g: (L.matrix_rank(x), L.matrix_rank(w), L.matrix_rank(g, hermitian=True),
                                 L.matrix_rank(x @ x.mT), L.matrix_rank(w, 0.5)), tall, wide, good)
    add("cond", lambda a, m: (L.cond(a), L.cond(m, 1), L.cond(a, float("inf")), L.cond(m, "fro"), L.cond(m, -2)), a, many)
    add("exp", lambda a, m: (torch.matrix_exp(a / 4), L.matrix_exp(m / 9)), a, many)
    add("power", lambda a, m: (L.matrix_power(a, 3), L.matrix_power(m, 0), L.matrix_power(m, -2)), a, many)
    add("ldl", lambda g, b: (L.ldl_factor(g).LD.diagonal(), L.ldl_solve(*L.ldl_factor(g), b)), good + 0, b)
    add("tensors", lambda a: (L.tensorinv(a.reshape(2, 2, 2, 2)), L.tensorsolve(a.reshape(2, 2, 4), a[0].reshape(2, 2))), a)
    add("norms", lambda x, w: (
        L.norm(x), L.norm(x, "fro"), L.norm(x, "nuc"), L.norm(x, 2), L.norm(x, -2), L.norm(x, 1), L.norm(x, -1),
        L.norm(x, float("inf")), L.matrix_norm(w), L.matrix_norm(w, "nuc", keepdim=True), L.matrix_norm(w, 2, (0, 2)),
        L.matrix_norm(w, -float("inf"), (-1, 0), True), L.norm(w, 3, 1), L.vector_norm(w, 3, (0, 1)),
        torch.norm(x, "nuc"), torch.norm(x, dim=1)), tall, wide)
    add("products", lambda x, w, a: (
        L.multi_dot([x, x.mT, x]), L.multi_dot([x[:, 0], x, x[0]]), L.vecdot(x, x), L.vecdot(w, w, dim=1),
        torch.inner(x, x), torch.kron(x, a), torch.tensordot(w, x, ([1], [1])), torch.tensordot(w, w, ([1, 2], [1, 2])),
        torch.linalg.cross(x, x.flip(0)), torch.cross(x, x.flip(0), dim=1), torch.trace(x), L.diagonal(w, offset=1),
        torch.addr(a, a[0], a[1], beta=0.5, alpha=2),
        torch.chain_matmul(x.mT, x)), tall, wide, a)
# A norm of one number is its size, where the root of a power would be infinite or 0; of any number of them, it may be one of one.
ONE = torch.tensor([[1e20], [-3e25], [2e-30], [float("nan")], [-float("inf")], [0.0]])
for order in (2, 3, 0.5, -1, -2, 0, 1, float("inf"), -float("inf")):
    FAMILY.add(f"norms of one number, {order}", lambda x, o=order: L.vector_norm(x, o, dim=1), ONE, tolerance=(1e-6, 0))
    FAMILY.add(f"norms of any numbers, {order}", lambda x, o=order: L.vector_norm(x, o, dim=1), torch.rand(6, 3) + 0.5, others=(ONE,),
               tolerance=(1e-6, 0))
for name, function in {"of all": lambda x: x[:1].norm(), "normalize": lambda x: F.normalize(x, dim=1), "cosine": lambda x: F.cosine_similarity(x, x * 2),
                       "pairs": lambda x: F.pairwise_distance(x, x / 2), "dist": lambda x: torch.dist(x[:1], x[:1] * 2),
                       "frobenius": lambda x: L.matrix_norm(x[:1])}.items():
    FAMILY.add(f"norms of one number, {name}", function, ONE, tolerance=(1e-6, 0))
    FAMILY.add(f"norms of any numbers, {name}", function, torch.rand(6, 3) + 0.5, others=(ONE,), tolerance=(1e-6, 0))
# In the other order the product of the second and the third leaves f32.
FAMILY.add("chains of three that cost the same", lambda x: (L.multi_dot([x, x.mT, x]), torch.chain_matmul(x, x.mT, x)),
           torch.tensor([[1e25, 1], [1e-20, 1]]))
FAMILY.add("addbmm", lambda m, x, y: (torch.addbmm(m, x, y), torch.addbmm(m, x, y, beta=0, alpha=2)), t(3, 5), t(2, 3, 4),
           t(2, 4, 5))
FAMILY.add("logdet", lambda a, b: (torch.logdet(a), torch.logdet(b)), square(3, 3, dtype=torch.float32),
           torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
FAMILY.add("bilinear", torch.nn.functional.bilinear, t(4, 3), t(4, 5), t(2, 3, 5), t(2))
FAMILY.add("weight_norm", lambda v, g: (torch._weight_norm(v, g, 0), torch.norm_except_dim(v, 2, 1)), t(3, 4, 2), t(3, 1, 1))
FAMILY.add("int_mm", torch._int_mm, t(18, 8, dtype=torch.int8), t(8, 16, dtype=torch.int8))
FAMILY.add("singular", lambda a: (L.inv_ex(a).info, L.lu_factor_ex(a).info, L.solve_ex(a, a).info, L.cholesky_ex(-a).info,
                                  L.det(a)), torch.ones(3, 3))
# Of whole numbers many are as large but for how they were rounded.
for dtype in (torch.float32, torch.float64, torch.complex64):
    for sizes in ((3, 3), (7, 4), (16, 16)):
        FAMILY.add(f"pivots {short(dtype)} {sizes[0]}x{sizes[1]}", lambda a: L.lu_factor_ex(a)[1],
                   torch.randint(-3, 4, (200, *sizes), generator=FAMILY.random).to(dtype))
# From some sizes on by LAPACK and BLAS.
for n in (17, 40):
    near = torch.randn(2, n, n, generator=FAMILY.random, dtype=torch.float64) / n + torch.eye(n)
    FAMILY.add(f"larger {n}", lambda a, b: (
        L.matrix_exp(a), L.inv(a), L.solve(a, b), L.solve_triangular(a, b, upper=True), L.solve_triangular(a.mT, b.mT, upper=False, left=False),
        L.cholesky(a @ a.mT), L.lu(a)[2], *L.slogdet(a)), near, near[..., :5] + 1, tolerance=(1e-9, 1e-9))
FAMILY.add("empty", lambda a, b: (L.inv(a), L.det(a), L.solve(b, b)), torch.zeros(0, 0), torch.zeros(0, 3, 3))
FAMILY.add("batches that broadcast", lambda a, b: L.solve(a, b), square(2, 1, 3, 3, dtype=torch.float64),
           t(4, 3, 2, dtype=torch.float64))
FAMILY.add("inv, dynamic", lambda a: (L.inv(a), L.det(a)), square(2, 4, 4, dtype=torch.float64),
           others=(square(3, 6, 6, dtype=torch.float64),), tolerance=(1e-9, 1e-9))
