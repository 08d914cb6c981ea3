package roll.grid;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.env.Scenario;

/** A scenario of a grid environment. */
@ConsumerType
public interface GridScenario extends Scenario {
  /** Returns the common part of the configuration. */
  GridWorld grid();

  @Override
  default String instruction() {
    return grid().instruction();
  }

  @Override
  default boolean readsSpecialTokens() {
    return true;
  }

  @Override
  default Map<String, Aggregation> aggregations() {
    return GridWorld.AGGREGATIONS;
  }
}
