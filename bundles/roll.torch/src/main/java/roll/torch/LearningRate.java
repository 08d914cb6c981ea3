package roll.torch;

import java.util.List;
import roll.api.config.Suggestion;
import roll.api.config.TrainingConfig;
import roll.api.config.UserException;

/**
 * The learning rate as a function of the optimizer steps already made: linear warm-up from 0, then
 * constant, or down to 0 along a line or half a cosine.
 *
 * <p>Source: {@code get_{constant,linear,cosine}_schedule_with_warmup} of transformers'
 * optimization.py; as there, the first step of a warm-up has rate 0.
 */
public enum LearningRate {
  /** The peak for ever. */
  CONSTANT {
    @Override
    double decay(double progress) {
      return 1;
    }
  },
  /** Down to 0 along a line. */
  LINEAR {
    @Override
    double decay(double progress) {
      return Math.max(0, 1 - progress);
    }
  },
  /** Down to 0 along half a cosine. */
  COSINE {
    @Override
    double decay(double progress) {
      return Math.max(0, 0.5 * (1 + Math.cos(Math.PI * progress)));
    }
  };

  /**
   * The schedule {@code lr_scheduler_type} names.
   *
   * @throws UserException if there is none of that name
   */
  public static LearningRate of(String where, String name) {
    for (LearningRate schedule : values()) {
      if (schedule.name().equalsIgnoreCase(name)) {
        return schedule;
      }
    }
    List<String> known = List.of("constant", "linear", "cosine");
    throw new UserException(
        "%s.lr_scheduler_type: '%s' is not supported (allowed: %s)%s"
            .formatted(where, name, String.join(", ", known), Suggestion.near(name, known)));
  }

  /** The share of the peak left at {@code progress}, 0 after the warm-up and 1 at the end. */
  abstract double decay(double progress);

  /** The rate of the step after {@code steps} steps. */
  public double at(TrainingConfig training, long steps) {
    int warmup = training.warmupSteps();
    if (steps < warmup) {
      return training.learningRate() * steps / Math.max(1, warmup);
    }
    double progress = (double) (steps - warmup) / Math.max(1, training.totalSteps() - warmup);
    return training.learningRate() * decay(progress);
  }
}
