# Linear layers of the same input as one product, for cards. In addition to those of separate.py: a model's tensors may be
# followed by joined ones (JoinedTensors), of whose rows they are views.
# Constants: TENSORS, the number of tensors without joined ones; JOINED, the number of joined ones of a layer: the weights
# of queries, keys and values, their biases if they have any, and the same of gate and up; with experts instead the weights
# of gate and up of all experts, and those of down.

# The tensors of layer i, followed by its joined ones, if there are any.
def layer_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  own = w[1 + i * self.LAYER_SIZE:1 + (i + 1) * self.LAYER_SIZE]
  if len(w) == self.TENSORS + self.LAYERS * self.JOINED:
    own = own + w[self.TENSORS + i * self.JOINED:self.TENSORS + (i + 1) * self.JOINED]
  return own

# The joined tensors `joined` of all layers, in COMPUTE. The tensors of all layers in `w`, which begins with the embedding,
# become views of their rows again.
def rejoined(self, w: List[Tensor], joined: List[Tensor]) -> List[Tensor]:
  found = annotate(List[Tensor], [])
  for k in range(len(joined)):
    first = 1 + k // self.JOINED * self.LAYER_SIZE
    found.append(joined[k].to(self.COMPUTE))
    row = 0
    for p in self.joined_parts(k % self.JOINED):
      end = row + w[first + p].shape[0]
      w[first + p] = found[k][row:end]
      row = end
  return found

# x [.., in] by the joined weight at index `at`, and the bias after it, split into columns of the given sizes.
def joined_product(self, x: Tensor, w: List[Tensor], at: int, bias: bool, sizes: List[int]) -> List[Tensor]:
  b = annotate(Optional[Tensor], None)
  if bias:
    b = w[at + 1].to(self.COMPUTE)
  return torch.split_with_sizes(self.product(x, self.computed(w[at]), b), sizes, -1)

def projections(self, x: Tensor, w: List[Tensor], seed: int) -> Tuple[Tensor, Tensor, Tensor]:
  if len(w) > self.LAYER_SIZE:
    queries = self.HEADS * self.HEAD_SIZE
    keys = self.KV_HEADS * self.HEAD_SIZE
    q, k, v = self.joined_product(x, w, self.LAYER_SIZE, self.QKV_BIAS, [queries, keys, keys])
    q = self.adapted(q, x, w, self.Q_A, seed)
    k = self.adapted(k, x, w, self.K_A, seed)
    v = self.adapted(v, x, w, self.V_A, seed)
  else:
    q = self.linear(x, w, self.Q, self.QKV_BIAS, self.Q_A, seed)
    k = self.linear(x, w, self.K, self.QKV_BIAS, self.K_A, seed)
    v = self.linear(x, w, self.V, self.QKV_BIAS, self.V_A, seed)
  return (q, k, v)

def gate_and_up(self, h: Tensor, w: List[Tensor], first: int, seed: int) -> Tuple[Tensor, Tensor]:
  a = self.adapter_index(self.GATE_A, first)
  b = self.adapter_index(self.UP_A, first)
  if len(w) > self.LAYER_SIZE and self.EXPERTS == 0:
    inner = w[self.GATE].shape[0]
    gate, up = self.joined_product(h, w, self.LAYER_SIZE + (2 if self.QKV_BIAS else 1), self.MLP_BIAS, [inner, inner])
    gate = self.adapted(gate, h, w, a, seed)
    up = self.adapted(up, h, w, b, seed)
  else:
    gate = self.linear(h, w, self.GATE + first, self.MLP_BIAS, a, seed)
    up = self.linear(h, w, self.UP + first, self.MLP_BIAS, b, seed)
  return (gate, up)
