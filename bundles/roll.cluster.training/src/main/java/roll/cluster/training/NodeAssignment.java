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
 * Assignment of the ranks of a role to nodes: device d is on node d / {@code num_gpus_per_node};
 * node 0 is the first one, the others are numbered in the order in which they joined.
 *
 * @param config configuration of all ranks
 * @param each number of devices of a node
 */
record NodeAssignment(SessionConfig config, int each) {
  /** Returns the assignment of the ranks of {@code config}. */
  static NodeAssignment of(SessionConfig config) {
    return new NodeAssignment(config, Math.max(1, config.deviceCount() / config.nodes()));
  }

  /** Whether all ranks are on the first node. */
  boolean together() {
    return config.nodes() < 2
        || config.worker().devices().stream().allMatch(device -> node(device) == 0);
  }

  private int node(int device) {
    return device / each;
  }

  /** Returns the node of each rank. */
  List<Integer> nodes() {
    return config.worker().devices().stream().map(this::node).toList();
  }

  /**
   * Checks the assignment of ranks to nodes.
   *
   * @param members present number of nodes
   * @throws UserException if it is invalid
   * @throws RanksLostException if it was valid before a node was lost
   */
  void check(ShardedModelSpec order, int members) {
    WorkerConfig worker = config.worker();
    String where = worker.role() + ".device_mapping: ";
    List<Integer> nodes = nodes();
    for (int r = 0; r < nodes.size(); r++) {
      if (nodes.get(r) < (r == 0 ? 0 : nodes.get(r - 1)) || (r == 0 && nodes.get(r) > 0)) {
        throw new UserException(
            "%sdevice %d is on node %d: devices must be in the order of the nodes, beginning on the first node (0 to %d)"
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
            "%s.%s: ranks %d and %d share every layer (tensor_model_parallel_size: %d), but are on nodes %d and %d, which would communicate twice in each layer; %s: true allows that"
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

  /** Returns the ranks of node {@code node}, with the node's own device numbers. */
  ShardedModelSpec at(ShardedModelSpec order, int node) {
    WorkerConfig worker = config.worker();
    List<Integer> own =
        IntStream.range(0, worker.devices().size())
            .filter(r -> node(worker.devices().get(r)) == node)
            .map(r -> worker.devices().get(r) % each)
            .boxed()
            .toList();
    SessionConfig placed =
        new SessionConfig(
            worker.withDevices(own),
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
