# Linear layers by oneDNN with weights in its own blocked order, which is read faster for any number of rows.

# w without joined tensors, with the weights of linear layers and of the head reordered; all others are the same tensors.
# The order for 32 rows was the fastest, or nearly so, for any number of rows.
def reordered_weights(self, w: List[Tensor]) -> List[Tensor]:
  last = 2 + self.LAYERS * self.LAYER_SIZE
  found = [w[0]]
  for i in range(self.LAYERS):
    layer = self.layer_weights(w, i)
    for at in range(self.LAYER_SIZE):
      if self.is_linear(at):
        found.append(self.reordered(layer[at]))
      else:
        found.append(layer[at])
  for at in range(1 + self.LAYERS * self.LAYER_SIZE, last):
    found.append(w[at])
  found.append(self.reordered(w[last]))
  return found

# w reordered, or unchanged if oneDNN does not support its type (bf16 without AVX-512) or reorders it incorrectly, as it
# does for some widths on some processors: a product of its first rows is then completely wrong.
def reordered(self, w: Tensor) -> Tensor:
  if w.dtype == 15 and not ops.mkldnn._is_mkldnn_bf16_supported():
    return w
  found = ops.mkldnn._reorder_linear_weight(w, 32)
  x = w.narrow(0, 0, min(32, w.shape[0]))
  exact = torch.linear(x.to(6), w.to(6), None)
  error = (self.reordered_product(x, found, None).to(6) - exact).abs().max()
  if bool(error < 0.1 * exact.abs().max()):
    return found
  return w

# Whether index `at` of a layer is the weight of a linear layer; a router, which is computed in WIDE, does not count.
def is_linear(self, at: int) -> bool:
  attention = at == self.Q or at == self.K or at == self.V or at == self.O
  within = at
  if at >= self.GATE and at < self.GATE + self.EXPERTS * self.EXPERT_SIZE:
    within = self.GATE + (at - self.GATE) % self.EXPERT_SIZE
  return attention or within == self.GATE or within == self.UP or within == self.DOWN

# x [1, rows, in] or [rows, in] -> x w' + b, with w [out, in], reordered or not.
def reordered_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  if w.is_mkldnn:
    return ops.mkldnn._linear_pointwise(x, w, b, "none", annotate(List[Optional[number]], []), "")
  return self.plain_product(x, w, b)
