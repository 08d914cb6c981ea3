package roll.parallel.world;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;

/**
 * What {@code strategy_config} says of ranks on several machines.
 *
 * @param plain whether what moves between them may be read on its way
 * @param tensor whether tensor-parallel ranks may be on several machines
 */
public record NodeOptions(boolean plain, boolean tensor) {
  /** {@code plain_collectives}. */
  public static final Option<Boolean> PLAIN =
      Option.flag(
              "plain_collectives",
              "ranks on several machines send gradients and parameters in clear text")
          .withDefault(false);

  /** {@code tensor_parallel_across_nodes}. */
  public static final Option<Boolean> TENSOR =
      Option.flag(
              "tensor_parallel_across_nodes",
              "tensor-parallel ranks may be on several machines, which meet twice in every layer")
          .withDefault(false);

  /** What strategies know whose layers are not cut. */
  public static final List<Option<?>> KNOWN = List.of(PLAIN);

  /** What a configuration says that its strategy has checked. */
  public static NodeOptions of(WorkerConfig worker) {
    Map<String, @Nullable Object> values = worker.strategyOptions().values();
    return new NodeOptions(
        Boolean.TRUE.equals(values.get(PLAIN.name())),
        Boolean.TRUE.equals(values.get(TENSOR.name())));
  }
}
