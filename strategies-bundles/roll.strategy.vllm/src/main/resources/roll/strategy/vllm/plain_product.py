# x [1, rows, in] or [rows, in] -> x w' + b, with w [out, in]:
# computed as w x' for few rows, which is up to twice as fast as x w'; the result is then column-major.
def plain_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  rows = x.shape[x.dim() - 2]
  if rows == 1:
    return self.row_product(x, w, b)
  if rows < self.FEW or rows > self.MANY:
    return self.faster_product(x, w, b)
  y = torch.mm(w, x.reshape(rows, -1).t()).t()
  if b is not None:
    y = y + b
  return y.unsqueeze(0) if x.dim() == 3 else y
