package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.sampling.ResponseState;
import roll.strategy.vllm.speculation.AcceptanceRate;
import roll.strategy.vllm.speculation.NgramProposer;

/** A sequence in the engine: its response, and its cached tokens. */
final class EngineRequest {
  private final RequestGroup call;
  private final ResponseState response;
  private final long arrival;
  private final long root;
  private final List<Block> blocks = new ArrayList<>();
  private final AcceptanceRate acceptance = new AcceptanceRate();
  private int[] tokens;
  private int length;
  private int proposed;
  private int computed;
  private int remembered;
  private long parent;
  private boolean admitted;

  /**
   * Creates a sequence without computed tokens.
   *
   * @param call of the sequence
   * @param response empty
   * @param arrival arrival number; lower numbers have priority
   */
  EngineRequest(RequestGroup call, ResponseState response, long arrival) {
    this.call = call;
    this.response = response;
    this.arrival = arrival;
    this.tokens = response.keys().clone();
    this.length = tokens.length;
    this.root = PrefixTree.root(response.cacheSalt());
    this.parent = root;
  }

  RequestGroup call() {
    return call;
  }

  ResponseState response() {
    return response;
  }

  long arrival() {
    return arrival;
  }

  /** Returns the parent of the engine request's first block. */
  long root() {
    return root;
  }

  /** Returns the number of tokens of prompt and response. */
  int length() {
    return length;
  }

  /** Returns the number of tokens with keys and values in the cache. */
  int computed() {
    return computed;
  }

  /** Returns a token, also a {@link #propose proposed} one; 0 for image placeholders. */
  int token(int index) {
    return Math.max(0, tokens[index]);
  }

  /** Returns the cache keys ({@link ResponseState#keys}) of all tokens. */
  int[] text() {
    return Arrays.copyOf(tokens, length);
  }

  /** Returns the engine request's block table. */
  List<Block> blocks() {
    return blocks;
  }

  /** Begins after a cached prefix; the caller increments the reference counts of its blocks. */
  void begin(List<Block> whole, int found) {
    blocks.addAll(whole);
    remembered = whole.size();
    parent = whole.isEmpty() ? root : whole.getLast().serial;
    computed = found;
  }

  /** Begins at the position of {@code leader}, which has the same tokens, with shared blocks. */
  void follow(EngineRequest leader) {
    blocks.addAll(leader.blocks);
    remembered = leader.remembered;
    parent = leader.parent;
    computed = leader.computed;
  }

  /**
   * Adds {@code count} computed tokens, and registers full blocks for prefix caching.
   *
   * @param step that computed them
   */
  void advance(int count, BlockPool pool, long step) {
    computed += count;
    int size = pool.blockSize();
    while ((remembered + 1) * size <= computed) {
      int[] held = Arrays.copyOfRange(tokens, remembered * size, (remembered + 1) * size);
      parent = pool.remember(blocks.get(remembered), parent, held, step);
      remembered++;
    }
  }

  /** Takes the blocks out of the prefix cache, in which {@code next} becomes the parent. */
  void detach(long next) {
    blocks.forEach(block -> block.serial = 0);
    parent = next;
  }

  /** Marks it as admitted; returns whether this is the first time. */
  boolean admit() {
    boolean first = !admitted;
    admitted = true;
    return first;
  }

  /** Adds a sampled token to the sequence. */
  void add(int token) {
    if (length == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * length);
    }
    tokens[length++] = token;
  }

  /**
   * Puts at most {@code most} tokens that may follow behind the last one, where the next step
   * computes them too; returns their number.
   *
   * @param rows tokens of that step
   */
  int propose(NgramProposer proposer, int rows, int most) {
    int limit = acceptance.limit(rows, Math.min(most, proposer.tokens()));
    int[] next = limit == 0 ? new int[0] : proposer.propose(tokens, length, limit);
    proposed = response.possible(next);
    if (length + proposed > tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * (length + proposed));
    }
    System.arraycopy(next, 0, tokens, length, proposed);
    return proposed;
  }

  /** Returns the response after the first {@code count} proposed tokens. */
  ResponseState ahead(int count) {
    return count == 0
        ? response
        : response.after(Arrays.copyOfRange(tokens, length, length + count));
  }

  /** Returns the number of proposed tokens. */
  int proposed() {
    return proposed;
  }

  /** Ends the step of the proposed tokens, which accepted {@code count} of them. */
  void accept(int count) {
    acceptance.add(proposed, count);
    proposed = 0;
  }

  /** Releases the engine request's blocks, which stay in the prefix cache until they are reused. */
  void leave(BlockPool pool, long step) {
    int size = pool.blockSize();
    if (remembered * size < computed) {
      int[] held = Arrays.copyOfRange(tokens, remembered * size, computed);
      pool.remember(blocks.get(remembered), parent, held, step);
    }
    blocks.reversed().forEach(pool::release);
    blocks.clear();
    computed = 0;
    remembered = 0;
    parent = root;
  }
}
