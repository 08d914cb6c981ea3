package roll.parallel.world;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;

/**
 * Options of {@code strategy_config} for ranks on several machines.
 *
 * @param plain whether unencrypted traffic between them is allowed
 * @param tensor whether tensor-parallel ranks may be on several machines
 */
public record NodeOptions(boolean plain, boolean tensor) {
  /** Option {@code plain_collectives}. */
  public static final Option<Boolean> PLAIN =
      Option.flag(
              "plain_collectives",
              "ranks on several machines send gradients and parameters in clear text")
          .withDefault(false);

  /** Option {@code tensor_parallel_across_nodes}. */
  public static final Option<Boolean> TENSOR =
      Option.flag(
              "tensor_parallel_across_nodes",
              "tensor-parallel ranks may be on several machines, which communicate twice in every"
                  + " layer")
          .withDefault(false);

  /** Options of strategies without tensor parallelism. */
  public static final List<Option<?>> KNOWN = List.of(PLAIN);

  /** Reads a configuration that its strategy has already checked. */
  public static NodeOptions of(WorkerConfig worker) {
    Map<String, @Nullable Object> values = worker.strategyOptions().values();
    return new NodeOptions(
        Boolean.TRUE.equals(values.get(PLAIN.name())),
        Boolean.TRUE.equals(values.get(TENSOR.name())));
  }
}
