package roll.api.strategy;

import java.util.List;
import java.util.function.Consumer;
import roll.api.option.UserException;

/**
 * How tokens are sampled, as transformers' {@code generate} means it and in its order: repetition
 * penalty, {@code minNewTokens} and {@code choices} change the logits, also where the most likely
 * token is taken; then come temperature, top-k, top-p and min-p, each on what the one before left.
 *
 * @param temperature logits are divided by it; 0 takes the most likely token
 * @param topK how many of the most likely tokens are kept, and all as likely as the last of them; 0
 *     keeps all
 * @param topP nucleus: the most likely tokens are kept until their probabilities reach this sum,
 *     and all as likely as the last of them; 1 keeps all
 * @param minP tokens are kept that are at least this share as likely as the most likely; 0 keeps
 *     all
 * @param repetitionPenalty logits of tokens that the prompt or the response has already are divided
 *     by it where they are positive and multiplied where negative; 1 changes nothing
 * @param maxNewTokens most tokens of the response
 * @param minNewTokens no stop token or stop string ends the response before it has so many tokens
 * @param stopStrings texts that end the response with the token that completes one; tokens and text
 *     stay as they were drawn, so the text contains it
 * @param choices the only texts that may be written, by the tokens the tokenizer gives each; the
 *     response ends with its choice, and where one is the beginning of another a stop token says
 *     that it is meant; {@code maxNewTokens} may cut it off; empty: anything
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
    List<String> choices) {

  /**
   * These settings.
   *
   * @throws UserException if one is out of its range, or two exclude each other
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
    stopStrings = List.copyOf(stopStrings);
    choices = List.copyOf(choices);
  }

  private static boolean finite(double number) {
    return Double.isFinite((float) number);
  }

  private static void require(boolean right, String key, Object found, String allowed) {
    if (!right) {
      throw new UserException("%s: found %s, allowed is %s".formatted(key, found, allowed));
    }
  }

  /** The model's own distribution: temperature 1, nothing left out. */
  public static Sampling of(int maxNewTokens) {
    return new Sampling(1, 0, 1, 0, 1, maxNewTokens, 0, List.of(), List.of());
  }

  /** The most likely token each time. */
  public static Sampling greedy(int maxNewTokens) {
    return of(maxNewTokens).withTemperature(0);
  }

  /** These settings with another temperature. */
  public Sampling withTemperature(double other) {
    return with(draft -> draft.temperature = other);
  }

  /** These settings with another top-k. */
  public Sampling withTopK(int other) {
    return with(draft -> draft.topK = other);
  }

  /** These settings with another top-p. */
  public Sampling withTopP(double other) {
    return with(draft -> draft.topP = other);
  }

  /** These settings with another min-p. */
  public Sampling withMinP(double other) {
    return with(draft -> draft.minP = other);
  }

  /** These settings with another repetition penalty. */
  public Sampling withRepetitionPenalty(double other) {
    return with(draft -> draft.repetitionPenalty = other);
  }

  /** These settings with another limit. */
  public Sampling withMaxNewTokens(int other) {
    return with(draft -> draft.maxNewTokens = other);
  }

  /** These settings with another least length. */
  public Sampling withMinNewTokens(int other) {
    return with(draft -> draft.minNewTokens = other);
  }

  /** These settings with other stop strings. */
  public Sampling withStopStrings(List<String> others) {
    return with(draft -> draft.stopStrings = others);
  }

  /** These settings with other choices. */
  public Sampling withChoices(List<String> others) {
    return with(draft -> draft.choices = others);
  }

  private Sampling with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings that may be changed. */
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
          choices);
    }
  }
}
