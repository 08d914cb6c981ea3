package roll.cluster.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.MembershipConfig;

/**
 * Configuration of Pekko: its reference files in the order of their dependencies, then this
 * project's.
 */
final class PekkoSettings {
  private static final List<String> REFERENCES =
      List.of("ssl", "actor", "stream", "coordination", "remote", "cluster");

  private static final Logger PEKKO_LOG = LoggerFactory.getLogger("org.apache.pekko");

  private PekkoSettings() {}

  /**
   * Returns the configuration of a node.
   *
   * @param port by which other nodes reach it
   * @param internal address on which Pekko listens
   * @param overrides settings that precede all others
   */
  static Config of(
      MembershipConfig config,
      int port,
      InetSocketAddress internal,
      Map<String, Object> overrides) {
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setAllowMissing(false)
            .setClassLoader(PekkoSettings.class.getClassLoader());
    Config settings =
        ConfigFactory.parseMap(overrides)
            .withFallback(ConfigFactory.parseMap(of(config, port, internal)))
            .withFallback(ConfigFactory.parseResources("roll/cluster/pekko/engine.conf", options));
    for (String reference : REFERENCES.reversed()) {
      settings =
          settings.withFallback(
              ConfigFactory.parseResources("reference/" + reference + "/reference.conf", options));
    }
    return settings.resolve();
  }

  private static Map<String, Object> of(
      MembershipConfig config, int port, InetSocketAddress internal) {
    String artery = "pekko.remote.artery.";
    Map<String, Object> values = new HashMap<>();
    values.put(artery + "transport", config.identity() == null ? "tcp" : "tls-tcp");
    values.put(artery + "canonical.hostname", config.address().getAddress().getHostAddress());
    values.put(artery + "canonical.port", port);
    values.put(artery + "bind.hostname", internal.getAddress().getHostAddress());
    values.put(artery + "bind.port", internal.getPort());
    values.put("pekko.loglevel", PEKKO_LOG.isDebugEnabled() ? "INFO" : "ERROR");
    values.put("pekko.cluster.roles", List.of(NodeAttributes.encode(config.node())));
    if (!config.seeds().isEmpty()) {
      // Never: only the first node gossips which members it does not reach.
      values.put("pekko.cluster.unreachable-nodes-reaper-interval", Duration.ofDays(200));
    }
    return values;
  }
}
