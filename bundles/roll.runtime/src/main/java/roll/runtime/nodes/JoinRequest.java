package roll.runtime.nodes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to join a run as a node.
 *
 * @param at address of its first node, {@code host:port}
 * @param token that it printed
 * @param name of this node; null to derive it from the host name
 * @param listen an address of this machine, with {@code :port} or without; null for the address
 *     from which the first node is reached and any port
 * @param cores that this node offers
 * @param devices that it offers, by name
 * @param roles that it plays, of {@link NodeRoles#ALL}; empty for all that need not be named
 */
public record JoinRequest(
    String at,
    String token,
    @Nullable String name,
    @Nullable String listen,
    int cores,
    List<String> devices,
    List<String> roles) {
  /** Creates a join request with immutable copies of the lists. */
  public JoinRequest {
    devices = List.copyOf(devices);
    roles = List.copyOf(roles);
  }
}
