# Linear layers by oneDNN, with weights in an order of its own: they are read faster, whatever the number of rows.

# w with the weights of linear layers and of the head reordered; everything else are the same tensors. The order is that
# for 32 rows, which was the fastest or nearly so for any number of them.
def reordered_weights(self, w: List[Tensor]) -> List[Tensor]:
  last = len(w) - 1
  found = [w[0]]
  for i in range(self.LAYERS):
    layer = self.layer_weights(w, i)
    for at in range(len(layer)):
      if self.is_linear(at):
        found.append(self.reordered(layer[at]))
      else:
        found.append(layer[at])
  for at in range(1 + self.LAYERS * self.LAYER_SIZE, last):
    found.append(w[at])
  found.append(self.reordered(w[last]))
  return found

# w reordered, or as it is where oneDNN does not know its type (bf16 without AVX-512) or reorders it wrongly, as it does
# some widths on some processors: the products of its first rows tell, which are then wrong by as much as the numbers
# themselves.
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

# Whether a linear layer's weight stands at `at` in its layer; a router is none, which is computed in WIDE.
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
