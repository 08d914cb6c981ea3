# The head of a value model: one number for each row, always in f32, since advantages are differences of values, and bf16
# has no number between 100 and 100.5.

# rows [N, C], weight w [1, C], bias b [1] -> values [N].
def value_forward(self, rows: Tensor, w: Tensor, b: Tensor) -> Tensor:
  return torch.addmv(b, rows, w[0])

# The gradient of the rows, given that of the values, by_value [N]; adds those of weight and bias to the tensors in w_grad
# and b_grad, if any.
def value_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], b_grad: List[Tensor], by_value: Tensor) -> Tensor:
  for g in w_grad:
    g.addmm_(by_value.unsqueeze(0), rows)
  for g in b_grad:
    g.add_(by_value.sum())
  return torch.outer(by_value, w[0])
