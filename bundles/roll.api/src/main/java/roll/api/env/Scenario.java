package roll.api.env;

import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.tool.ToolSchema;

/** A configured environment; stateless, called from many threads at once. */
@ConsumerType
public interface Scenario extends AutoCloseable {
  /** A scenario with an instruction whose episodes depend on a seed alone. */
  static Scenario of(String instruction, LongFunction<Episode> reset) {
    return new SeededScenario(instruction, reset);
  }

  /** The instruction given once before the first observation; may be empty. */
  String instruction();

  /** Starts an episode; equal seeds give equal episodes. */
  Episode reset(long seed);

  /** Starts an episode; equal starts give equal episodes. By default only the seed matters. */
  default Episode reset(EpisodeStart start) {
    return reset(start.seed());
  }

  /**
   * Returns this scenario without the episodes whose first prompt is too long, if its options ask
   * for that; by default all episodes are kept.
   *
   * @param tokens number of prompt tokens of an observation
   * @param most maximum number of prompt tokens
   * @throws roll.api.option.UserException if no episode remains
   */
  default Scenario fitting(ToIntFunction<String> tokens, int most) {
    return this;
  }

  /**
   * Like {@link #fitting}, for observations with pictures; by default only their text is counted.
   */
  default Scenario fittingSeen(ToIntFunction<Observation> tokens, int most) {
    return fitting(text -> tokens.applyAsInt(Observation.of(text)), most);
  }

  /**
   * The tasks known in advance, such as the rows of a data set, so that the facts needed by rewards
   * can be checked before the run; none by default.
   */
  default Stream<TaskInfo> tasks() {
    return Stream.empty();
  }

  /** Tools that {@link Episode#call} executes, beside those of the agent; none by default. */
  default List<ToolSchema> tools() {
    return List.of();
  }

  /**
   * Whether {@link Episode#step} receives responses with special tokens such as {@code <|im_end|>};
   * false by default.
   */
  default boolean readsSpecialTokens() {
    return false;
  }

  /**
   * The aggregation of step metrics over the episode. Other metrics are averaged, except {@link
   * Step#SUCCESS}, which is that of the last step.
   */
  default Map<String, Aggregation> aggregations() {
    return Map.of();
  }

  /**
   * Frees what its episodes share, after all of them are closed; does nothing by default. Not
   * called on a scenario that {@link #fittingSeen} returned.
   */
  @Override
  default void close() {}

  /** The aggregation of a step metric over an episode. */
  enum Aggregation {
    /** Scenario aggregation: mean over the steps. */
    MEAN,
    /** Scenario aggregation: sum over the steps. */
    SUM,
    /** Aggregation of a metric over the steps: largest value. */
    MAX,
    /** Aggregation of a metric over the steps: smallest value. */
    MIN,
    /** Scenario aggregation: value of the first step. */
    FIRST,
    /** Scenario aggregation: value of the last step. */
    LAST
  }
}
