package roll.config;

import java.util.List;
import java.util.Map;
import roll.api.config.UserException;

/**
 * How many copies of a trained model share the samples of an optimizer step: its devices over those
 * that hold one copy together.
 */
final class Replicas {
  private static final List<String> SPLITS =
      List.of("tensor_model_parallel_size", "pipeline_model_parallel_size");

  private Replicas() {}

  /**
   * Copies of the model of {@code worker}.
   *
   * @throws UserException if its devices are no multiple of those of a copy
   */
  static int of(Section worker) {
    Section strategy = worker.section("strategy_args");
    Map<String, Object> options = strategy.mapping("strategy_config");
    long each = 1;
    for (String split : SPLITS) {
      each *= size(strategy, split, options.getOrDefault(split, 1));
    }
    int devices = worker.has("device_mapping") ? worker.integers("device_mapping").size() : 1;
    if (devices % each != 0) {
      throw new UserException(
          "%s: %d %s, no multiple of %s × %s of %s = %s × %s = %d"
              .formatted(
                  worker.where("device_mapping"),
                  devices,
                  devices == 1 ? "device" : "devices",
                  SPLITS.getFirst(),
                  SPLITS.getLast(),
                  strategy.path("strategy_config"),
                  options.getOrDefault(SPLITS.getFirst(), 1),
                  options.getOrDefault(SPLITS.getLast(), 1),
                  each));
    }
    return (int) (devices / each);
  }

  private static int size(Section strategy, String split, Object value) {
    if (value instanceof Integer size && size > 0) {
      return size;
    }
    throw new UserException(
        "%s.%s: expected a whole number from 1, found %s"
            .formatted(strategy.where("strategy_config"), split, Tree.shown(value)));
  }
}
