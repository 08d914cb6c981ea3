package roll.strategy.hf_infer;

import java.util.Arrays;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;

/** A response that is being written. */
final class Response {
  private final GenerationRequest request;
  private final int limit;
  private int[] tokens = new int[8];
  private double[] logProbs = new double[8];
  private int size;
  private boolean stopped;

  /**
   * An empty response.
   *
   * @param limit most tokens of it
   */
  Response(GenerationRequest request, int limit) {
    this.request = request;
    this.limit = limit;
  }

  GenerationRequest request() {
    return request;
  }

  /** Most tokens of prompt and response. */
  int capacity() {
    return request.prompt().length + limit;
  }

  /** How many more tokens there may be; 0 if a stop token came. */
  int remaining() {
    return stopped ? 0 : limit - size;
  }

  boolean finished() {
    return remaining() == 0;
  }

  int lastToken() {
    return tokens[size - 1];
  }

  /** Position of the last token, counted from the start of the prompt. */
  int lastPosition() {
    return request.prompt().length + size - 1;
  }

  /** The random number, in [0, 1), of the token {@code ahead} tokens after the next one. */
  double uniform(int ahead) {
    return RandomStreams.of(request.seed(), "sample", size + ahead).nextDouble();
  }

  /** Adds a token, unless the response is finished. */
  void add(int token, double logProb) {
    if (finished()) {
      return;
    }
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
      logProbs = Arrays.copyOf(logProbs, 2 * size);
    }
    tokens[size] = token;
    logProbs[size] = logProb;
    size++;
    stopped = request.stopTokens().contains(token);
  }

  /** The tokens whose keys and values are in the cache: all but the last. */
  int[] cached() {
    int[] prompt = request.prompt();
    int[] all = Arrays.copyOf(prompt, prompt.length + size - 1);
    System.arraycopy(tokens, 0, all, prompt.length, size - 1);
    return all;
  }

  /** The response, made by weights of {@code version}. */
  Generation generation(long version) {
    return new Generation(
        Arrays.copyOf(tokens, size), Arrays.copyOf(logProbs, size), stopped, version);
  }
}
