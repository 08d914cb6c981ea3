package roll.sampling;

import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * A response during generation. Its random numbers depend on its request alone. Created empty by
 * {@link RequestValidator}. Used only on the compute thread.
 */
public final class ResponseState {
  private static final int[] NONE = {};

  /**
   * Maximum tokens of a native call: enough to make its overhead negligible, few enough to keep it
   * short.
   */
  private static final int SLICE = 32;

  /** Maximum tokens of a native call with stop strings, after which tokens are discarded. */
  private static final int SHORT_SLICE = 8;

  /** Receives each token and its log-prob. */
  @FunctionalInterface
  interface Listener {
    void drawn(int token, double logProb);
  }

  private final GenerationRequest request;
  private final PictureCatalog.@Nullable Shown shown;
  private final int limit;
  private final @Nullable StopStrings stopStrings;
  private final @Nullable Listener listener;
  private @Nullable Guide guide;
  private final SampledTokens sampled;
  private boolean stopped;

  /**
   * Creates an empty response.
   *
   * @param shown pictures of the prompt, or null
   * @param limit maximum tokens of the response
   * @param guide allowed tokens, or null for any
   * @param stopStrings texts that end it, or null
   * @param listener receives each token; null for no listener
   */
  ResponseState(
      GenerationRequest request,
      PictureCatalog.@Nullable Shown shown,
      int limit,
      @Nullable Guide guide,
      @Nullable StopStrings stopStrings,
      @Nullable Listener listener) {
    this(request, shown, limit, guide, stopStrings, listener, new SampledTokens());
  }

  private ResponseState(
      GenerationRequest request,
      PictureCatalog.@Nullable Shown shown,
      int limit,
      @Nullable Guide guide,
      @Nullable StopStrings stopStrings,
      @Nullable Listener listener,
      SampledTokens sampled) {
    this.request = request;
    this.shown = shown;
    this.limit = limit;
    this.guide = guide;
    this.stopStrings = stopStrings;
    this.listener = listener;
    this.sampled = sampled;
  }

  /**
   * Returns how many of {@code more} may follow one another without ending a restricted response;
   * all of them if it is not restricted.
   */
  public int possible(int[] more) {
    Guide next = guide;
    int count = 0;
    while (next != null && count < more.length) {
      int token = more[count];
      boolean allowed = next.allows(token) && !request.stopTokens().contains(token);
      next = allowed ? next.after(token) : null;
      if (next == null || next.complete()) {
        return count;
      }
      count++;
    }
    return more.length;
  }

  /**
   * Returns this response with {@link #possible} tokens that do not end it, for sampling the next
   * one: without log-probs, listener and stop strings.
   */
  public ResponseState after(int[] more) {
    Guide later = guide;
    for (int token : more) {
      later = later == null ? null : later.after(token);
    }
    return new ResponseState(request, shown, limit, later, null, null, sampled.followedBy(more));
  }

  /** Returns the prompt: token ids, at least one; not to be modified. */
  public int[] prompt() {
    return request.prompt();
  }

  /**
   * Returns the cache keys of the prompt: an image placeholder is the negative number of its
   * picture; not to be modified.
   */
  public int[] keys() {
    return shown == null ? prompt() : shown.keys();
  }

  /** Returns the pictures of the prompt; null if it has none. */
  public @Nullable PromptPictures pictures() {
    return shown == null ? null : shown.pictures();
  }

  /** Returns the salt of {@link GenerationRequest#cacheSalt}. */
  public long cacheSalt() {
    return request.cacheSalt();
  }

  /** Returns the sampling parameters of the response. */
  public Sampling sampling() {
    return request.sampling();
  }

  double temperature() {
    return sampling().temperature();
  }

  /** Returns the token ids that end the response. */
  public int[] stops() {
    return request.stopTokens().stream().mapToInt(stop -> stop).toArray();
  }

  /** Returns the minimum number of further tokens before a stop token is allowed. */
  int least() {
    return Math.max(0, sampling().minNewTokens() - size());
  }

