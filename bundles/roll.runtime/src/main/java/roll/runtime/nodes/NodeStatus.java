package roll.runtime.nodes;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Status of a node as another node sees it.
 *
 * @param name of the node
 * @param address where it listens
 * @param state {@code first}, {@code this}, {@code joined} or {@code unreachable}; the first of
 *     these that holds
 * @param version of roll that it runs
 * @param cores that it offers
 * @param devices that it offers
 * @param roles that it names; empty for any but environments
 * @param epoch it answered with, or -1 if it did not
 * @param lagMillis how long its answer took, or -1 if there was none
 * @param facts what else it says of itself, by name, such as the weights that it has
 */
public record NodeStatus(
    String name,
    String address,
    String state,
    String version,
    int cores,
    List<String> devices,
    List<String> roles,
    long epoch,
    double lagMillis,
    Map<String, String> facts) {
  /** Creates a node status with immutable copies of the collections. */
  public NodeStatus {
    devices = List.copyOf(devices);
    roles = List.copyOf(roles);
    facts = Collections.unmodifiableMap(new TreeMap<>(facts));
  }
}
