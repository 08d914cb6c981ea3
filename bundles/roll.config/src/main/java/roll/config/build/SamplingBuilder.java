package roll.config.build;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.strategy.Sampling;
import roll.config.schema.Section;

/** The sampling settings of a section {@code generating_args}. */
final class SamplingBuilder {
  private final Section section;

  /** Creates the builder for a section whose defaults are set. */
  SamplingBuilder(Section section) {
    this.section = section;
  }

  /** Derives settings from {@code length}, the maximum tokens of a sample, and checks them. */
  void settle(int length) {
    if (!section.has("max_new_tokens")) {
      section.settle("max_new_tokens", length);
    }
    check(length);
  }

  /**
   * Checks combinations of sampling settings.
   *
   * @param length most tokens of a sample
   * @throws roll.api.option.UserException for the first thing that does not fit
   */
  void check(int length) {
    int most = section.integer("max_new_tokens");
    if (most > length) {
      throw section.wrong("max_new_tokens", "at most sequence_length = " + length);
    }
    int least = section.integer("min_new_tokens");
    if (least > most) {
      throw section.wrong("min_new_tokens", "at most max_new_tokens = " + most);
    }
    if (section.integer("num_return_sequences") != 1) {
      throw section.wrong(
          "num_return_sequences", "1 (group_size says how many episodes play the same level)");
    }
    if (texts("stop_strings").contains("")) {
      throw section.wrong("stop_strings", "texts that are not empty");
    }
    if (section.has("guided_choice")) {
      List<String> choices = texts("guided_choice");
      if (choices.isEmpty() || choices.contains("")) {
        throw section.wrong("guided_choice", "at least one text, and none that is empty");
      }
      if (least > 0) {
        throw section.wrong("min_new_tokens", "0 where guided_choice is given");
      }
    }
    if (section.has("allowed_token_ids")) {
      if (section.has("guided_choice")) {
        throw section.wrong("allowed_token_ids", "nothing where guided_choice is given");
      }
      if (section.integers("allowed_token_ids").isEmpty()) {
        throw section.wrong("allowed_token_ids", "at least one token id");
      }
    }
    var unused = bias();
    var unusedOutput = StructuredOutputs.apply(section, Sampling.of(most));
  }

  /** Builds the typed sampling settings. */
  Sampling sampling() {
    Sampling sampling =
        Sampling.of(section.integer("max_new_tokens"))
            .withTemperature(section.flag("do_sample") ? section.number("temperature") : 0)
            .withTopK(Math.max(0, section.integer("top_k")))
            .withTopP(section.number("top_p"))
            .withMinP(section.number("min_p"))
            .withRepetitionPenalty(section.number("repetition_penalty"))
            .withMinNewTokens(section.integer("min_new_tokens"))
            .withStopStrings(texts("stop_strings"))
            .withChoices(texts("guided_choice"))
            .withLogitBias(bias())
            .withAllowedTokenIds(
                section.has("allowed_token_ids")
                    ? section.integers("allowed_token_ids")
                    : List.of());
    return StructuredOutputs.apply(section, sampling);
  }

  private Map<Integer, Double> bias() {
    if (!section.has("logit_bias")) {
      return Map.of();
    }
    Map<Integer, Double> bias = new HashMap<>();
    section
        .mapping("logit_bias")
        .forEach(
            (id, number) -> {
              if (!(id.matches("[0-9]{1,9}") && number instanceof Number value)
                  || !(Math.abs(value.doubleValue()) <= 100)) {
                throw section.wrong("logit_bias", "token ids with numbers from -100 to 100");
              }
              bias.put(Integer.valueOf(id), value.doubleValue());
            });
    return bias;
  }

  private List<String> texts(String key) {
    return section.has(key) ? section.texts(key) : List.of();
  }
}
