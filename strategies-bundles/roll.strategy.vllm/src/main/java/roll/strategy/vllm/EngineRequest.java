package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.sampling.Response;

/** A request in the engine: a response that is being written, and what of it is in the cache. */
final class EngineRequest {
  private final RequestGroup call;
  private final Response response;
  private final long arrival;
  private final long root;
  private final List<Block> blocks = new ArrayList<>();
  private int[] tokens;
  private int length;
  private int computed;
  private int remembered;
  private long parent;
  private boolean admitted;

  /**
   * A sequence of which nothing is computed.
   *
   * @param call it belongs to
   * @param response empty
   * @param arrival its number: older ones go first
   */
  EngineRequest(RequestGroup call, Response response, long arrival) {
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

  Response response() {
    return response;
  }

  long arrival() {
    return arrival;
  }

  /** What its first block follows. */
  long root() {
    return root;
  }

  /** Tokens of prompt and response so far. */
  int length() {
    return length;
  }

  /** How many of them have their keys and values in the cache. */
  int computed() {
    return computed;
  }

  /** The token; 0 where a picture is shown. */
  int token(int index) {
    return Math.max(0, tokens[index]);
  }

  /** All tokens so far, as {@link Response#keys} compares them. */
  int[] text() {
    return Arrays.copyOf(tokens, length);
  }

  /** The blocks of the first tokens, in their order. */
  List<Block> blocks() {
    return blocks;
  }

  /** Begins behind what was found in the cache; the blocks are the caller's to share. */
  void begin(List<Block> whole, int found) {
    blocks.addAll(whole);
    remembered = whole.size();
    parent = whole.isEmpty() ? root : whole.getLast().serial;
    computed = found;
  }

  /** Begins where {@code leader}, which has the same text, is; the blocks are shared. */
  void follow(EngineRequest leader) {
    blocks.addAll(leader.blocks);
    remembered = leader.remembered;
    parent = leader.parent;
    computed = leader.computed;
  }

  /**
   * Counts {@code count} tokens more as computed, and has full blocks found by others.
   *
   * @param step that computes them
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

  /** Whether it runs for the first time. */
  boolean admit() {
    boolean first = !admitted;
    admitted = true;
    return first;
  }

  /** Adds a token that was drawn. */
  void add(int token) {
    if (length == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * length);
    }
    tokens[length++] = token;
  }

  /** Gives the blocks back; what they hold can be found until they are needed. */
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
