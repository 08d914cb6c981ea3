package roll.api.config;

/**
 * What shapes a learning-rate schedule beside its name and length ({@code lr_scheduler_kwargs}).
 *
 * @param minimum share of the peak rate that is left in the end, from 0 to 1
 * @param cycles waves of a cosine; 0.5 is once down
 * @param stableSteps optimizer steps at the peak, of {@code warmup_stable_decay}
 * @param decaySteps optimizer steps from the peak to the minimum, of {@code warmup_stable_decay}
 * @param warmup the way up, of {@code warmup_stable_decay}; it begins at the minimum
 * @param decay the way down, of {@code warmup_stable_decay}
 * @param shares which of the lengths follow from that of the run
 */
public record SchedulerArgs(
    double minimum,
    double cycles,
    int stableSteps,
    int decaySteps,
    Curve warmup,
    Curve decay,
    Shares shares) {
  /** Down to nothing, once. */
  public static final SchedulerArgs STANDARD =
      new SchedulerArgs(0, 0.5, 0, 0, Curve.LINEAR, Curve.COSINE);

  /** Lengths that were all given as numbers of steps. */
  public SchedulerArgs(
      double minimum, double cycles, int stableSteps, int decaySteps, Curve warmup, Curve decay) {
    this(minimum, cycles, stableSteps, decaySteps, warmup, decay, Shares.NONE);
  }

  /**
   * Lengths that follow from the run's, where that turns out to be another than was planned.
   *
   * @param warmup share of all optimizer steps that is the warm-up; 0: {@code
   *     TrainingConfig.warmupSteps} was given
   * @param decay share of those after the warm-up that is the way down; 0: {@code decaySteps} was
   *     given
   * @param stable whether the time at the peak is what warm-up and way down leave; otherwise {@code
   *     stableSteps} was given
   */
  public record Shares(double warmup, double decay, boolean stable) {
    /** None does. */
    public static final Shares NONE = new Shares(0, 0, false);
  }

  /** How a rate goes from one value to another. */
  public enum Curve {
    /** A line. */
    LINEAR,
    /** Half a cosine, or as many waves as {@code cycles} says on the way down. */
    COSINE,
    /** 1 − √progress on the way down, 1 − √(1 − progress) on the way up. */
    SQRT,
    /** 2 · ½^progress − 1 on the way down (Megatron's); not on the way up. */
    EXPONENTIAL
  }
}
