# Attention of a micro-batch on a card, for 16-bit formats: all of its samples, whether padded, packed or merged, are the
# sequences of one call of flash attention (Dao 2023). No call waits for the card.

# The layout of a row of `segments`, or of `rows` samples of one length: that of segment_layout; the index of the first
# query of each sequence and that of its first key, both int32 [n + 1] with the totals at the end; and if segments have
# parents, the position of each key, int64.
def layout(self, segments: Tensor, rows: int) -> Tuple[List[int], List[int], List[int], List[Tensor]]:
  lengths, parents, offsets = self.segment_layout(segments)
  queries = annotate(List[int], [0])
  keys = annotate(List[int], [0])
  for b in range(rows):
    for i in range(len(lengths)):
      queries.append(queries[len(queries) - 1] + lengths[i])
      keys.append(keys[len(keys) - 1] + offsets[i] + lengths[i])
  found = [self.on_card(torch.tensor(queries, dtype=3, device=torch.device("cpu")))]
  if max(parents) < 0:
    found.append(found[0])
  else:
    found.append(self.on_card(torch.tensor(keys, dtype=3, device=torch.device("cpu"))))
    paths = annotate(List[Tensor], [])
    for i in range(len(lengths)):
      path = torch.arange(queries[i], queries[i + 1], dtype=4, device=torch.device("cpu"))
      paths.append(torch.cat([paths[parents[i]], path]) if parents[i] >= 0 else path)
    found.append(self.on_card(torch.cat(paths)))
  return (lengths, parents, offsets, found)

# A tensor of the host on the device, without waiting for it.
def on_card(self, x: Tensor) -> Tensor:
  return x.to(torch.device(self.DEVICE), x.dtype, True)

# Causal attention within each segment of `layout`, and to all of its ancestors. Keys and values that several segments read
# are gathered by an embedding lookup, whose gradient has a fixed order.
def packed_attention(self, q: Tensor, k: Tensor, v: Tensor, layout: Tuple[List[int], List[int], List[int], List[Tensor]]) -> Tensor:
  lengths, parents, offsets, found = layout
  longest = 0
  for i in range(len(lengths)):
    longest = max(longest, offsets[i] + lengths[i])
  keys = k.flatten(0, 1)
  values = v.flatten(0, 1)
  if len(found) > 2:
    keys = torch.embedding(keys.flatten(1, 2), found[2]).view(-1, self.KV_HEADS, self.HEAD_SIZE)
    values = torch.embedding(values.flatten(1, 2), found[2]).view(-1, self.KV_HEADS, self.HEAD_SIZE)
  o = self.flash(q.flatten(0, 1), keys, values, found[0], found[1], max(lengths), longest, None)
  return o.view(q.shape[0], q.shape[1], -1)
