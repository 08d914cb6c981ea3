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
 * Refuses ranks that would send gradients and parameters to other machines in clear text unless
 * that is allowed. The collectives refuse this too, but only after all nodes have joined. Ranks on
 * GPUs use other collectives.
 */
final class ClearTextCheck {
  private static final String KEY = "plain_collectives";

  /** The framework property that allows clear text for all roles. */
  static final String PROPERTY = "roll.collectives.gloo.clear_text";

  /** Names of the strategies that shard models over ranks. */
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
   * Checks that ranks of {@code run} on several nodes use TLS.
   *
   * @param at address of this machine for the nodes
   * @param devices of this machine, or null if unknown
   * @param property value of {@link #PROPERTY}, or null
   * @throws UserException if a role would use clear text without allowing it
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
              "%s.strategy_args.strategy_config.%s: missing: device %d is on node %d, and ranks communicate in clear text; true allows this for the role, %s for all roles"
                  .formatted(role.getKey(), KEY, device, device / each, ClusterListener.PLAIN));
        }
      }
    }
  }

  private static boolean cards(@Nullable DeviceInspector devices) {
    return devices != null && devices.devices().stream().anyMatch(d -> d.kind().equals("cuda"));
  }

  /** Returns whether {@code at}, with or without a port, is a loopback address. */
  private static boolean loopback(String at) {
    String host = at.startsWith("[") ? at.replaceAll("]:\\d+$", "]") : at.replaceAll(":\\d+$", "");
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true; // reported when listening fails
    }
  }
}
