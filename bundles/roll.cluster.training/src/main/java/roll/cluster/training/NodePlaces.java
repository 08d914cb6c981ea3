package roll.cluster.training;

import java.util.List;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.api.strategy.SessionConfig;
import roll.parallel.collective.RankFailure;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.NodeOptions;
import roll.parallel.world.ShardedModelSpec;

/**
 * On which node each rank of a role is: device d is on node d / {@code num_gpus_per_node}, the
 * first node is 0, the others are numbered as they joined.
 *
 * @param config of all ranks
 * @param each how many devices a node has
 */
record NodePlaces(SessionConfig config, int each) {
  /** The places of the ranks of {@code config}. */
  static NodePlaces of(SessionConfig config) {
    return new NodePlaces(config, Math.max(1, config.deviceCount() / config.nodes()));
  }

  /** Whether all ranks are on the first node. */
  boolean together() {
    return config.nodes() < 2
        || config.worker().devices().stream().allMatch(device -> node(device) == 0);
  }

  private int node(int device) {
    return device / each;
  }

  /** The node of each rank. */
  List<Integer> nodes() {
    return config.worker().devices().stream().map(this::node).toList();
  }

  /**
   * Checks that the ranks can be there.
   *
   * @param members how many nodes there are
   * @throws UserException if they cannot
   * @throws RanksLostException if they could, and a node has gone
   */
  void check(ShardedModelSpec order, int members) {
    WorkerConfig worker = config.worker();
    String where = worker.role() + ".device_mapping: ";
    List<Integer> nodes = nodes();
    for (int r = 0; r < nodes.size(); r++) {
      if (nodes.get(r) < (r == 0 ? 0 : nodes.get(r - 1)) || (r == 0 && nodes.get(r) > 0)) {
        throw new UserException(
            "%sdevice %d is on node %d: where several nodes train, devices go by nodes, and the first is on the first node (0 to %d)"
                .formatted(where, worker.devices().get(r), nodes.get(r), each - 1));
      }
    }
    if (nodes.getLast() >= members) {
      String line =
          "%sdevice %d is on node %d (num_gpus_per_node: %d), and the run has %s: it needs %d"
              .formatted(
                  where,
                  worker.devices().getLast(),
                  nodes.getLast(),
                  each,
                  members == 1 ? "the first node alone" : "nodes 0 to " + (members - 1),
                  nodes.getLast() + 1);
      throw members < config.nodes() // they were waited for
          ? new RanksLostException(line, new RankFailure(line))
          : new UserException(line);
    }
    tensor(order.layout(), nodes);
  }

  private void tensor(ParallelLayout layout, List<Integer> nodes) {
    if (NodeOptions.of(config.worker()).tensor()) {
      return;
    }
    for (int rank = 0; rank < layout.ranks(); rank++) {
      int first = rank - rank % layout.tensor();
      if (!nodes.get(rank).equals(nodes.get(first))) {
        throw new UserException(
            "%s.%s: ranks %d and %d share every layer (tensor_model_parallel_size: %d) and are on nodes %d and %d, which would meet twice in each; %s: true asks for that"
                .formatted(
                    config.worker().strategyOptions().where(),
                    NodeOptions.TENSOR.name(),
                    first,
                    rank,
                    layout.tensor(),
                    nodes.get(first),
                    nodes.get(rank),
                    NodeOptions.TENSOR.name()));
      }
    }
  }

  /** What node {@code node} is told: its own devices by its own numbers. */
  ShardedModelSpec at(ShardedModelSpec order, int node) {
    WorkerConfig worker = config.worker();
    List<Integer> own =
        IntStream.range(0, worker.devices().size())
            .filter(r -> node(worker.devices().get(r)) == node)
            .map(r -> worker.devices().get(r) % each)
            .boxed()
            .toList();
    WorkerConfig there =
        new WorkerConfig(
            worker.role(),
            worker.model(),
            worker.template(),
            worker.strategy(),
            worker.strategyOptions(),
            worker.training(),
            own,
            worker.inferBatchSize(),
            worker.budgets(),
            worker.chatTemplateKwargs());
    SessionConfig placed =
        new SessionConfig(
            there,
            config.seed(),
            config.maxGradNorm(),
            config.sequenceLength(),
            config.synchronous(),
            each,
            config.deviceMemory(),
            1);
    return new ShardedModelSpec(placed, order.spec(), order.layout(), order.trains());
  }
}
