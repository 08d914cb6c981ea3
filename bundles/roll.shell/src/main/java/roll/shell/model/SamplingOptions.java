package roll.shell.model;

import java.util.List;
import roll.api.strategy.Sampling;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;

/** The sampling options that {@code chat} and {@code generate} have in common. */
final class SamplingOptions {
  private SamplingOptions() {}

  /** Returns the sampling options with these default values. */
  static List<Option> of(String temperature, String topP, String maxNewTokens) {
    return List.of(
        Option.one("--temperature", "t", temperature, "0 always takes the most likely token"),
        Option.one("--top-k", "k", "0", "sample from the k most likely tokens; 0: from all"),
        Option.one(
            "--top-p", "p", topP, "sample from the most likely tokens with this total probability"),
        Option.one("--max-new-tokens", "n", maxNewTokens, "maximum tokens of a response"),
        Option.one("--seed", "number", "42", "random seed of sampling"));
  }

  /** Returns the sampling that {@code given} asks for. */
  static Sampling read(Arguments given) {
    return Sampling.of(given.integer("--max-new-tokens"))
        .withTemperature(given.number("--temperature"))
        .withTopK(given.integer("--top-k"))
        .withTopP(given.number("--top-p"));
  }

  /** Returns the value of the option {@code --seed}. */
  static long seed(Arguments given) {
    return given.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
