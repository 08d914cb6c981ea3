# What the operator of flash.py computes, written out, for devices that lack it.
def flash(self, q: Tensor, k: Tensor, v: Tensor, query_starts: Tensor, key_starts: Tensor, most_queries: int, most_keys: int, used: Optional[Tensor]) -> Tensor:
  firsts = annotate(List[int], query_starts.to(4).tolist())
  key_firsts = annotate(List[int], key_starts.to(4).tolist())
  parts = annotate(List[Tensor], [])
  for i in range(len(firsts) - 1):
    n = firsts[i + 1] - firsts[i]
    m = key_firsts[i + 1] - key_firsts[i]
    if used is not None:
      m = int(used[i])
    assert key_firsts[i] + m <= k.shape[0]
    assert n <= most_queries and m <= most_keys
    first = key_firsts[i]
    asked = q[firsts[i]:firsts[i] + n].transpose(0, 1)
    keys = torch.repeat_interleave(k[first:first + m], self.HEADS // self.KV_HEADS, 1)
    values = torch.repeat_interleave(v[first:first + m], self.HEADS // self.KV_HEADS, 1)
    scores = torch.matmul(asked, keys.permute(1, 2, 0)) / self.HEAD_SIZE ** 0.5
    later = torch.triu(torch.ones([n, m], dtype=11, device=q.device), m - n + 1)
    shares = torch.softmax(torch.masked_fill(scores, later, -inf), -1)
    parts.append(torch.matmul(shares, values.transpose(0, 1)).transpose(0, 1))
  return torch.cat(parts)
