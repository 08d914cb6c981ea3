# A Llama-style decoder-only transformer (Touvron et al. 2023, section 2.2): pre-norm RMSNorm, grouped-query attention with
# rotary positions, SwiGLU or experts (experts.py); optional biases, and norms of queries and keys. Residual stream, norms
# and rotations are computed in WIDE (6 = f32; gradient tests use 7 = f64), linear layers and attention in COMPUTE
# (15 = bf16).
# Constants: LAYERS, HEADS, KV_HEADS, HEAD_SIZE, EPSILON, WIDE, COMPUTE; TIED_HEAD, QKV_BIAS, O_BIAS, QK_NORM, MLP_BIAS,
# DOWN_BIAS, GELU, NORM_OFFSET; EMBEDDING_SCALE, a factor of embeddings, or 1; the index of each tensor in its layer: Q,
# K, V, O, Q_NORM, K_NORM, GATE, UP, DOWN, ATTENTION_NORM, MLP_NORM, and LAYER_SIZE, the number of tensors of a layer. A
# weight is followed by its bias, then by the A and B of its adapter, if any: Q_A, K_A, V_A, O_A, GATE_A, UP_A, DOWN_A
# are the indices of A, or -1. ADAPTER_SCALE; KEPT, the share of an adapter's inputs that dropout keeps, in 1/32768.

# A weight for linear layers: in COMPUTE, but int8 (1) unchanged.
def computed(self, w: Tensor) -> Tensor:
  return w if w.dtype == 1 else w.to(self.COMPUTE)

# x [..., in] in COMPUTE -> [..., out] in COMPUTE, by the weight [out, in] at index `at` in w, and the adapter with its A at
# index `a`: x W' + ADAPTER_SCALE (x A') B' (Hu et al. 2021, equation 3).
def linear(self, x: Tensor, w: List[Tensor], at: int, bias: bool, a: int, seed: int) -> Tensor:
  b = annotate(Optional[Tensor], None)
  if bias:
    b = w[at + 1].to(self.COMPUTE)
  return self.adapted(self.product(x, self.computed(w[at]), b), x, w, a, seed)

# The product y of x, and of the adapter with its A at index `a`, or -1.
def adapted(self, y: Tensor, x: Tensor, w: List[Tensor], a: int, seed: int) -> Tensor:
  if a >= 0:
    scale = self.ADAPTER_SCALE
    if seed >= 0:
      x = self.dropout(x, seed + a)
      scale = scale * 32768 / self.KEPT
    low = self.product(x, w[a].to(self.COMPUTE), None)
    y = torch.add(y, self.product(low, w[a + 1].to(self.COMPUTE), None), alpha=scale)
  return y

# The factors of a norm with weights w.
def gain(self, w: Tensor) -> Tensor:
  return w.to(self.WIDE) + 1 if self.NORM_OFFSET else w

