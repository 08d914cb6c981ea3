package roll.api.config;

/**
 * Parameters of a learning-rate schedule ({@code lr_scheduler_kwargs}).
 *
 * @param minimum final rate as a fraction of the peak rate, from 0 to 1
 * @param cycles number of cosine waves; 0.5 decays once
 * @param stableSteps optimizer steps at the peak, of {@code warmup_stable_decay}
 * @param decaySteps optimizer steps of the decay, of {@code warmup_stable_decay}
 * @param warmup curve of the warm-up, of {@code warmup_stable_decay}; starts at the minimum
 * @param decay curve of the decay, of {@code warmup_stable_decay}
 * @param shares lengths that are fractions of the run's length
 */
public record SchedulerArgs(
    double minimum,
    double cycles,
    int stableSteps,
    int decaySteps,
    Curve warmup,
    Curve decay,
    Shares shares) {
  /** Learning-rate schedule with one decay to 0. */
  public static final SchedulerArgs STANDARD =
      new SchedulerArgs(0, 0.5, 0, 0, Curve.LINEAR, Curve.COSINE);

  /** Creates schedule arguments whose lengths are all numbers of steps. */
  public SchedulerArgs(
      double minimum, double cycles, int stableSteps, int decaySteps, Curve warmup, Curve decay) {
    this(minimum, cycles, stableSteps, decaySteps, warmup, decay, Shares.NONE);
  }

  /**
   * Lengths relative to the run's actual length, which may differ from the planned one.
   *
   * @param warmup fraction of all optimizer steps; 0 if {@code TrainingConfig.warmupSteps} was
   *     given
   * @param decay fraction of the steps after the warm-up; 0 if {@code decaySteps} was given
   * @param stable whether the stable phase is the remainder between warm-up and decay; otherwise
   *     {@code stableSteps} was given
   */
  public record Shares(double warmup, double decay, boolean stable) {
    /** Shares of a learning-rate schedule of which none is relative. */
    public static final Shares NONE = new Shares(0, 0, false);
  }

  /** The curve between two learning rates. */
  public enum Curve {
    /** Learning-rate curve: linear. */
    LINEAR,
    /** Half a cosine wave; for the decay, {@code cycles} waves. */
    COSINE,
    /** 1 − √progress for the decay, 1 − √(1 − progress) for the warm-up. */
    SQRT,
    /** 2 · ½^progress − 1 for the decay (Megatron's); not for the warm-up. */
    EXPONENTIAL
  }
}
