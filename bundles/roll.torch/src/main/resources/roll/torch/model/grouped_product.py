# Rows x [n, in] by the matrices w [groups, in, out], each group of rows by its own: `ends`, int32 [groups], are where groups
# end, multiples of 8 so that their gradients are aligned. On cards of compute capability 9, from libtorch 2.8 on.
def grouped_product(self, x: Tensor, w: Tensor, ends: Tensor) -> Tensor:
  return torch._grouped_mm(x, w, ends)