# Rotates the halves of each head against each other, in WIDE. x [..., T, heads, HEAD_SIZE];
# cos, sin [..., T, 1, HEAD_SIZE], the first half of sin negated.
def rotary(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
  swapped = torch.roll(x, [self.HEAD_SIZE // 2], [-1])
  return torch.addcmul(x * cos, swapped, sin).to(self.COMPUTE)

# Rotated queries [B, T, HEADS, HEAD_SIZE] and keys, and values, both [B, T, KV_HEADS, HEAD_SIZE], of the residual stream
# x [B, T, C], with the layer's tensors w. seed: of the adapters' dropout, negative for none.
def qkv(self, x: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor, seed: int=-1) -> Tuple[Tensor, Tensor, Tensor]:
  B, T, C = x.shape
  x = self.rms_norm(x, w[self.ATTENTION_NORM]).to(self.COMPUTE)
  q, k, v = self.projections(x, w, seed)
  q = q.view(B, T, self.HEADS, self.HEAD_SIZE)
  k = k.view(B, T, self.KV_HEADS, self.HEAD_SIZE)
  if self.QK_NORM:
    q = self.rms_norm(q.to(self.WIDE), w[self.Q_NORM])
    k = self.rms_norm(k.to(self.WIDE), w[self.K_NORM])
  q, k = self.rotated(q, k, cos, sin)
  return (q, k, v.view(B, T, self.KV_HEADS, self.HEAD_SIZE))

# Lengths, parents or -1, and numbers of tokens of the ancestors of the segments [2, n] of a row (roll.batching.PrefixTree).
# Read once in each call.
def segment_layout(self, segments: Tensor) -> Tuple[List[int], List[int], List[int]]:
  read = annotate(List[int], segments.flatten().tolist())
  lengths = read[:len(read) // 2]
  parents = read[len(read) // 2:]
  offsets = annotate(List[int], [])
  for i in range(len(lengths)):
    p = parents[i]
    offsets.append(offsets[p] + lengths[p] if p >= 0 else 0)
  return (lengths, parents, offsets)

# 0 where query [n] attends to key [before + n], and -inf at the keys after it.
def causal_mask(self, n: int, before: int) -> Tensor:
  later = torch.triu(torch.ones([n, before + n], dtype=11, device=torch.device(self.DEVICE)), before + 1)
  return torch.masked_fill(torch.zeros([n, before + n], dtype=self.COMPUTE, device=torch.device(self.DEVICE)), later, -inf)

# The rows of a position table for T tokens; the positions of a segment follow those of its ancestors. A table of four
# dimensions already has a row for every token.
def angles(self, table: Tensor, T: int, layout: Tuple[List[int], List[int], List[int], List[Tensor]]) -> Tensor:
  lengths, parents, offsets, found = layout
  if table.dim() == 4:
    y = table
  elif len(lengths) <= 1:
    y = table[:T]
  else:
    parts = annotate(List[Tensor], [])
    for i in range(len(lengths)):
      parts.append(table[offsets[i]:offsets[i] + lengths[i]])
    y = torch.cat(parts)
  return y

# The rows of a table [P, 1, HEAD_SIZE] for tokens at positions [3, n] in time, height and width -> [n, 1, HEAD_SIZE]. AXES
# has a letter for each number of half a head: t, h, or w.
def angles_at(self, table: Tensor, positions: Tensor) -> Tensor:
  letters = self.AXES
  rows = annotate(List[Tensor], [])
  for i in range(self.HEAD_SIZE):
    letter = letters[i % len(letters)]
    rows.append(positions[0 if letter == "t" else 1 if letter == "h" else 2])
  return torch.gather(table.squeeze(1), 0, torch.stack(rows, 1)).unsqueeze(1)

# The residual stream after a layer, given the attention's output o [B, T, HEADS * HEAD_SIZE]: the output projection, then
# the feed-forward layer.
def after_attention(self, x: Tensor, o: Tensor, w: List[Tensor], seed: int=-1) -> Tensor:
  x = x + self.linear(o, w, self.O, self.O_BIAS, self.O_A, seed)
  return x + self.feed_forward(x, w, seed)

# SwiGLU or GEGLU (Shazeer 2020, section 2) of the normed residual stream x, in COMPUTE; with experts their sum, in WIDE.
def feed_forward(self, x: Tensor, w: List[Tensor], seed: int=-1) -> Tensor:
  h = self.rms_norm(x, w[self.MLP_NORM])
  if self.EXPERTS > 0:
    y = self.experts(h, w, seed)
  else:
    y = self.down(self.gated(h.to(self.COMPUTE), w, 0, seed), w, 0, seed)
  return y

# The gated hidden activations of a feed-forward layer whose tensors have an offset of `first` from the layer's first one.
def gated(self, h: Tensor, w: List[Tensor], first: int, seed: int) -> Tensor:
  gate, up = self.gate_and_up(h, w, first, seed)
  return self.activated(gate) * up

# SiLU, or GELU by tanh (Hendrycks and Gimpel 2016, section 2): x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)).
def activated(self, x: Tensor) -> Tensor:
  if self.GELU:
    wide = x.to(self.WIDE)
    z = (wide * wide * 0.044715 + 1.) * 1.5957691216057308 * wide
    y = (self.invariant_gate(wide, z) if self.INVARIANT else wide * torch.sigmoid(z)).to(x.dtype)
  else:
    y = self.invariant_silu(x) if self.INVARIANT else torch.silu(x)
  return y

# The down projection.
def down(self, h: Tensor, w: List[Tensor], first: int, seed: int) -> Tensor:
  return self.linear(h, w, self.DOWN + first, self.DOWN_BIAS, self.adapter_index(self.DOWN_A, first), seed)

# The index of an adapter with an offset of `first` from a, or -1 if there is none.
def adapter_index(self, a: int, first: int) -> int:
  return a + first if a >= 0 else -1

# The indices, in a layer, of the tensors that are the rows of its joined tensor j.
def joined_parts(self, j: int) -> List[int]:
  inner = j - (2 if self.QKV_BIAS else 1)
  parts = annotate(List[int], [])
  if inner < 0:
    parts = [self.Q + j, self.K + j, self.V + j]
  elif self.EXPERTS == 0:
    parts = [self.GATE + inner, self.UP + inner]
  else:
    for first in range(0, self.EXPERTS * self.EXPERT_SIZE, self.EXPERT_SIZE):
      if inner == 0:
        parts.append(self.GATE + first)
        parts.append(self.UP + first)
      else:
        parts.append(self.DOWN + first)
  return parts

# One layer on the residual stream x [B, T, C] in `layout`.
def layer(self, x: Tensor, layout: Tuple[List[int], List[int], List[int], List[Tensor]], w: List[Tensor], cos: Tensor, sin: Tensor, seed: int=-1) -> Tensor:
  q, k, v = self.qkv(x, w, cos, sin, seed)
  return self.after_attention(x, self.packed_attention(q, k, v, layout), w, seed)

# Rows x of the embedding, or their gradient, times EMBEDDING_SCALE.
def embedding_scaled(self, x: Tensor) -> Tensor:
  return x * self.EMBEDDING_SCALE if self.EMBEDDING_SCALE != 1. else x

# The input of the first layer, in WIDE: rows of `embedding` for tokens [B, T]; the first vector of the features of pictures
# replaces those at `places` [M] of the flattened [B * T], both empty without pictures.
def embedded(self, tokens: Tensor, embedding: Tensor, places: Tensor, features: Tensor) -> Tensor:
  x = self.embedding_scaled(torch.embedding(embedding, tokens).to(self.WIDE))
  if places.numel() > 0:
    x = torch.index_copy(x.flatten(0, 1), 0, places, self.vector(features, 0, x)).view(x.shape)
  return x

# Vector i of features [M, vectors * C], in WIDE, for a stream x [..., C].
def vector(self, features: Tensor, i: int, x: Tensor) -> Tensor:
  C = x.shape[x.dim() - 1]
  return features[:, i * C:(i + 1) * C].to(self.WIDE)

# The stream x [..., C] after layer i: to the first DEEP layers DeepStack adds a vector of the features at `places`.
def deepened(self, x: Tensor, i: int, places: Tensor, features: Tensor) -> Tensor:
  if i < self.DEEP and features.numel() > 0:
    x = torch.index_add(x.reshape(-1, x.shape[x.dim() - 1]), 0, places, self.vector(features, i + 1, x)).view(x.shape)
  return x

# tokens [B, T] in `segments`, with features of pictures at `places` [M] -> hidden states [N, C] after
# the last norm, at rows [N] of the flattened [B * T].
def hidden(self, tokens: Tensor, rows: Tensor, segments: Tensor, places: Tensor, features: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  T = tokens.shape[1]
  layout = self.layout(segments, tokens.shape[0])
  cos = self.angles(cos, T, layout)
  sin = self.angles(sin, T, layout)
  x = self.embedded(tokens, w[0], places, features)
  for i in range(self.LAYERS):
    x = self.deepened(self.layer(x, layout, self.layer_weights(w, i), cos, sin), i, places, features)
  x = torch.index_select(x.flatten(0, 1), 0, rows)
  return self.rms_norm(x, w[1 + self.LAYERS * self.LAYER_SIZE])
