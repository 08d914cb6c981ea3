package roll.shell.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;

/**
 * Refuses, before nodes are waited for, ranks that would send gradients and parameters to other
 * machines in clear text without being asked to: when the nodes are there, the collectives refuse
 * it. Ranks on cards have collectives of their own.
 */
final class ClearTextCheck {
  private static final String KEY = "plain_collectives";

  /** The framework property with which the collectives of this machine allow it for all. */
  static final String PROPERTY = "roll.collectives.gloo.clear_text";

  /** The strategies with ranks. */
  private static final Set<String> RANKED =
      Set.of(
          "zero3",
          "deepspeed_train",
          "fsdp2_train",
          "megatron_train",
          "zero3_infer",
          "deepspeed_infer",
          "fsdp2_infer",
          "megatron_infer");

  private ClearTextCheck() {}

  /**
   * Checks the roles of {@code run}, whose nodes know this machine by {@code at}.
   *
   * @param devices what this machine computes on; null where nobody knows
   * @param property what {@link #PROPERTY} is; null where it is not given
   * @throws UserException if one of them needs what it does not ask for
   */
  static void require(
      RunConfig run, String at, @Nullable DeviceInspector devices, @Nullable String property) {
    int nodes = run.devices().nodes();
    if (nodes < 2 || "allowed".equals(property) || loopback(at) || cards(devices)) {
      return;
    }
    int each = Math.max(1, run.devices().count() / nodes);
    for (Map.Entry<String, WorkerConfig> role : run.roles().byName().entrySet()) {
      WorkerConfig worker = role.getValue();
      boolean asked = Boolean.TRUE.equals(worker.strategyOptions().values().get(KEY));
      if (asked || !RANKED.contains(worker.strategy())) {
        continue;
      }
      for (int device : worker.devices()) {
        if (device >= each) {
          throw new UserException(
              "%s.strategy_args.strategy_config.%s: missing: device %d is on node %d, and what its ranks send is clear text; true allows it for this role, %s for all"
                  .formatted(role.getKey(), KEY, device, device / each, Listening.PLAIN));
        }
      }
    }
  }

  private static boolean cards(@Nullable DeviceInspector devices) {
    return devices != null && devices.devices().stream().anyMatch(d -> d.kind().equals("cuda"));
  }

  /** Whether {@code at}, with a port or without, is this machine for itself. */
  private static boolean loopback(String at) {
    String host = at.startsWith("[") ? at.replaceAll("]:\\d+$", "]") : at.replaceAll(":\\d+$", "");
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true; // said by whoever listens there
    }
  }
}
