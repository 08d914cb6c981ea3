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
import roll.cluster.ClusterPlace;

/** Pekko's configuration: its own references, those that need others last, then ours. */
final class Settings {
  private static final List<String> REFERENCES =
      List.of("ssl", "actor", "stream", "coordination", "remote", "cluster");

  /** What Pekko says of nodes is said by this bundle, in the words of this system. */
  private static final Logger LOG = LoggerFactory.getLogger("org.apache.pekko");

  private Settings() {}

  /**
   * That of a node.
   *
   * @param port by which others reach it
   * @param inside where Pekko listens
   * @param more goes before all others
   */
  static Config of(
      ClusterPlace place, int port, InetSocketAddress inside, Map<String, Object> more) {
    ConfigParseOptions here =
        ConfigParseOptions.defaults()
            .setAllowMissing(false)
            .setClassLoader(Settings.class.getClassLoader());
    Config config =
        ConfigFactory.parseMap(more)
            .withFallback(ConfigFactory.parseMap(of(place, port, inside)))
            .withFallback(ConfigFactory.parseResources("roll/cluster/pekko/engine.conf", here));
    for (String reference : REFERENCES.reversed()) {
      config =
          config.withFallback(
              ConfigFactory.parseResources("reference/" + reference + "/reference.conf", here));
    }
    return config.resolve();
  }

  private static Map<String, Object> of(ClusterPlace place, int port, InetSocketAddress inside) {
    Map<String, Object> values = new HashMap<>();
    values.put("pekko.remote.artery.transport", place.identity() == null ? "tcp" : "tls-tcp");
    values.put("pekko.remote.artery.canonical.hostname", place.at().getAddress().getHostAddress());
    values.put("pekko.remote.artery.canonical.port", port);
    values.put("pekko.remote.artery.bind.hostname", inside.getAddress().getHostAddress());
    values.put("pekko.remote.artery.bind.port", inside.getPort());
    values.put("pekko.loglevel", LOG.isDebugEnabled() ? "INFO" : "ERROR");
    values.put("pekko.cluster.roles", NodeWords.write(place.node()));
    if (!place.seeds().isEmpty()) {
      // Never: only what the first node sees of others goes into the gossip.
      values.put("pekko.cluster.unreachable-nodes-reaper-interval", Duration.ofDays(200));
    }
    return values;
  }
}
