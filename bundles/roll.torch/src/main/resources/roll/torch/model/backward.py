# The layers of a decoder forward and backward for training, cut behind the embedding and behind every layer. Each piece
# is run backward on its own with the gradient by its output, so that it can as well be run forward again just before
# (activation checkpointing: Chen et al. 2016, section 3): then nothing but its input is kept until there. An expert that no
# token chose is not in what was recorded: it has no gradient, and a piece may have none at all.

# Layer i on x [B, T, C], whose samples have `lengths`; behind the last layer, at i = LAYERS, the last norm of the rows [N] of the flattened [B * T].
# The seed is of the adapters' dropout; a negative one means none. That of each adapter is another: a layer's begins at
# its number times LAYER_SIZE, and that of an adapter in it is as much greater as its place.
def piece(self, i: int, x: Tensor, rows: Tensor, lengths: List[int], w: List[Tensor], cos: Tensor, sin: Tensor, seed: int) -> Tensor:
  if i < self.LAYERS:
    y = self.layer(x, lengths, w, cos, sin, seed + i * self.LAYER_SIZE if seed >= 0 else -1)
  else:
    y = self.rms_norm(torch.index_select(x.flatten(0, 1), 0, rows), w[0])
  return y

# The tensors of piece i.
def piece_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  return self.layer_weights(w, i) if i < self.LAYERS else w[1 + i * self.LAYER_SIZE:2 + i * self.LAYER_SIZE]

# tokens [B, T] with features [M, C] of pictures at `places` [M] -> the output [N, C] of the last piece, and what backward
# needs: the input of each piece from the lowest on that has something trained in it or below (features, where `deep` is 1),
# and unless `again` (0 or 1) their outputs, with what led there.
def forward_pieces(self, tokens: Tensor, rows: Tensor, bounds: Tensor, places: Tensor, features: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor, again: Tensor, deep: Tensor, seed: Tensor) -> List[Tensor]:
  keep = int(again) == 0
  dropout = int(seed)
  lengths = self.lengths(bounds)
  cos = self.angles(cos, tokens.shape[1], lengths)
  sin = self.angles(sin, tokens.shape[1], lengths)
  inputs = annotate(List[Tensor], [])
  outputs = annotate(List[Tensor], [])
  x = self.embedded(tokens, w[0].detach(), places, features)
  reached = w[0].requires_grad or int(deep) == 1
  for i in range(self.LAYERS + 1):
    u = self.piece_weights(w, i)
    below = reached
    reached = below or self.trained(u) > 0
    if reached and keep:
      x = x.requires_grad_(below)
      inputs.append(x)
      y = self.piece(i, x, rows, lengths, u, cos, sin, dropout)
      outputs.append(y)
      x = y.detach()
    else:
      if reached:
        inputs.append(x)
      x = self.piece(i, x, rows, lengths, self.detached(u), cos, sin, dropout)
  return [x] + inputs + outputs

# The way back through what forward_pieces left: `by` [N, C] is the gradient by its result. Adds the gradients of what is
# trained to grads, one tensor each; where `deep`, gives that of the features [M, C].
def backward_pieces(self, by: Tensor, tokens: Tensor, rows: Tensor, bounds: Tensor, places: Tensor, kept: List[Tensor], w: List[Tensor], cos: Tensor, sin: Tensor, again: Tensor, deep: Tensor, seed: Tensor, grads: List[Tensor]) -> List[Tensor]:
  keep = int(again) == 0
  seen = int(deep) == 1
  dropout = int(seed)
  lengths = self.lengths(bounds)
  cos = self.angles(cos, tokens.shape[1], lengths)
  sin = self.angles(sin, tokens.shape[1], lengths)
  count = (len(kept) - 1) // 2 if keep else len(kept) - 1
  first = self.LAYERS + 1 - count
  end = self.trained(w[:2 + self.LAYERS * self.LAYER_SIZE])
  for j in range(count):
    i = self.LAYERS - j
    u = self.piece_weights(w, i)
    below = i > first or w[0].requires_grad or seen
    x = kept[1 + i - first]
    if keep:
      y = kept[1 + count + i - first]
    else:
      x = x.detach().requires_grad_(below)
      y = self.piece(i, x, rows, lengths, u, cos, sin, dropout)
    leaves = self.leaves(u)
    start = end - len(leaves)
    if below:
      leaves.append(x)
    found = annotate(List[Optional[Tensor]], [])
    if y.requires_grad:
      found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [by]), None, False, True)
    by = self.add_found(found, grads, start, end, by)
    end = start
  if w[0].requires_grad:
    self.add_rows(grads[0], tokens.flatten(), self.without(by.flatten(0, 1), places))
  return [torch.index_select(by.flatten(0, 1), 0, places) if seen else by]

# x [n, C] with zeros in the rows `places`: the words that stand there were not read.
def without(self, x: Tensor, places: Tensor) -> Tensor:
  return torch.index_fill(x, 0, places, 0.) if places.numel() > 0 else x

# Adds rows [n, C] to those rows of `to` that index [n] names.
def add_rows(self, to: Tensor, index: Tensor, rows: Tensor) -> Tensor:
  words, places = torch._unique(index, True, True)
  sums = torch.embedding_dense_backward(rows, places, words.shape[0], -1, False)
  return to.index_add_(0, words, sums)
