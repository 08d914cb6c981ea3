# One forward pass of a step (step.py).

# One forward pass: returns the logits [R, vocabulary] after the tokens `drawn` of ids [N] at `positions`. Keys and values
# are written to `slots` and to the tables `rows`; `reads` has the number of rows of each table, the tokens to read of
# each row, and those of the prefix of all its rows, which is in `prefixes`; `starts` is empty, or has the first token of each row of the only table. mrope, places and features are those of the step.
def forward_pass(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, rows: List[Tensor], prefixes: List[Tensor], reads: List[int], starts: Tensor, ids: Tensor, positions: Tensor, mrope: Tensor, places: Tensor, features: List[Tensor], slots: Tensor, drawn: Tensor, groups: List[int], tables: List[Tensor], queries: List[Tensor], real: List[Tensor]) -> Tensor:
  written = annotate(List[List[Tensor]], [])
  read = annotate(List[List[Tensor]], [])
  row_indices = annotate(List[List[Tensor]], [])
  before = annotate(List[List[Tensor]], [])
  none = annotate(List[Tensor], [])
  first = 0
  for a in range(len(rows)):
    n, width, offset = reads[3 * a:3 * a + 3]
    to, of = self.row_layers(rows[a], n, width)
    written.append(to)
    read.append(of)
    row_indices.append(self.row_index(rows[a], positions[first:first + n] - offset, starts, width))
    before.append(none if offset == 0 else prefixes[a].flatten(0, 1).unbind(0))
    first += n
  indices = annotate(List[List[Tensor]], [])
  asked = annotate(List[Tensor], [])
  ends = annotate(List[int], [])
  for g in range(len(tables)):
    n, t, W, first, fresh = groups[5 * g:5 * g + 5]
    ends.append(groups[5 * g + 8] if g + 1 < len(tables) else ids.shape[0])
    asked.append(queries[g] - first)
    indices.append(self.group_index(positions[first:ends[g]], n, t, W, fresh == 1, asked[g], real[g]))
  if mrope.dim() == 2:
    c = self.angles_at(cos, mrope)
    z = self.angles_at(sin, mrope)
  else:
    c = cos.index_select(0, positions)
    z = sin.index_select(0, positions)
  w = self.pass_weights(w)
  layers = cache.view(self.LAYERS, 2, -1, self.KV_HEADS, self.HEAD_SIZE).unbind(0)
  shown = self.all_features(features, ids)
  x = self.embedded_with(w, ids, places, shown).unsqueeze(0)
  for i in range(self.LAYERS):
    u = self.layer_weights(w, i)
    q, k, v = self.qkv(x, u, c, z)
    q = q.squeeze(0)
    both = torch.cat([k, v])
    self.put(layers[i], slots, both.to(self.CACHE))
    done = annotate(List[Tensor], [])
    first = 0
    for a in range(len(rows)):
      end = first + reads[3 * a]
      self.write_rows(written[a][i], both[:, first:end], row_indices[a])
      done.append(self.attend_rows(q[first:end], read[a][2 * i], read[a][2 * i + 1], row_indices[a], reads[3 * a + 1], before[a][2 * i:2 * i + 2]))
      first = end
    for g in range(len(tables)):
      n, t, W, first, fresh = groups[5 * g:5 * g + 5]
      end = ends[g]
      done.append(self.attend_group(q[first:end], both[0][first:end], both[1][first:end], cache[i], tables[g], n, t, indices[g], asked[g], real[g]))
    o = done[0] if len(done) == 1 else torch.cat(done)
    x = self.deepened(self.after_attention(x, o.unsqueeze(0), u), i, places, shown)
  return self.last_logits(w, x.squeeze(0).index_select(0, drawn))
