# An f32 linear layer forward and backward, by each backend; returns one number of the result and of both gradients.

def gradients(self, y: Tensor, x: Tensor, w: Tensor, grad_output: Tensor) -> Tensor:
  found = torch.grad([y], [x, w], annotate(List[Optional[Tensor]], [grad_output]))
  a = found[0]
  b = found[1]
  assert a is not None
  assert b is not None
  return torch.stack([y.flatten()[0], a.flatten()[0], b.flatten()[0]]).detach()

def libtorch(self, x: Tensor, w: Tensor, grad_output: Tensor) -> Tensor:
  x = x.detach().requires_grad_(True)
  w = w.detach().requires_grad_(True)
  return self.gradients(torch.linear(x, w, None), x, w, grad_output)

def onednn(self, x: Tensor, w: Tensor, grad_output: Tensor) -> Tensor:
  x = x.detach().requires_grad_(True)
  w = w.detach().requires_grad_(True)
  return self.gradients(self.convolved(x, w, None), x, w, grad_output)
