# Rows x [n, in] by the matrices w [groups, in, out], each group of rows by its own: `ends`, int32 [groups], are where groups
# end, multiples of 8 so that their gradients are aligned. On the cards of CardOperators.
def grouped_product(self, x: Tensor, w: Tensor, ends: Tensor) -> Tensor:
  return torch._grouped_mm(x, w, ends)
