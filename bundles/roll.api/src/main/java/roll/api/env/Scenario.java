package roll.api.env;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/** A configured world; stateless, called from many threads at once. */
@ConsumerType
public interface Scenario {
  /** What the agent is told once, before the first observation; may be empty. */
  String instruction();

  /** A new episode; equal seeds give equal episodes. */
  Episode reset(long seed);

  /** A new episode; equal starts give equal episodes. The standard looks at the seed alone. */
  default Episode reset(Start start) {
    return reset(start.seed());
  }

  /** How each metric of a step is aggregated over the episode; metrics not named are averaged. */
  Map<String, Aggregation> aggregations();

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
