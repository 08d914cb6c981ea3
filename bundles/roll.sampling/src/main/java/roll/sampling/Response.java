package roll.sampling;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * A response that is being written, token by token. What it draws depends on its request alone.
 * {@link Requests} makes them empty. Used on the compute thread alone.
 */
public final class Response {
  private static final int[] NONE = {};

  /** Tokens of a native call: enough that the call costs nothing, few enough that none is long. */
  private static final int SLICE = 32;

  /** The same where what follows a stop string is discarded. */
  private static final int SHORT_SLICE = 8;

  /** Is told each token and its log-prob. */
  @FunctionalInterface
  interface Listener {
    void drawn(int token, double logProb);
  }

  private final GenerationRequest request;
  private final PictureCatalog.@Nullable Shown shown;
  private final int limit;
  private final @Nullable StopStrings stopStrings;
  private final @Nullable Listener listener;
  private @Nullable Choices choices;
  private int[] tokens = new int[8];
  private double[] logProbs = new double[8];
  private double[] samplingLogProbs = new double[8];
  private long[] versions = new long[8];
  private int size;
  private boolean stopped;

  /**
   * An empty response.
   *
   * @param shown what the prompt shows, null if nothing
   * @param limit most tokens of it
   * @param choices what may be written, null where that is anything
   * @param stopStrings which texts end it, null where none does
   * @param listener is told each token; null where nobody listens
   */
  Response(
      GenerationRequest request,
      PictureCatalog.@Nullable Shown shown,
      int limit,
      @Nullable Choices choices,
      @Nullable StopStrings stopStrings,
      @Nullable Listener listener) {
    this.request = request;
    this.shown = shown;
    this.limit = limit;
    this.choices = choices;
    this.stopStrings = stopStrings;
    this.listener = listener;
  }

  /** Its prompt: token ids, at least one; not to be changed. */
  public int[] prompt() {
    return request.prompt();
  }

  /**
   * The prompt as caches compare it: a token that shows a picture is a negative number that is that
   * picture's alone; not to be changed.
   */
  public int[] keys() {
    return shown == null ? prompt() : shown.keys();
  }

  /** What the prompt shows; null if nothing. */
  public @Nullable PromptPictures pictures() {
    return shown == null ? null : shown.pictures();
  }

  /** {@link GenerationRequest#cacheSalt}. */
  public long cacheSalt() {
    return request.cacheSalt();
  }

  /** How its tokens are drawn. */
  public Sampling sampling() {
    return request.sampling();
  }

  double temperature() {
    return sampling().temperature();
  }

  /** The tokens that end it. */
  public int[] stops() {
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
  public int capacity() {
    return request.prompt().length + limit;
  }

  /** How many more tokens there may be; 0 if it was stopped. */
  public int remaining() {
    return stopped ? 0 : limit - size;
  }

  /** Whether it was stopped or has reached its limit. */
  public boolean finished() {
    return remaining() == 0;
  }

  /**
   * How many tokens may be drawn, in one native call, before they must be {@link #add added}: one
   * where choices or a listener wait for each, few where stop strings are looked for, which only
   * {@link #add} sees. Of a response that is not finished.
   */
  public int slice() {
    if (choices != null || listener != null) {
      return 1;
    }
    return stopStrings == null ? SLICE : SHORT_SLICE;
  }

  /** How many tokens it has. */
  public int size() {
    return size;
  }

  /** The last token: that of the prompt while the response is empty. */
  public int lastToken() {
    return size == 0 ? prompt()[prompt().length - 1] : tokens[size - 1];
  }

  /** Position of {@link #lastToken}, counted from the start of the prompt. */
  public int lastPosition() {
    return request.prompt().length + size - 1;
  }

  /**
   * The random number, in [0, 1), of the token {@code ahead} tokens after the next one: a function
   * of the request's seed and the token's place in the response.
   */
  public double uniform(int ahead) {
    return RandomStreams.of(request.seed(), "sample", size + ahead).nextDouble();
  }

  /**
   * Adds a token, unless the response is finished: what was drawn behind its end is discarded.
   * Tells the listener.
   *
   * @param logProb of the token over the whole vocabulary, as it would be scored
   * @param samplingLogProb of the token in the distribution it was drawn from
   * @param version of the weights that drew the token
   * @throws IllegalStateException if the response's choices do not allow the token
   */
  public void add(int token, double logProb, double samplingLogProb, long version) {
    if (finished()) {
      return;
    }
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
      logProbs = Arrays.copyOf(logProbs, 2 * size);
      samplingLogProbs = Arrays.copyOf(samplingLogProbs, 2 * size);
      versions = Arrays.copyOf(versions, 2 * size);
    }
    tokens[size] = token;
    logProbs[size] = logProb;
    samplingLogProbs[size] = samplingLogProb;
    versions[size] = version;
    size++;
    stopped = ends(token);
    if (listener != null) {
      listener.drawn(token, logProb);
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

  /**
   * The prompt and the first {@code count} tokens of the response.
   *
   * @throws IndexOutOfBoundsException if it has fewer
   */
  public int[] all(int count) {
    return behind(request.prompt(), count);
  }

  /**
   * The same as caches compare it.
   *
   * @throws IndexOutOfBoundsException if it has fewer
   */
  public int[] allKeys(int count) {
    return behind(keys(), count);
  }

  private int[] behind(int[] prompt, int count) {
    Objects.checkFromToIndex(0, count, size);
    int[] all = Arrays.copyOf(prompt, prompt.length + count);
    System.arraycopy(tokens, 0, all, prompt.length, count);
    return all;
  }

  /** The response so far. */
  public Generation generation() {
    return new Generation(
        Arrays.copyOf(tokens, size),
        Arrays.copyOf(logProbs, size),
        Arrays.copyOf(samplingLogProbs, size),
        stopped,
        Arrays.copyOf(versions, size));
  }
}
