# How many of the tensors w are trained.
def trained(self, w: List[Tensor]) -> int:
  n = 0
  for x in w:
    if x.requires_grad:
      n += 1
  return n

# Those of the tensors w that are trained.
def leaves(self, w: List[Tensor]) -> List[Tensor]:
  found = annotate(List[Tensor], [])
  for t in w:
    if t.requires_grad:
      found.append(t)
  return found

# The tensors w, of which nothing is recorded.
def detached(self, w: List[Tensor]) -> List[Tensor]:
  v = annotate(List[Tensor], [])
  for t in w:
    v.append(t.detach())
  return v

# Adds what was found of trained tensors to grads, from `start` on and before `end`. What stands behind is the gradient by
# the input: gives that, or `by` where there is none.
def add_found(self, found: List[Optional[Tensor]], grads: List[Tensor], start: int, end: int, by: Tensor) -> Tensor:
  for k in range(len(found)):
    g = found[k]
    if g is not None:
      if start + k < end:
        grads[start + k].add_(g)
      else:
        by = g
  return by
