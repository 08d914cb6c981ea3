package roll.torch.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.api.strategy.RunPosition;
import roll.text.Suggestion;

/**
 * Learning rate schedules by optimizer step: a warm-up, then constant, or linear or cosine decay to
 * a share of the peak, immediately or after a plateau.
 *
 * <p>Source: {@code get_{constant,linear,cosine,cosine_with_min_lr}_schedule_with_warmup} and
 * {@code get_wsd_schedule} of transformers' optimization.py; as there, the first step of a warm-up
 * has rate 0, and that of {@code warmup_stable_decay} the minimum rate. Decay curves: transformers
 * and, for the exponential one, Megatron's {@code OptimizerParamScheduler}.
 */
public enum LearningRate {
  /** Learning rate: constant at the peak. */
  CONSTANT {
    @Override
    double share(SchedulerArgs args, Lengths lengths, long steps) {
      return 1;
    }
  },
  /** Learning-rate schedule: linear decay. */
  LINEAR {
    @Override
    double share(SchedulerArgs args, Lengths lengths, long steps) {
      return least(args, Math.max(0, 1 - lengths.progress(steps)));
    }
  },
  /** Learning-rate schedule: cosine decay. */
  COSINE {
    @Override
    double share(SchedulerArgs args, Lengths lengths, long steps) {
      return least(args, cosine(args.cycles(), lengths.progress(steps)));
    }
  },
  /** Learning-rate schedule: a plateau at the peak, then decay. */
  WARMUP_STABLE_DECAY {
    @Override
    double share(SchedulerArgs args, Lengths lengths, long steps) {
      double decayed = steps - lengths.warmup() - lengths.stable();
      if (decayed < 0) {
        return 1;
      }
      return decayed < lengths.decay()
          ? least(args, down(args, decayed / lengths.decay()))
          : args.minimum();
    }

    @Override
    double warm(SchedulerArgs args, double progress) {
      return least(args, up(args.warmup(), progress));
    }
  };

  /**
   * Returns the schedule named by {@code lr_scheduler_type}.
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

  /**
   * Returns the schedule of a role.
   *
   * @throws UserException as {@link #of(String, String)}
   */
  public static LearningRate of(WorkerConfig worker) {
    return of(worker.role() + ".training_args", worker.training().scheduler());
  }

  /**
   * Returns the rate of the step after {@code steps} steps of a run with the planned number of
   * steps.
   */
  public double at(TrainingConfig training, long steps) {
    return at(training, steps, null);
  }

  /**
   * Returns the rate of the step after {@code steps} steps.
   *
   * @param position position in the run, whose end is that of the schedule; null for the planned
   *     number of steps
   */
  public double at(TrainingConfig training, long steps, @Nullable RunPosition position) {
    SchedulerArgs args = training.schedulerArgs();
    double total = position == null ? training.totalSteps() : position.total(steps);
    Lengths lengths = Lengths.of(training, total);
    double share =
        steps < lengths.warmup()
            ? warm(args, steps / Math.max(1, lengths.warmup()))
            : share(args, lengths, steps);
    return training.learningRate() * share;
  }

  /** Returns the share of the peak after the warm-up. */
  abstract double share(SchedulerArgs args, Lengths lengths, long steps);

  /** Returns the share of the peak at {@code progress} of the warm-up, from 0 to 1. */
  double warm(SchedulerArgs args, double progress) {
    return progress;
  }

  /**
   * Lengths of the phases of a schedule, in optimizer steps.
   *
   * @param stable steps of the plateau
   * @param decay steps of the decay
   */
  private record Lengths(double total, double warmup, double stable, double decay) {
    /**
     * Returns the planned lengths; for a run of another length those that are configured, and the
     * rest recomputed.
     */
    static Lengths of(TrainingConfig training, double total) {
      SchedulerArgs args = training.schedulerArgs();
      SchedulerArgs.Shares shares = args.shares();
      if (total == training.totalSteps()) {
        return new Lengths(total, training.warmupSteps(), args.stableSteps(), args.decaySteps());
      }
      double warmup = shares.warmup() > 0 ? shares.warmup() * total : training.warmupSteps();
      double rest = Math.max(0, total - warmup);
      double decay = shares.decay() > 0 ? shares.decay() * rest : args.decaySteps();
      return new Lengths(
          total, warmup, shares.stable() ? Math.max(0, rest - decay) : args.stableSteps(), decay);
    }

    /** Returns the progress from 0 after the warm-up to 1 at the end. */
    double progress(long steps) {
      return (steps - warmup) / Math.max(1, total - warmup);
    }
  }

  /** Maps {@code share} from [0, 1] to [minimum share, 1]. */
  private static double least(SchedulerArgs args, double share) {
    return Math.max(0, share * (1 - args.minimum()) + args.minimum());
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
