# One forward pass of a step (step.py).

# Keys or values of n sequences [n, KV_HEADS, T, HEAD_SIZE], gathered from the blocks `table` of a layer.
def read_blocks(self, layer: Tensor, table: Tensor, n: int) -> Tensor:
  slots = layer.view(layer.shape[0], -1).index_select(0, table)
  return slots.view(n, -1, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2).to(self.COMPUTE)

# The causal mask [n, 1, groups * t, T] of T slots for queries at `positions` [n * t]: 0 or minus infinity.
def slot_mask(self, positions: Tensor, n: int, t: int, T: int) -> Tensor:
  hidden = (torch.arange(T, device=positions.device) > positions.unsqueeze(1)).view(n, 1, 1, t, T)
  mask = torch.zeros([n, 1, 1, t, T], dtype=self.COMPUTE, device=positions.device).masked_fill_(hidden, -inf)
  groups = self.HEADS // self.KV_HEADS
  return mask.view(n, 1, 1, T) if t == 1 else mask.expand(n, 1, groups, t, T).reshape(n, 1, groups * t, T)

# Paged attention [n, HEADS * HEAD_SIZE] of each group of queries in q [N, HEADS, HEAD_SIZE].
def attend_groups(self, q: Tensor, k: Tensor, v: Tensor, layer: Tensor, groups: List[int], tables: List[Tensor], queries: List[Tensor], real: List[Tensor], masks: List[Tensor]) -> List[Tensor]:
  done = annotate(List[Tensor], [])
  for g in range(len(tables)):
    n, t, first = groups[5 * g], groups[5 * g + 1], groups[5 * g + 3]
    padded = t > 1 and real[g].shape[0] < n * t
    asked = q.index_select(0, queries[g]) if padded else q[first:first + n * t]
    if groups[5 * g + 4] == 1:
      keys = k.index_select(0, queries[g]) if padded else k[first:first + n * t]
      values = v.index_select(0, queries[g]) if padded else v[first:first + n * t]
      keys = keys.view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
      values = values.view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
      mask = annotate(Optional[Tensor], None)
    else:
      keys = self.read_blocks(layer[0], tables[g], n)
      values = self.read_blocks(layer[1], tables[g], n)
      mask = masks[g]
    o = self.attend(asked.view(n, t, self.HEADS, self.HEAD_SIZE), keys, values, mask).flatten(0, 1)
    done.append(o.index_select(0, real[g]) if padded else o)
  return done

# Attention of decoding sequences with rows: keys and values of layer i are 2 * i and 2 * i + 1 of a table of `read`.
def attend_rows(self, q: Tensor, i: int, reads: List[int], read: List[List[Tensor]], masks: List[Tensor]) -> List[Tensor]:
  done = annotate(List[Tensor], [])
  first = 0
  for a in range(len(read)):
    n = reads[2 * a]
    some = q[first:first + n].view(n, self.KV_HEADS, -1, self.HEAD_SIZE)
    o = torch.scaled_dot_product_attention(some, read[a][2 * i], read[a][2 * i + 1], masks[a])
    done.append(o.view(n, -1))
    first += n
  return done

# One forward pass: returns the logits [R, vocabulary] after the tokens `drawn` of ids [N] at `positions`. Keys and values
# are written to `slots` and to the tables `rows`; `reads` has the number of rows of each table and the tokens to read of
# each row. mrope, places and features are those of the step.
def forward_pass(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, rows: List[Tensor], reads: List[int], ids: Tensor, positions: Tensor, mrope: Tensor, places: Tensor, features: List[Tensor], slots: Tensor, drawn: Tensor, groups: List[int], tables: List[Tensor], queries: List[Tensor], real: List[Tensor]) -> Tensor:
  row_slots = annotate(List[Tensor], [])
  row_masks = annotate(List[Tensor], [])
  written = annotate(List[List[Tensor]], [])
  read = annotate(List[List[Tensor]], [])
  assigned = 0
  for a in range(len(rows)):
    n, width = reads[2 * a], reads[2 * a + 1]
    where = positions[assigned:assigned + n]
    heads = torch.arange(n * self.KV_HEADS, device=positions.device).view(n, self.KV_HEADS) * rows[a].shape[4]
    row_slots.append((heads + where.unsqueeze(1)).flatten())
    row_masks.append(self.slot_mask(where, n, 1, width))
    written.append(rows[a].view(self.LAYERS, 2, -1, self.HEAD_SIZE).unbind(0))
    read.append(rows[a][:, :, :n, :, :width].flatten(0, 1).unbind(0))
    assigned += n
  masks = annotate(List[Tensor], [])
  for g in range(len(tables)):
    n, t, W, first, fresh = groups[5 * g:5 * g + 5]
    where = positions[first:first + n] if t == 1 else positions.index_select(0, queries[g])
    masks.append(positions if fresh == 1 else self.slot_mask(where, n, t, W * self.BLOCK))
  if mrope.dim() == 2:
    c = self.angles_at(cos, mrope)
    z = self.angles_at(sin, mrope)
  else:
    c = cos.index_select(0, positions)
    z = sin.index_select(0, positions)
  layers = cache.view(self.LAYERS, 2, -1, self.KV_HEADS, self.HEAD_SIZE).unbind(0)
  x = self.embedded_with(w, ids, places, features).unsqueeze(0)
  for i in range(self.LAYERS):
    u = self.layer_weights(w, i)
    q, k, v = self.qkv(x, u, c, z)
    q = q.squeeze(0).contiguous()
    both = torch.cat([k, v])
    layers[i].index_copy_(1, slots, both.to(self.CACHE))
    first = 0
    for a in range(len(rows)):
      n = reads[2 * a]
      written[a][i].index_copy_(1, row_slots[a], both[:, first:first + n].flatten(1, 2))
      first += n
    done = self.attend_rows(q, i, reads, read, row_masks)
    if len(tables) > 0:
      done += self.attend_groups(q, both[0], both[1], cache[i], groups, tables, queries, real, masks)
    o = done[0] if len(done) == 1 else torch.cat(done)
    x = self.after_attention(x, o.unsqueeze(0), u)
  return self.last_logits(w, x.squeeze(0).index_select(0, drawn))
