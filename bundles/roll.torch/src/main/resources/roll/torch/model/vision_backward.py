# The vision tower forward and backward for training, cut behind the patch embedding and behind every layer, as backward.py
# cuts a decoder.

# As `features`: these, and what backward needs: the input of each piece from the lowest on that has something trained in it
# or below, and unless `again` (0 or 1) their outputs, with what led there.
def forward_tower(self, patches: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, w: List[Tensor], again: Tensor) -> List[Tensor]:
  keep = int(again) == 0
  narrow = annotate(List[int], windows.tolist())
  wide = annotate(List[int], wholes.tolist())
  inputs = annotate(List[Tensor], [])
  outputs = annotate(List[Tensor], [])
  x = patches
  reached = False
  for i in range(self.TOWER_LAYERS + 2):
    u = self.tower_weights(w, i)
    below = reached
    reached = below or self.trained(u) > 0
    if reached and keep:
      x = x.requires_grad_(below)
      inputs.append(x)
      y = self.tower_piece(i, x, squares, back, narrow, wide, u, cos, sin)
      outputs.append(y)
      x = y.detach()
    else:
      if reached:
        inputs.append(x)
      x = self.tower_piece(i, x, squares, back, narrow, wide, self.detached(u), cos, sin)
  return [x] + inputs + outputs

# The way back through what forward_tower left: `by` [M, C] is the gradient by its features. Adds the gradients of what is
# trained of the tower to grads, one tensor each.
def backward_tower(self, by: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, kept: List[Tensor], w: List[Tensor], again: Tensor, grads: List[Tensor]) -> List[Tensor]:
  keep = int(again) == 0
  narrow = annotate(List[int], windows.tolist())
  wide = annotate(List[int], wholes.tolist())
  count = (len(kept) - 1) // 2 if keep else len(kept) - 1
  first = self.TOWER_LAYERS + 2 - count
  end = self.trained(w)
  for j in range(count):
    i = self.TOWER_LAYERS + 1 - j
    u = self.tower_weights(w, i)
    below = i > first
    x = kept[1 + i - first]
    if keep:
      y = kept[1 + count + i - first]
    else:
      x = x.detach().requires_grad_(below)
      y = self.tower_piece(i, x, squares, back, narrow, wide, u, cos, sin)
    leaves = self.leaves(u)
    start = end - len(leaves)
    if below:
      leaves.append(x)
    found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [by]))
    by = self.add_found(found, grads, start, end, by)
    end = start
  return [by]

# Piece i [] with its tensors w alone, for towers that are never in one place.
def one_piece(self, i: Tensor, x: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, w: List[Tensor]) -> Tensor:
  return self.tower_piece(int(i), x, squares, back, annotate(List[int], windows.tolist()), annotate(List[int], wholes.tolist()), w, cos, sin)

# The same again and backward, given the gradient by its result: that by x, if x is not patches. Adds those of w to grads.
def one_piece_backward(self, i: Tensor, x: Tensor, by: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, w: List[Tensor], grads: List[Tensor]) -> Tensor:
  below = int(i) > 0
  x = x.detach().requires_grad_(below)
  leaves = annotate(List[Tensor], [])
  for t in w:
    leaves.append(t.detach().requires_grad_(True))
  y = self.one_piece(i, x, squares, back, windows, wholes, cos, sin, leaves)
  if below:
    leaves.append(x)
  found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [by]))
  return self.add_found(found, grads, 0, len(grads), by)
