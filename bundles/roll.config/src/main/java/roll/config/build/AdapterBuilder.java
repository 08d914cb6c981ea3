package roll.config.build;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.LoraConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** The low-rank adapters of a section {@code model_args}. */
final class AdapterBuilder {
  private static final String TARGET = "lora_target";
  private static final String FOLDER = "adapter_name_or_path";
  private static final int RANK = 8;

  private final Section model;

  /** Reads the adapters of the section {@code model}. */
  AdapterBuilder(Section model) {
    this.model = model;
  }

  /**
   * Fills in the defaults of new adapters, and removes keys without effect.
   *
   * @param role whose model it is
   * @param idle receives the name of each key without effect, and the reason
   * @throws UserException for the first thing that does not fit
   */
  void settle(String role, BiConsumer<String, String> idle) {
    List<String> settings = List.of("lora_rank", "lora_alpha", "lora_dropout");
    if (!role.equals("actor_train")) {
      String reason = "this role is not trained";
      Stream.concat(Stream.of(TARGET), settings.stream()).forEach(key -> drop(key, reason, idle));
      if (role.equals("actor_infer")) {
        drop(FOLDER, "actor_infer has the adapters of actor_train", idle);
      }
      return;
    }
    if (!model.has(TARGET)) {
      settings.forEach(key -> drop(key, TARGET + " is not given", idle));
    } else {
      checkNew();
    }
    if (model.has(TARGET) || model.has(FOLDER)) {
      if (ScoringModel.trained(model)) {
        throw model.wrong(
            model.has(TARGET) ? TARGET : FOLDER, "nothing: a reward model is trained as a whole");
      }
      drop("freeze_module_prefix", "with adapters the whole model is frozen", idle);
    }
  }

  private void drop(String key, String reason, BiConsumer<String, String> idle) {
    if (model.has(key)) {
      idle.accept(model.path(key), reason);
      model.settle(key, null);
    }
  }

  private void checkNew() {
    if (model.has(FOLDER)) {
      throw new UserException(
          "%s: expected nothing where %s is given: it is for adapters that exist, %s for new ones"
              .formatted(model.where(FOLDER), TARGET, TARGET));
    }
    if (targets().isEmpty()) {
      throw model.wrong(TARGET, "names of projections, all-linear, or a regular expression");
    }
    if (!model.has("lora_rank")) {
      model.settle("lora_rank", RANK);
    }
    if (!model.has("lora_alpha")) {
      model.settle("lora_alpha", 2 * model.integer("lora_rank"));
    }
    if (!model.has("lora_dropout")) {
      model.settle("lora_dropout", 0.0);
    }
    if (model.number("lora_dropout") >= 1) {
      throw model.wrong("lora_dropout", "a number from 0 up, below 1");
    }
  }

  /** Returns the new low-rank adapters of the section, or null. */
  @Nullable LoraConfig lora() {
    return model.has(TARGET)
        ? new LoraConfig(
            model.integer("lora_rank"),
            model.number("lora_alpha"),
            model.number("lora_dropout"),
            targets())
        : null;
  }

  /** A text with one of {@code * $ | (} is a regular expression, as in ROLL; others are names. */
  private List<String> targets() {
    return model.texts(TARGET).stream()
        .flatMap(text -> text.matches("[^*$|(]*") ? Stream.of(text.split(",")) : Stream.of(text))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }
}
