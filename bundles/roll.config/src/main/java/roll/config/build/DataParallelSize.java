package roll.config.build;

import java.util.Map;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;

/**
 * The number of copies of a trained model among which the samples of an optimizer step are divided:
 * its devices over the devices per copy.
 */
final class DataParallelSize {
  private static final String TENSOR = "tensor_model_parallel_size";
  private static final String PIPELINE = "pipeline_model_parallel_size";
  private static final int MOST = 4096;

  private DataParallelSize() {}

  /**
   * Copies of the model of {@code worker}.
   *
   * @throws UserException if its devices are no multiple of those of a copy
   */
  static int of(Section worker) {
    Section strategy = worker.section("strategy_args");
    Map<String, Object> options = strategy.mapping("strategy_config");
    int each = devicesOf(worker, TENSOR, PIPELINE);
    int devices = worker.has("device_mapping") ? worker.integers("device_mapping").size() : 1;
    if (devices % each != 0) {
      throw new UserException(
          "%s: %d %s, no multiple of %s × %s of %s = %s × %s = %d"
              .formatted(
                  worker.where("device_mapping"),
                  devices,
                  devices == 1 ? "device" : "devices",
                  TENSOR,
                  PIPELINE,
                  strategy.path("strategy_config"),
                  options.getOrDefault(TENSOR, 1),
                  options.getOrDefault(PIPELINE, 1),
                  each));
    }
    return devices / each;
  }

  /** Copies of the model of any role that has devices, among which its work is divided. */
  static long copies(Section worker) {
    long each = devicesOf(worker, TENSOR, PIPELINE);
    each *= devicesOf(worker, "tensor_parallel_size", "pipeline_parallel_size");
    return worker.integers("device_mapping").size() / each;
  }

  /**
   * Number of devices that together hold one copy of the model of {@code worker}.
   *
   * @param splits keys of {@code strategy_config} whose product is returned
   * @throws UserException if one of them is no positive integer
   */
  static int devicesOf(Section worker, String... splits) {
    Section strategy = worker.section("strategy_args");
    Map<String, Object> options = strategy.mapping("strategy_config");
    int each = 1;
    for (String split : splits) {
      Object value = options.getOrDefault(split, 1);
      if (!(value instanceof Integer size) || size < 1 || size > MOST) {
        throw new UserException(
            "%s.%s: expected an integer from 1 to %d, found %s"
                .formatted(strategy.where("strategy_config"), split, MOST, YamlTree.shown(value)));
      }
      each *= size;
    }
    return each;
  }
}
