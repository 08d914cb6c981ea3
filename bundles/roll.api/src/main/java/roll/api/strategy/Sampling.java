package roll.api.strategy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Sampling settings with the semantics and order of transformers' {@code generate}. Bias,
 * repetition penalty, {@code minNewTokens}, {@code choices}, {@code allowedTokenIds} and {@code
 * structuredOutput} change the logits, also with greedy sampling; then temperature, top-k, top-p
 * and min-p are applied in this order.
 *
 * @param temperature divisor of the logits; 0 for greedy sampling
 * @param topK number of most likely tokens kept, including ties with the last one; 0 keeps all
 * @param topP nucleus sampling: the most likely tokens are kept until their probabilities reach
 *     this sum, including ties with the last one; 1 keeps all
 * @param minP minimum probability of a token relative to the most likely one; 0 keeps all
 * @param repetitionPenalty logits of tokens in the prompt or response are divided by it if positive
 *     and multiplied by it if negative; 1 has no effect
 * @param maxNewTokens maximum number of tokens of the response
 * @param minNewTokens number of tokens before which no stop token or stop string ends the response
 * @param stopStrings texts that end the response with the token that completes one; they stay in
 *     the response
 * @param choices the only allowed responses, tokenized by the tokenizer; a response ends when a
 *     choice is complete, or with a stop token if the choice is a prefix of another; {@code
 *     maxNewTokens} may truncate it; empty allows any response
 * @param logitBias number from −100 to 100 by token id, added to the token's logit
 * @param allowedTokenIds the only tokens that may be sampled, stop tokens included; empty allows
 *     all
 * @param structuredOutput texts that the response may be, in any tokens; it ends when no text
 *     continues it, or with a stop token; {@code maxNewTokens} may truncate it; null for any text
 */
