# x [n, in] -> x w' in WIDE, with w [out, in], both in LOGITS: the product is rounded to LOGITS before.
def wide_product(self, x: Tensor, w: Tensor) -> Tensor:
  return self.product(x, w, None).to(self.WIDE)
