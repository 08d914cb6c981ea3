# The number of trained tensors in w.
def trained(self, w: List[Tensor]) -> int:
  n = 0
  for x in w:
    if x.requires_grad:
      n += 1
  return n

# The trained tensors in w.
def leaves(self, w: List[Tensor]) -> List[Tensor]:
  found = annotate(List[Tensor], [])
  for t in w:
    if t.requires_grad:
      found.append(t)
  return found

# The tensors w without autograd.
def detached(self, w: List[Tensor]) -> List[Tensor]:
  v = annotate(List[Tensor], [])
  for t in w:
    v.append(t.detach())
  return v

# Adds the gradients `found` of trained tensors to grads, from `start` on and before `end`. A further one is the gradient
# of the input: returns that, or `grad_input` if there is none.
def add_found(self, found: List[Optional[Tensor]], grads: List[Tensor], start: int, end: int, grad_input: Tensor) -> Tensor:
  for k in range(len(found)):
    g = found[k]
    if g is not None:
      if start + k < end:
        grads[start + k].add_(g)
      else:
        grad_input = g
  return grad_input
