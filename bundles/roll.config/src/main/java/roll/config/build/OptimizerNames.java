package roll.config.build;

import org.jspecify.annotations.Nullable;
import roll.api.config.OptimizerName;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** The optimizer by the names of {@code training_args}: ours and Megatron's, and transformers'. */
final class OptimizerNames {
  private static final String OURS = "optimizer";
  private static final String TRANSFORMERS = "optim";

  private OptimizerNames() {}

  /**
   * Returns the optimizer of a role, AdamW if none is named.
   *
   * @throws UserException if two keys name two
   */
  static OptimizerName of(Section training) {
    OptimizerName ours = named(training.textOrNull(OURS));
    OptimizerName other = named(training.textOrNull(TRANSFORMERS));
    if (ours != null && other != null && ours != other) {
      throw new UserException(
          "%s is %s, %s is %s: keep one"
              .formatted(
                  training.where(OURS),
                  training.text(OURS),
                  training.path(TRANSFORMERS),
                  training.text(TRANSFORMERS)));
    }
    if (ours != null) {
      return ours;
    }
    return other == null ? OptimizerName.ADAMW : other;
  }

  private static @Nullable OptimizerName named(@Nullable String name) {
    return switch (name) {
      case null -> null;
      case "adamw_8bit", "adamw_bnb_8bit" -> OptimizerName.ADAMW_8BIT;
      case "muon" -> OptimizerName.MUON;
      default -> OptimizerName.ADAMW;
    };
  }
}