public record Sampling(
    double temperature,
    int topK,
    double topP,
    double minP,
    double repetitionPenalty,
    int maxNewTokens,
    int minNewTokens,
    List<String> stopStrings,
    List<String> choices,
    Map<Integer, Double> logitBias,
    List<Integer> allowedTokenIds,
    @Nullable StructuredOutput structuredOutput) {

  /** The bound of a bias. */
  private static final double MOST_BIAS = 100;

  /**
   * Checks the settings.
   *
   * @throws UserException if one is out of range, or two exclude each other
   */
  public Sampling {
    require(temperature >= 0 && finite(temperature), "temperature", temperature, "at least 0");
    require(topK >= 0, "top_k", topK, "at least 0; 0 keeps all");
    require(topP > 0 && topP <= 1, "top_p", topP, "above 0 and at most 1");
    require(minP >= 0 && minP <= 1, "min_p", minP, "from 0 to 1");
    require(
        repetitionPenalty > 0 && finite(repetitionPenalty),
        "repetition_penalty",
        repetitionPenalty,
        "above 0; 1 changes nothing");
    require(maxNewTokens >= 1, "max_new_tokens", maxNewTokens, "at least 1");
    require(minNewTokens >= 0, "min_new_tokens", minNewTokens, "at least 0");
    require(!stopStrings.contains(""), "stop_strings", "an empty text", "a text");
    require(!choices.contains(""), "choices", "an empty text", "a text");
    require(
        choices.isEmpty() || minNewTokens == 0, "min_new_tokens", minNewTokens, "0 with choices");
    require(
        choices.isEmpty() || allowedTokenIds.isEmpty(),
        "allowed_token_ids",
        allowedTokenIds,
        "none with choices");
    require(
        structuredOutput == null
            || (choices.isEmpty() && allowedTokenIds.isEmpty() && minNewTokens == 0),
        "structured_outputs",
        structuredOutput,
        "none with choices, allowed_token_ids or min_new_tokens");
    logitBias.forEach(
        (token, bias) ->
            require(Math.abs(bias) <= MOST_BIAS, "logit_bias." + token, bias, "from -100 to 100"));
    stopStrings = List.copyOf(stopStrings);
    choices = List.copyOf(choices);
    logitBias = Map.copyOf(logitBias);
    allowedTokenIds = List.copyOf(allowedTokenIds);
  }

  /** Sampling settings without bias, that allow all tokens and texts. */
  public Sampling(
      double temperature,
      int topK,
      double topP,
      double minP,
      double repetitionPenalty,
      int maxNewTokens,
      int minNewTokens,
      List<String> stopStrings,
      List<String> choices) {
    this(
        temperature,
        topK,
        topP,
        minP,
        repetitionPenalty,
        maxNewTokens,
        minNewTokens,
        stopStrings,
        choices,
        Map.of(),
        List.of(),
        null);
  }

  private static boolean finite(double number) {
    return Double.isFinite((float) number);
  }

  private static void require(boolean right, String key, @Nullable Object found, String allowed) {
    if (!right) {
      throw new UserException("%s: found %s, allowed is %s".formatted(key, found, allowed));
    }
  }

  /** Sampling from the model's own distribution: temperature 1 without filters. */
  public static Sampling of(int maxNewTokens) {
    return new Sampling(1, 0, 1, 0, 1, maxNewTokens, 0, List.of(), List.of());
  }

  /** Sampling settings of greedy decoding. */
  public static Sampling greedy(int maxNewTokens) {
    return of(maxNewTokens).withTemperature(0);
  }

  /** Returns the sampling settings with another temperature. */
  public Sampling withTemperature(double other) {
    return with(draft -> draft.temperature = other);
  }

  /** Returns the sampling settings with another top-k. */
  public Sampling withTopK(int other) {
    return with(draft -> draft.topK = other);
  }

  /** Returns the sampling settings with another top-p. */
  public Sampling withTopP(double other) {
    return with(draft -> draft.topP = other);
  }

  /** Returns the sampling settings with another min-p. */
  public Sampling withMinP(double other) {
    return with(draft -> draft.minP = other);
  }

  /** Returns the sampling settings with another repetition penalty. */
  public Sampling withRepetitionPenalty(double other) {
    return with(draft -> draft.repetitionPenalty = other);
  }

  /** Returns the sampling settings with another maximum length. */
  public Sampling withMaxNewTokens(int other) {
    return with(draft -> draft.maxNewTokens = other);
  }

  /** Returns the sampling settings with another minimum length. */
  public Sampling withMinNewTokens(int other) {
    return with(draft -> draft.minNewTokens = other);
  }

  /** Returns the sampling settings with other stop strings. */
  public Sampling withStopStrings(List<String> others) {
    return with(draft -> draft.stopStrings = others);
  }

  /** Returns the sampling settings with other choices. */
  public Sampling withChoices(List<String> others) {
    return with(draft -> draft.choices = others);
  }

  /** Returns the sampling settings with another bias of the logits. */
  public Sampling withLogitBias(Map<Integer, Double> other) {
    return with(draft -> draft.logitBias = other);
  }

  /** Returns the sampling settings with other allowed tokens. */
  public Sampling withAllowedTokenIds(List<Integer> others) {
    return with(draft -> draft.allowedTokenIds = others);
  }

  /** Returns the sampling settings with other allowed texts; null for any. */
  public Sampling withStructuredOutput(@Nullable StructuredOutput other) {
    return with(draft -> draft.structuredOutput = other);
  }

  private Sampling with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Mutable sampling settings while they are built. */
  private static final class Draft {
    private double temperature;
    private int topK;
    private double topP;
    private double minP;
    private double repetitionPenalty;
    private int maxNewTokens;
    private int minNewTokens;
    private List<String> stopStrings;
    private List<String> choices;
    private Map<Integer, Double> logitBias;
    private List<Integer> allowedTokenIds;
    private @Nullable StructuredOutput structuredOutput;

    Draft(Sampling from) {
      temperature = from.temperature;
      topK = from.topK;
      topP = from.topP;
      minP = from.minP;
      repetitionPenalty = from.repetitionPenalty;
      maxNewTokens = from.maxNewTokens;
      minNewTokens = from.minNewTokens;
      stopStrings = from.stopStrings;
      choices = from.choices;
      logitBias = from.logitBias;
      allowedTokenIds = from.allowedTokenIds;
      structuredOutput = from.structuredOutput;
    }

    Sampling settings() {
      return new Sampling(
          temperature,
          topK,
          topP,
          minP,
          repetitionPenalty,
          maxNewTokens,
          minNewTokens,
          stopStrings,
          choices,
          logitBias,
          allowedTokenIds,
          structuredOutput);
    }
  }
}
