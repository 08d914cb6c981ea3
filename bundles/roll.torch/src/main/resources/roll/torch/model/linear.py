# f32 linear layers with many rows are computed by oneDNN if that was measured to be faster than libtorch's default
# (`by_onednn`). libtorch passes convolutions and both of their gradients to oneDNN if their input has more than 20480
# numbers and, with one thread, only if they are dilated, which has no effect on a kernel of size 1.

# Whether oneDNN multiplies x [rows, in] by a weight [columns, within].
def convolves(self, x: Tensor, columns: int, within: int) -> bool:
  numbers = x.numel()
  many = numbers > 20480 and numbers // x.shape[-1] >= self.MANY_ROWS
  return many and x.dtype == 6 and self.by_onednn(columns, within)

# x [..., in] -> x w' + b by oneDNN: a 1 x 1 convolution.
def convolved(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  columns, within = w.shape
  cells = x.reshape(1, -1, 1, within).permute(0, 3, 1, 2)
  y = torch.conv2d(cells, w.reshape(columns, within, 1, 1), b, [1, 1], [0, 0], [1, 2])
  return y.permute(0, 2, 3, 1).reshape(x.shape[:-1] + [columns])

# x [..., in] -> x w' + b, with w [out, in] and b [out] or none, by the faster backend.
def faster_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  if self.convolves(x, w.shape[0], w.shape[1]):
    return self.convolved(x, w, b)
  return torch.linear(x, w, b)

# The gradient of a product's input [rows, in], given that of its output [rows, out].
def grad_input(self, grad_output: Tensor, w: Tensor) -> Tensor:
  if self.convolves(grad_output, w.shape[0], w.shape[1]):
    return self.convolved(grad_output, w.t(), None)
  return torch.mm(grad_output, w)

# Adds the gradient of the weight of a product of x [rows, in] to grad [out, in].
def add_grad_weight(self, grad: Tensor, grad_output: Tensor, x: Tensor) -> Tensor:
  if self.convolves(grad_output, grad.shape[0], grad.shape[1]):
    return grad.add_(self.convolved(grad_output.t(), x.t(), None))
  if grad.dtype == grad_output.dtype:
    return grad.addmm_(grad_output.t(), x)
  return grad.add_(torch.mm(grad_output.t(), x))
