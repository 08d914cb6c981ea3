package roll.torch.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.TrainingConfig;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * The learning rate as a function of the optimizer steps already made: a warm-up, then constant, or
 * down to a share of the peak along a line or a cosine, at once or after a plateau.
 *
 * <p>Source: {@code get_{constant,linear,cosine,cosine_with_min_lr}_schedule_with_warmup} and
 * {@code get_wsd_schedule} of transformers' optimization.py; as there, the first step of a warm-up
 * has rate 0, and that of {@code warmup_stable_decay} the least rate. Curves of the plateau's end:
 * transformers and, for the exponential one, Megatron's {@code OptimizerParamScheduler}.
 */
public enum LearningRate {
  /** The peak for ever. */
  CONSTANT {
    @Override
    double share(TrainingConfig training, long steps) {
      return 1;
    }
  },
  /** Down along a line. */
  LINEAR {
    @Override
    double share(TrainingConfig training, long steps) {
      return least(training, Math.max(0, 1 - progress(training, steps)));
    }
  },
  /** Down along a cosine. */
  COSINE {
    @Override
    double share(TrainingConfig training, long steps) {
      double cycles = training.schedulerArgs().cycles();
      return least(training, cosine(cycles, progress(training, steps)));
    }
  },
  /** The peak for a while, then down. */
  WARMUP_STABLE_DECAY {
    @Override
    double share(TrainingConfig training, long steps) {
      SchedulerArgs args = training.schedulerArgs();
      long decayed = steps - training.warmupSteps() - args.stableSteps();
      if (decayed < 0) {
        return 1;
      }
      return decayed < args.decaySteps()
          ? least(training, down(args, (double) decayed / args.decaySteps()))
          : args.minimum();
    }

    @Override
    double warm(TrainingConfig training, double progress) {
      return least(training, up(training.schedulerArgs().warmup(), progress));
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
    List<String> known =
        Arrays.stream(values()).map(schedule -> schedule.name().toLowerCase(Locale.ROOT)).toList();
    throw new UserException(
        "%s.lr_scheduler_type: '%s' is not supported (allowed: %s)%s"
            .formatted(where, name, String.join(", ", known), Suggestion.near(name, known)));
  }

  /** The rate of the step after {@code steps} steps. */
  public double at(TrainingConfig training, long steps) {
    int warmup = training.warmupSteps();
    double share =
        steps < warmup
            ? warm(training, (double) steps / Math.max(1, warmup))
            : share(training, steps);
    return training.learningRate() * share;
  }

  /** The share of the peak after the warm-up. */
  abstract double share(TrainingConfig training, long steps);

  /** The share of the peak at {@code progress} through the warm-up, from 0 to 1. */
  double warm(TrainingConfig training, double progress) {
    return progress;
  }

  /** From 0 after the warm-up to 1 at the end. */
  private static double progress(TrainingConfig training, long steps) {
    int warmup = training.warmupSteps();
    return (double) (steps - warmup) / Math.max(1, training.totalSteps() - warmup);
  }

  /** {@code share} between the least share and 1 as it is between 0 and 1. */
  private static double least(TrainingConfig training, double share) {
    double minimum = training.schedulerArgs().minimum();
    return Math.max(0, share * (1 - minimum) + minimum);
  }

  private static double cosine(double cycles, double progress) {
    return 0.5 * (1 + Math.cos(Math.PI * cycles * 2 * progress));
  }

  private static double up(Curve curve, double progress) {
    return switch (curve) {
      case LINEAR -> progress;
      case COSINE -> 0.5 * (1 - Math.cos(Math.PI * progress));
      case SQRT -> 1 - Math.sqrt(1 - progress);
      case EXPONENTIAL -> throw new IllegalArgumentException("no way up: " + curve);
    };
  }

  private static double down(SchedulerArgs args, double progress) {
    return switch (args.decay()) {
      case LINEAR -> 1 - progress;
      case COSINE -> cosine(args.cycles(), progress);
      case SQRT -> 1 - Math.sqrt(progress);
      case EXPONENTIAL -> 2 * Math.pow(0.5, progress) - 1;
    };
  }
}
