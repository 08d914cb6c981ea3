# x [..., in] -> x w' + b [..., out], with w [out, in].
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return torch.linear(x, w, b)
