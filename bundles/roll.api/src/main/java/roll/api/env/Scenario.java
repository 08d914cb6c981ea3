package roll.api.env;

import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.osgi.annotation.versioning.ConsumerType;

/** A configured world; stateless, called from many threads at once. */
@ConsumerType
public interface Scenario {
  /**
   * A world that is told by {@code instruction} and whose episodes {@code reset} makes of a seed.
   */
  static Scenario of(String instruction, LongFunction<Episode> reset) {
    return new SeededScenario(instruction, reset);
  }

  /** What the agent is told once, before the first observation; may be empty. */
  String instruction();

  /** A new episode; equal seeds give equal episodes. */
  Episode reset(long seed);

  /** A new episode; equal starts give equal episodes. The standard looks at the seed alone. */
  default Episode reset(Start start) {
    return reset(start.seed());
  }

  /**
   * This world without the episodes whose first observation is too long, where its options ask for
   * that; the standard leaves nothing out.
   *
   * @param tokens counts the tokens of the prompt that an observation becomes
   * @param most tokens a prompt may have
   * @throws roll.api.option.UserException if no episode is left
   */
  default Scenario fitting(ToIntFunction<String> tokens, int most) {
    return this;
  }

  /**
   * The tasks that somebody has written down, such as the rows of a data set, so that what rewards
   * need of them can be looked for before anything is played; by standard none.
   */
  default Stream<KnownTask> tasks() {
    return Stream.empty();
  }

  /**
   * How each metric of a step is aggregated over the episode; those not named are averaged, but
   * {@link Step#SUCCESS} is that of the last step.
   */
  default Map<String, Aggregation> aggregations() {
    return Map.of();
  }

  /** How a metric of every step becomes one number of the episode. */
  enum Aggregation {
    /** Mean over the steps. */
    MEAN,
    /** Sum over the steps. */
    SUM,
    /** Largest value. */
    MAX,
    /** Smallest value. */
    MIN,
    /** Value of the first step. */
    FIRST,
    /** Value of the last step. */
    LAST
  }
}
