# The head of a value model: one number a row, in f32 whatever the layers compute in, for advantages are differences of
# values, and bf16 has no number between 100 and 100.5.

# rows [N, C], weight w [1, C], bias b [1] -> values [N].
def value_forward(self, rows: Tensor, w: Tensor, b: Tensor) -> Tensor:
  return torch.addmv(b, rows, w[0])

# The gradient by the rows of a loss whose derivatives by the values are by_value [N]; adds those by weight and bias to
# the tensors in w_grad and b_grad, if there are any.
def value_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], b_grad: List[Tensor], by_value: Tensor) -> Tensor:
  for g in w_grad:
    g.addmm_(by_value.unsqueeze(0), rows)
  for g in b_grad:
    g.add_(by_value.sum())
  return torch.outer(by_value, w[0])
