package roll.config.build;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.SchedulerArgs.Shares;
import roll.api.option.UserException;
import roll.config.schema.Section;

/**
 * Builds the learning-rate schedule of {@code training_args}, with transformers' names and {@code
 * lr_scheduler_kwargs}. A key that does nothing with the schedule that is named is refused.
 */
final class SchedulerBuilder {
  private static final String TYPE = "lr_scheduler_type";
  private static final String KWARGS = "lr_scheduler_kwargs";
  private static final String PLATEAU = "warmup_stable_decay";
  private static final List<String> LEAST = List.of("min_lr", "min_lr_rate", "min_lr_ratio");
  private static final String CYCLES = "num_cycles";
  private static final String DECAY = "num_decay_steps";
  private static final String STABLE = "num_stable_steps";
  private static final String DECAY_TYPE = "decay_type";
  private static final SchedulerArgs STANDARD = SchedulerArgs.STANDARD;

  /** The way down from a plateau, of the steps after the warm-up. */
  private static final double LAST = 0.1;

  /** Allowed keys of each schedule, except the minimum rate. */
  private static final Map<String, Set<String>> KEYS =
      Map.of(
          CYCLES,
          Set.of("cosine", "cosine_with_min_lr", PLATEAU),
          DECAY,
          Set.of(PLATEAU),
          STABLE,
          Set.of(PLATEAU),
          DECAY_TYPE,
          Set.of(PLATEAU),
          "warmup_type",
          Set.of(PLATEAU));

  private final Section training;
  private final Section kwargs;
  private final String type;

  /** Creates a scheduler builder and reads a role's {@code training_args}. */
  SchedulerBuilder(Section training) {
    this.training = training;
    this.kwargs = training.section(KWARGS);
    this.type = training.text(TYPE);
  }

  /** Returns the internal name of the schedule. */
  String name() {
    return switch (type) {
      case "constant_with_warmup" -> "constant";
      case "cosine_with_min_lr" -> "cosine";
      default -> type;
    };
  }

  /**
   * Builds the schedule of {@code total} optimizer steps, {@code warmup} of which are the warm-up.
   *
   * @param ratio the share of them that this is; 0 where their number was given
   * @throws UserException naming a key that does nothing or does not fit
   */
  SchedulerArgs build(int warmup, int total, double ratio) {
    check();
    boolean plateau = type.equals(PLATEAU);
    int rest = Math.max(0, total - warmup);
    int decay = kwargs.has(DECAY) ? kwargs.integer(DECAY) : rest - (int) ((1 - LAST) * rest);
    int stable = kwargs.has(STABLE) ? kwargs.integer(STABLE) : Math.max(0, rest - decay);
    return new SchedulerArgs(
        least(),
        kwargs.has(CYCLES) ? kwargs.number(CYCLES) : STANDARD.cycles(),
        plateau ? stable : 0,
        plateau ? decay : 0,
        curve("warmup_type", STANDARD.warmup()),
        curve(DECAY_TYPE, STANDARD.decay()),
        new Shares(
            ratio, plateau && !kwargs.has(DECAY) ? LAST : 0, plateau && !kwargs.has(STABLE)));
  }

  private void check() {
    List<String> least = LEAST.stream().filter(kwargs::given).toList();
    if (type.startsWith("constant") && !least.isEmpty()) {
      throw idle(least.getFirst());
    }
    if (least.size() > 1) {
      throw new UserException(
          kwargs.where(least.getLast()) + " says what " + least.getFirst() + " says: keep one");
    }
    if (type.equals("cosine_with_min_lr") && least.isEmpty()) {
      throw new UserException(
          training.where(KWARGS) + " is missing min_lr or min_lr_rate, for " + type);
    }
    KEYS.forEach(
        (key, types) -> {
          if (kwargs.given(key) && !types.contains(type)) {
            throw idle(key);
          }
        });
    if (kwargs.given(CYCLES)
        && type.equals(PLATEAU)
        && curve(DECAY_TYPE, Curve.COSINE) != Curve.COSINE) {
      throw idle(CYCLES);
    }
  }

  private UserException idle(String key) {
    return new UserException("%s does nothing with %s %s".formatted(kwargs.where(key), TYPE, type));
  }

  /**
   * Returns the minimum learning rate: {@code min_lr} is a rate, the other keys are shares of the
   * peak.
   */
  private double least() {
    if (!kwargs.has("min_lr")) {
      return LEAST.stream().filter(kwargs::has).mapToDouble(kwargs::number).findFirst().orElse(0);
    }
    double peak = training.number("learning_rate");
    if (kwargs.number("min_lr") > peak) {
      throw kwargs.wrong("min_lr", "at most learning_rate, " + peak);
    }
    return peak == 0 ? 0 : kwargs.number("min_lr") / peak;
  }

  private Curve curve(String key, Curve standard) {
    String word = kwargs.textOrNull(key);
    if (word == null) {
      return standard;
    }
    return word.equals("1-sqrt") ? Curve.SQRT : Curve.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
