package roll.runtime.nodes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which run to join, and as whom.
 *
 * @param at where its first node listens: {@code host:port}
 * @param token that it printed
 * @param name of this node; null for one made of this machine's name
 * @param listen an address of this machine, with {@code :port} or without; null for the one from
 *     which the first node is reached, and any port
 * @param cores that this node offers
 * @param devices that it offers, by name
 * @param roles that it plays, of {@link NodeRoles#ALL}; empty for all that need no naming
 */
public record JoinOrder(
    String at,
    String token,
    @Nullable String name,
    @Nullable String listen,
    int cores,
    List<String> devices,
    List<String> roles) {
  /** An order whose lists nobody changes. */
  public JoinOrder {
    devices = List.copyOf(devices);
    roles = List.copyOf(roles);
  }
}
