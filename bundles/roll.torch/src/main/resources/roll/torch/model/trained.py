# How many of the tensors w are trained.
def trained(self, w: List[Tensor]) -> int:
  n = 0
  for x in w:
    if x.requires_grad:
      n += 1
  return n
