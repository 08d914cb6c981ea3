package roll.config.build;

import java.util.function.BiConsumer;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** A model that scores by a head: an entry of {@code reward_models}, or actor_train. */
final class ScoringModel {
  private static final String TYPE = "model_type";
  private static final String WRITES = "causal_lm";
  private static final String ADAPTERS = "adapter_name_or_path";

  private ScoringModel() {}

  /** Whether the entry {@code model} scores by a head, by ROLL's {@code model_args.model_type}. */
  static boolean is(Section model) {
    return !type(model).equals(WRITES);
  }

  /** Whether the section {@code model_args} of actor_train is of a reward model. */
  static boolean trained(Section arguments) {
    return arguments.has(TYPE) && !arguments.text(TYPE).equals(WRITES);
  }

  private static String type(Section model) {
    return model.section("model_args").text(TYPE);
  }

  /**
   * Removes from {@code model}, a scoring model, the keys that only generating models have.
   *
   * @param idle receives the name of each key without effect, and the reason
   * @throws UserException if it has adapters
   */
  static void settle(Section model, BiConsumer<String, String> idle) {
    Section arguments = model.section("model_args");
    if (arguments.has(ADAPTERS)) {
      throw new UserException(
          "%s: expected nothing with %s %s: merge the adapters into the model"
              .formatted(arguments.where(ADAPTERS), TYPE, type(model)));
    }
    String reason = "%s %s scores and writes nothing".formatted(TYPE, type(model));
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
