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

  /** A new episode; equal starts give equal episodes. By default only the seed matters. */
  default Episode reset(EpisodeStart start) {
    return reset(start.seed());
  }

  /**
   * This world without the episodes whose first observation is too long, if its options ask for
   * that; by default all episodes are kept.
   *
   * @param tokens counts the tokens of the prompt that an observation becomes
   * @param most tokens a prompt may have
   * @throws roll.api.option.UserException if no episode is left
   */
  default Scenario fitting(ToIntFunction<String> tokens, int most) {
    return this;
  }

  /**
   * The same for worlds that show pictures, which have tokens too; by default they are not counted.
   */
  default Scenario fittingSeen(ToIntFunction<Observation> tokens, int most) {
    return fitting(text -> tokens.applyAsInt(Observation.of(text)), most);
  }

  /**
   * The tasks that are known in advance, such as the rows of a data set, so that the facts that
   * rewards need can be checked before anything is played; by default none.
   */
  default Stream<TaskInfo> tasks() {
    return Stream.empty();
  }

  /**
   * Whether {@link Episode#step} is given responses with the model's special tokens written out,
   * such as {@code <|im_end|>}: of a world that knows them. By default they are left out, since
   * they are no text.
   */
  default boolean readsSpecialTokens() {
    return false;
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
