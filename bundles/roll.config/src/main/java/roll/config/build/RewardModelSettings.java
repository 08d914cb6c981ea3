package roll.config.build;

import java.util.function.BiConsumer;
import roll.api.option.UserException;
import roll.config.schema.Section;

/**
 * What stands in an entry of {@code reward_models}: of a model that writes, or of one that scores.
 */
final class RewardModelSettings {
  private static final String TYPE = "model_type";
  private static final String WRITES = "causal_lm";

  private final Section model;
  private final Section arguments;

  /** Of the entry {@code model}. */
  RewardModelSettings(Section model) {
    this.model = model;
    this.arguments = model.section("model_args");
  }

  /** Whether it scores by a head: ROLL's {@code model_args.model_type} says so. */
  boolean scores() {
    return !arguments.text(TYPE).equals(WRITES);
  }

  /**
   * Derives the defaults that depend on other values, and takes out what has no effect.
   *
   * @param sequenceLength that of the run
   * @param idle receives the name of each key without effect, and the reason
   * @throws UserException for the first thing that does not fit
   */
  void settle(int sequenceLength, BiConsumer<String, String> idle) {
    if (!model.has("sequence_length")) {
      model.settle("sequence_length", sequenceLength);
    }
    if (scores()) {
      scoring(idle);
      return;
    }
    Section generating = model.section("generating_args");
    if (!generating.has("max_new_tokens")) {
      generating.settle("max_new_tokens", model.integer("sequence_length"));
    }
    new Generating(generating).check(model.integer("sequence_length"));
  }

  private void scoring(BiConsumer<String, String> idle) {
    String reason = "%s %s scores and writes nothing".formatted(TYPE, arguments.text(TYPE));
    if (arguments.has("adapter_name_or_path")) {
      throw new UserException(
          "%s: expected nothing with %s %s: merge the adapters into the model"
              .formatted(arguments.where("adapter_name_or_path"), TYPE, arguments.text(TYPE)));
    }
    if (model.given("generating_args") && model.has("generating_args")) {
      idle.accept(model.path("generating_args"), reason);
    }
    if (model.flag("logits_in_fp32")) {
      idle.accept(model.path("logits_in_fp32"), reason);
    }
    model.settle("generating_args", null);
    model.settle("logits_in_fp32", false);
  }
}
