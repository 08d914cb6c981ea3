# The vision tower forward and backward for training, in pieces: patch embedding, layers, merger; as backward.py for a
# decoder. The loops stay apart: TorchScript has no function values, and the two are compiled into different kernels.

# The result of `features`, and the tensors for backward: the inputs of all pieces from the lowest one with trained
# parameters in or below it, and unless `recompute` (0 or 1) their outputs with their graphs.
def forward_tower(self, patches: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor], recompute: Tensor) -> List[Tensor]:
  keep = int(recompute) == 0
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
      y = self.tower_piece(i, x, squares, back, narrow, wide, cos, sin, corners, shares, u)
      outputs.append(y)
      x = y.detach()
    else:
      if reached:
        inputs.append(x)
      x = self.tower_piece(i, x, squares, back, narrow, wide, cos, sin, corners, shares, self.detached(u))
  return [x] + inputs + outputs

# Runs backward through the result of forward_tower, given the gradient `grad_output` [M, C] of the features. Adds the
# gradients of the tower's trained parameters to grads, one tensor each.
def backward_tower(self, grad_output: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, kept: List[Tensor], w: List[Tensor], recompute: Tensor, grads: List[Tensor]) -> List[Tensor]:
  keep = int(recompute) == 0
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
      y = self.tower_piece(i, x, squares, back, narrow, wide, cos, sin, corners, shares, u)
    leaves = self.leaves(u)
    start = end - len(leaves)
    if below:
      leaves.append(x)
    found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [grad_output]))
    grad_output = self.add_found(found, grads, start, end, grad_output)
    end = start
  return [grad_output]

# Piece i [] alone, with its tensors w, for towers whose pieces are gathered one at a time.
def one_piece(self, i: Tensor, x: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor]) -> Tensor:
  return self.tower_piece(int(i), x, squares, back, annotate(List[int], windows.tolist()), annotate(List[int], wholes.tolist()), cos, sin, corners, shares, w)

# Recomputes the piece and runs it backward, given the gradient of its output. Returns the gradient of x, unless x is
# patches; adds those of w to grads.
def one_piece_backward(self, i: Tensor, x: Tensor, grad_output: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor], grads: List[Tensor]) -> Tensor:
  below = int(i) > 0
  x = x.detach().requires_grad_(below)
  leaves = annotate(List[Tensor], [])
  for t in w:
    leaves.append(t.detach().requires_grad_(True))
  y = self.one_piece(i, x, squares, back, windows, wholes, cos, sin, corners, shares, leaves)
  if below:
    leaves.append(x)
  found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [grad_output]))
  return self.add_found(found, grads, 0, len(grads), grad_output)
