# Attention of queries [n, HEADS, HEAD_SIZE] to keys and values [m, KV_HEADS, HEAD_SIZE] of sequences that begin at the
# given indices, int32 [sequences + 1], with at most `most_queries` and `most_keys` of each. The last query of a sequence
# attends to all of its keys, or to the first `used` [sequences] of them, and each query before it to one key less.
def flash(self, q: Tensor, k: Tensor, v: Tensor, query_starts: Tensor, key_starts: Tensor, most_queries: int, most_keys: int, used: Optional[Tensor]) -> Tensor:
  o, log_sums, state, unused, mask = torch._flash_attention_forward(q, k, v, query_starts, key_starts, most_queries, most_keys, 0., True, False, scale=None, window_size_left=None, window_size_right=None, seqused_k=used)
  return o
