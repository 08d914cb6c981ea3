# The layers of a decoder forward and backward for training, in pieces: each layer, and the last norm. Each piece is run
# backward separately, given the gradient of its output, so that it can be recomputed just before (activation
# checkpointing: Chen et al. 2016, section 3); then only its input is kept. An expert without tokens is not part of the
# graph and has no gradient; a piece may have no gradient at all. The tensors of a layer may be followed by joined ones
# (joined.py), whose gradient is then that of their rows.

# Layer i on x [B, T, C] in `layout`; for i = LAYERS the last norm of the rows [N] of the flattened
# [B * T]. seed: of the adapters' dropout, negative for none. Each adapter has its own: the seed plus LAYER_SIZE times the
# layer plus the index of the adapter in it.
def piece(self, i: int, x: Tensor, rows: Tensor, layout: Tuple[List[int], List[int], List[int], List[Tensor]], w: List[Tensor], cos: Tensor, sin: Tensor, seed: int) -> Tensor:
  if i < self.LAYERS:
    y = self.layer(x, layout, w, cos, sin, seed + i * self.LAYER_SIZE if seed >= 0 else -1)
  else:
    y = self.rms_norm(torch.index_select(x.flatten(0, 1), 0, rows), w[0])
  return y

# The tensors of piece i.
def piece_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  return self.layer_weights(w, i) if i < self.LAYERS else w[1 + i * self.LAYER_SIZE:2 + i * self.LAYER_SIZE]

# tokens [B, T] with features of pictures at `places` [M] -> the output [N, C] of the last piece, and the tensors
# for backward: the inputs of all pieces from the lowest one with trained parameters in or below it (with `tower_grad` 1, in
# the vision tower), and unless `recompute` (0 or 1) their outputs with their graphs.
def forward_pieces(self, tokens: Tensor, rows: Tensor, segments: Tensor, places: Tensor, features: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor, recompute: Tensor, tower_grad: Tensor, seed: Tensor) -> List[Tensor]:
  keep = int(recompute) == 0
  dropout = int(seed)
  layout = self.layout(segments, tokens.shape[0])
  cos = self.angles(cos, tokens.shape[1], layout)
  sin = self.angles(sin, tokens.shape[1], layout)
  inputs = annotate(List[Tensor], [])
  outputs = annotate(List[Tensor], [])
  x = self.embedded(tokens, w[0].detach(), places, features)
  reached = w[0].requires_grad or int(tower_grad) == 1
  for i in range(self.LAYERS + 1):
    u = self.piece_weights(w, i)
    below = reached
    reached = below or self.trained(u) > 0
    if reached and keep:
      x = x.requires_grad_(below)
      inputs.append(x)
      y = self.piece(i, x, rows, layout, u, cos, sin, dropout)
      outputs.append(y)
      x = self.deepened(y.detach(), i, places, features)
    else:
      if reached:
        inputs.append(x)
      x = self.deepened(self.piece(i, x, rows, layout, self.detached(u), cos, sin, dropout), i, places, features)
  return [x] + inputs + outputs

# Runs backward through the result of forward_pieces, given the gradient `grad_output` [N, C] of its output. Adds the
# gradients of the trained parameters to grads, one tensor each; with `tower_grad` returns the gradient of the features.
def backward_pieces(self, grad_output: Tensor, tokens: Tensor, rows: Tensor, segments: Tensor, places: Tensor, kept: List[Tensor], w: List[Tensor], cos: Tensor, sin: Tensor, recompute: Tensor, tower_grad: Tensor, seed: Tensor, grads: List[Tensor]) -> List[Tensor]:
  keep = int(recompute) == 0
  seen = int(tower_grad) == 1
  dropout = int(seed)
  layout = self.layout(segments, tokens.shape[0])
  cos = self.angles(cos, tokens.shape[1], layout)
  sin = self.angles(sin, tokens.shape[1], layout)
  count = (len(kept) - 1) // 2 if keep else len(kept) - 1
  first = self.LAYERS + 1 - count
  end = self.trained(w[:2 + self.LAYERS * self.LAYER_SIZE])
  by_features = annotate(List[Tensor], [])
  for j in range(count):
    i = self.LAYERS - j
    if seen and i < self.DEEP:
      by_features = [torch.index_select(grad_output.flatten(0, 1), 0, places)] + by_features
    u = self.piece_weights(w, i)
    below = i > first or w[0].requires_grad or seen
    x = kept[1 + i - first]
    if keep:
      y = kept[1 + count + i - first]
    else:
      x = x.detach().requires_grad_(below)
      y = self.piece(i, x, rows, layout, u, cos, sin, dropout)
    leaves = self.leaves(u[:self.LAYER_SIZE])
    start = end - len(leaves)
    if below:
      leaves.append(x)
    own = len(leaves)
    found = annotate(List[Optional[Tensor]], [])
    if y.requires_grad:
      found = torch.grad([y], leaves + self.leaves(u[self.LAYER_SIZE:]), annotate(List[Optional[Tensor]], [grad_output]), None, False, True)
    grad_output = self.add_found(found[:own], grads, start, end, grad_output)
    self.add_joined(found[own:], u, grads, start)
    end = start
  if w[0].requires_grad:
    self.add_rows(grads[0], tokens.flatten(), self.embedding_scaled(self.zero_rows(grad_output.flatten(0, 1), places)))
  if seen:
    grad_output = torch.cat([torch.index_select(grad_output.flatten(0, 1), 0, places)] + by_features, 1)
  return [grad_output]

# Adds the gradients `found` of the trained joined tensors of a layer with tensors u to those of its trained tensors, which
# begin at `start` in grads. Returns their number.
def add_joined(self, found: List[Optional[Tensor]], u: List[Tensor], grads: List[Tensor], start: int) -> int:
  k = 0
  if len(found) > 0:
    places = annotate(List[int], [])
    at = start
    for t in u[:self.LAYER_SIZE]:
      places.append(at)
      at += 1 if t.requires_grad else 0
    for j in range(len(u) - self.LAYER_SIZE):
      if u[self.LAYER_SIZE + j].requires_grad:
        g = found[k]
        k += 1
        if g is not None:
          row = 0
          for p in self.joined_parts(j):
            end = row + u[p].shape[0]
            if u[p].requires_grad:
              grads[places[p]].add_(g[row:end])
            row = end
  return k

# x [n, C] with zeros in the rows `places`, where features replaced the embedding.
def zero_rows(self, x: Tensor, places: Tensor) -> Tensor:
  return torch.index_fill(x, 0, places, 0.) if places.numel() > 0 else x
