# Linear layers of the same input as products of their own.

# The tensors of layer i.
def layer_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  return w[1 + i * self.LAYER_SIZE:1 + (i + 1) * self.LAYER_SIZE]

# No joined tensors.
def rejoined(self, w: List[Tensor], joined: List[Tensor]) -> List[Tensor]:
  return annotate(List[Tensor], [])

# Queries, keys and values [.., heads * HEAD_SIZE] of the normed x, in COMPUTE.
def projections(self, x: Tensor, w: List[Tensor], seed: int) -> Tuple[Tensor, Tensor, Tensor]:
  q = self.linear(x, w, self.Q, self.QKV_BIAS, self.Q_A, seed)
  k = self.linear(x, w, self.K, self.QKV_BIAS, self.K_A, seed)
  return (q, k, self.linear(x, w, self.V, self.QKV_BIAS, self.V_A, seed))

# Gate and up projection of h for the feed-forward layer whose tensors have an offset of `first` from the layer's first one.
def gate_and_up(self, h: Tensor, w: List[Tensor], first: int, seed: int) -> Tuple[Tensor, Tensor]:
  gate = self.linear(h, w, self.GATE + first, self.MLP_BIAS, self.adapter_index(self.GATE_A, first), seed)
  return (gate, self.linear(h, w, self.UP + first, self.MLP_BIAS, self.adapter_index(self.UP_A, first), seed))
