package roll.runtime.nodes;

import java.util.List;

/**
 * A node as another one sees it.
 *
 * @param name of the node
 * @param address where it listens
 * @param state {@code first}, {@code this}, {@code joined} or {@code unreachable}; the first of
 *     these that holds
 * @param version of roll that it runs
 * @param cores that it offers
 * @param devices that it offers
 * @param epoch it answered with, or -1 if it did not
 * @param lagMillis how long its answer took, or -1 if there was none
 */
public record NodeStatus(
    String name,
    String address,
    String state,
    String version,
    int cores,
    List<String> devices,
    long epoch,
    double lagMillis) {
  /** A status whose list nobody changes. */
  public NodeStatus {
    devices = List.copyOf(devices);
  }
}
