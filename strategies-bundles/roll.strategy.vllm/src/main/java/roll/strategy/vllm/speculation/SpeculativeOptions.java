package roll.strategy.vllm.speculation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;

/** The keys of {@code speculative_config}, with the names and defaults of vLLM. */
public final class SpeculativeOptions {
  /** The number of last tokens if neither minimum nor maximum is given. */
  private static final int NGRAM = 5;

  private static final Option<String> METHOD =
      Option.choice("method", List.of("ngram"), "ngram: tokens of the sequence itself");
  private static final Option<Integer> TOKENS =
      Option.integer("num_speculative_tokens", 1, 64, "maximum number of proposed tokens");
  private static final Option<Integer> LONGEST =
      Option.integer(
          "prompt_lookup_max", 1, 1024, "maximum number of last tokens that are looked up");
  private static final Option<Integer> SHORTEST =
      Option.integer("prompt_lookup_min", 1, 1024, "minimum number of them");

  private SpeculativeOptions() {}

  /**
   * Returns the proposer; null if {@code given} is empty.
   *
   * @throws roll.api.option.UserException naming the missing, unknown or invalid key
   */
  public static @Nullable NgramProposer read(RawOptions given) {
    if (given.values().isEmpty()) {
      return null;
    }
    Options options = given.checked(List.of(METHOD, TOKENS, LONGEST, SHORTEST));
    String unused = options.get(METHOD); // refuses a missing one
    int longest = options.find(LONGEST).or(() -> options.find(SHORTEST)).orElse(NGRAM);
    int shortest = options.find(SHORTEST).orElse(longest);
    if (shortest > longest) {
      throw options.wrong(SHORTEST, "at most prompt_lookup_max, " + longest);
    }
    return new NgramProposer(options.get(TOKENS), longest, shortest);
  }
}
