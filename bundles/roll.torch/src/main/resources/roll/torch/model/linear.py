# Products of linear layers with many rows of f32 go to oneDNN where that was found to be faster than libtorch's own:
# `by_onednn` knows the weights. Libtorch gives oneDNN convolutions, and both gradients of them, where their input has more
# than 20480 numbers and, with one thread, only those that are dilated, which means nothing to a kernel of one cell.

# Whether x [rows, in] goes to oneDNN before a weight [columns, within].
def convolves(self, x: Tensor, columns: int, within: int) -> bool:
  numbers = x.numel()
  many = numbers > 20480 and numbers // x.shape[-1] >= self.MANY_ROWS
  return many and x.dtype == 6 and self.by_onednn(columns, within)

# x [..., in] -> x w' + b by oneDNN: a convolution over single cells.
def convolved(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  columns, within = w.shape
  cells = x.reshape(1, -1, 1, within).permute(0, 3, 1, 2)
  y = torch.conv2d(cells, w.reshape(columns, within, 1, 1), b, [1, 1], [0, 0], [1, 2])
  return y.permute(0, 2, 3, 1).reshape(x.shape[:-1] + [columns])

# x [..., in] -> x w' + b, with w [out, in] and b [out] or none, by the faster way.
def faster_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  if self.convolves(x, w.shape[0], w.shape[1]):
    return self.convolved(x, w, b)
  return torch.linear(x, w, b)

# The gradient by x [rows, in] of a product, given that by its result [rows, out].
def by_input(self, by: Tensor, w: Tensor) -> Tensor:
  if self.convolves(by, w.shape[0], w.shape[1]):
    return self.convolved(by, w.t(), None)
  return torch.mm(by, w)

# Adds the gradient by the weight of a product of x [rows, in] to grad [out, in].
def add_by_weight(self, grad: Tensor, by: Tensor, x: Tensor) -> Tensor:
  if self.convolves(by, grad.shape[0], grad.shape[1]):
    return grad.add_(self.convolved(by.t(), x.t(), None))
  if grad.dtype == by.dtype:
    return grad.addmm_(by.t(), x)
  return grad.add_(torch.mm(by.t(), x))