  /** Returns the tokens for the repetition penalty; empty without a penalty. */
  int[] seen() {
    return sampling().repetitionPenalty() == 1 ? NONE : all(size());
  }

  /** Returns the allowed next tokens; empty if all are allowed. */
  int[] allowed() {
    if (guide != null && !finished()) {
      return guide.allowed(stops());
    }
    return sampling().allowedTokenIds().stream().mapToInt(token -> token).toArray();
  }

  /**
   * Returns the allowed next tokens, a bit each; null if {@link #allowed} lists them or all are.
   */
  long @Nullable [] mask() {
    return guide == null || finished() ? null : guide.mask();
  }

  /** Returns the tokens with a bias, in ascending order. */
  int[] biased() {
    return sampling().logitBias().keySet().stream().mapToInt(token -> token).sorted().toArray();
  }

  /** Returns whether the allowed tokens depend on those before. */
  public boolean restricted() {
    return guide != null;
  }

  /** Returns the maximum tokens of prompt and response. */
  public int capacity() {
    return request.prompt().length + limit;
  }

  /** Returns the maximum number of further tokens; 0 if it was stopped. */
  public int remaining() {
    return stopped ? 0 : limit - size();
  }

  /** Returns whether the response was stopped or has reached its limit. */
  public boolean finished() {
    return remaining() == 0;
  }

  /**
   * Returns how many tokens one native call may sample before they are {@link #add added}: one with
   * a guide or a listener, a few with stop strings, which only {@link #add} checks. For a response
   * that is not finished.
   */
  public int slice() {
    if (guide != null || listener != null) {
      return 1;
    }
    return stopStrings == null ? SLICE : SHORT_SLICE;
  }

  /** Returns the number of tokens of the response. */
  public int size() {
    return sampled.size();
  }

  /** Returns the last token, that of the prompt if the response is empty. */
  public int lastToken() {
    return size() == 0 ? prompt()[prompt().length - 1] : sampled.last();
  }

  /** Returns the index of {@link #lastToken}, counted from the start of the prompt. */
  public int lastPosition() {
    return request.prompt().length + size() - 1;
  }

  /**
   * Returns the random number, in [0, 1), of the token {@code ahead} tokens after the next one: a
   * function of the request's seed and the token's index in the response.
   */
  public double uniform(int ahead) {
    return RandomStreams.of(request.seed(), "sample", size() + ahead).nextDouble();
  }

  /**
   * Adds a token and notifies the listener, unless the response is finished: tokens sampled after
   * its end are discarded.
   *
   * @param logProb of the token over the full vocabulary, as in scoring
   * @param samplingLogProb of the token in the sampling distribution
   * @param version of the weights that sampled the token
   * @throws IllegalStateException if the response's guide does not allow the token
   */
  public void add(int token, double logProb, double samplingLogProb, long version) {
    if (finished()) {
      return;
    }
    sampled.add(token, logProb, samplingLogProb, version);
    stopped = ends(token);
    if (listener != null) {
      listener.drawn(token, logProb);
    }
  }

  /** Returns whether {@code token}, the last one, ends the response. */
  private boolean ends(int token) {
    boolean found = stopStrings != null && stopStrings.completedBy(token);
    if (request.stopTokens().contains(token)) {
      return true;
    }
    if (guide != null) {
      guide = guide.after(token);
      found |= guide.complete();
    }
    return found && size() >= sampling().minNewTokens();
  }

  /**
   * Returns the prompt and the first {@code count} tokens of the response.
   *
   * @throws IndexOutOfBoundsException if it has fewer
   */
  public int[] all(int count) {
    return sampled.behind(request.prompt(), count);
  }

  /**
   * Returns the cache keys of the same tokens.
   *
   * @throws IndexOutOfBoundsException if it has fewer
   */
  public int[] allKeys(int count) {
    return sampled.behind(keys(), count);
  }

  /** Returns the response generated until now. */
  public Generation generation() {
    return sampled.generation(stopped);
  }
}
