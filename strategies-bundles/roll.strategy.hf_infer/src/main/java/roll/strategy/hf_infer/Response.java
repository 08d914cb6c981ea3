package roll.strategy.hf_infer;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** A response that is being written. */
final class Response {
  private static final int[] NONE = {};

  /** Tokens of a native call: enough that the call costs nothing, few enough that none is long. */
  private static final int SLICE = 32;

  /** The same where what follows a stop string is thrown away. */
  private static final int SHORT_SLICE = 8;

  private final GenerationRequest request;
  private final int limit;
  private final @Nullable StopStrings stopStrings;
  private final @Nullable IntConsumer listener;
  private @Nullable Choices choices;
  private int[] tokens = new int[8];
  private double[] logProbs = new double[8];
  private double[] samplingLogProbs = new double[8];
  private int size;
  private boolean stopped;

  /**
   * An empty response.
   *
   * @param limit most tokens of it
   * @param choices what may be written, null where that is anything
   * @param stopStrings which texts end it, null where none does
   * @param listener is told each token; null where nobody listens
   */
  Response(
      GenerationRequest request,
      int limit,
      @Nullable Choices choices,
      @Nullable StopStrings stopStrings,
      @Nullable IntConsumer listener) {
    this.request = request;
    this.limit = limit;
    this.choices = choices;
    this.stopStrings = stopStrings;
    this.listener = listener;
  }

  int[] prompt() {
    return request.prompt();
  }

  Sampling sampling() {
    return request.sampling();
  }

  double temperature() {
    return sampling().temperature();
  }

  int[] stops() {
    return request.stopTokens().stream().mapToInt(stop -> stop).toArray();
  }

  /** How many more tokens there must be before a stop token may come. */
  int least() {
    return Math.max(0, sampling().minNewTokens() - size);
  }

  /** The tokens that a repetition penalty is about; empty where there is none. */
  int[] seen() {
    return sampling().repetitionPenalty() == 1 ? NONE : all(size);
  }

  /** The only tokens that may come next; empty where that is any. */
  int[] allowed() {
    return choices == null || finished() ? NONE : choices.allowed(stops());
  }

  /** Most tokens of prompt and response. */
  int capacity() {
    return request.prompt().length + limit;
  }

  /** How many more tokens there may be; 0 if it was stopped. */
  int remaining() {
    return stopped ? 0 : limit - size;
  }

  boolean finished() {
    return remaining() == 0;
  }

  /** How many tokens may be drawn before they must be {@link #add added}, where not finished. */
  int slice() {
    if (choices != null || listener != null) {
      return 1;
    }
    return stopStrings == null ? SLICE : SHORT_SLICE;
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
  void add(int token, double logProb, double samplingLogProb) {
    if (finished()) {
      return;
    }
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
      logProbs = Arrays.copyOf(logProbs, 2 * size);
      samplingLogProbs = Arrays.copyOf(samplingLogProbs, 2 * size);
    }
    tokens[size] = token;
    logProbs[size] = logProb;
    samplingLogProbs[size] = samplingLogProb;
    size++;
    stopped = ends(token);
    if (listener != null) {
      listener.accept(token);
    }
  }

  /** Whether {@code token}, the last one, ends the response. */
  private boolean ends(int token) {
    boolean found = stopStrings != null && stopStrings.completedBy(token);
    if (request.stopTokens().contains(token)) {
      return true;
    }
    if (choices != null) {
      choices = choices.after(token);
      found |= choices.complete();
    }
    return found && size >= sampling().minNewTokens();
  }

  /** The tokens whose keys and values are in the cache: all but the last. */
  int[] cached() {
    return all(size - 1);
  }

  /** The prompt and the first {@code count} tokens. */
  private int[] all(int count) {
    int[] prompt = request.prompt();
    int[] all = Arrays.copyOf(prompt, prompt.length + count);
    System.arraycopy(tokens, 0, all, prompt.length, count);
    return all;
  }

  /** The response, made by weights of {@code version}. */
  Generation generation(long version) {
    return new Generation(
        Arrays.copyOf(tokens, size),
        Arrays.copyOf(logProbs, size),
        Arrays.copyOf(samplingLogProbs, size),
        stopped,
        version);
  }
}
