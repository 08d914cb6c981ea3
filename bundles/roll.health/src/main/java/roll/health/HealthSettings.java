package roll.health;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code port}, {@code address} and {@code hosts}: the property {@code
 * roll.health.port} of the framework or the JVM, then the configuration of the component {@code
 * roll.health}, then {@code ROLL_HEALTH_PORT} of the environment.
 *
 * @param properties of the framework; null if one is not set
 * @param configured the configuration of the component
 * @param environment of the process
 */
record HealthSettings(
    Function<String, @Nullable String> properties,
    Map<String, Object> configured,
    Map<String, String> environment) {
  private static final int MOST = 65535;

  /**
   * An address to listen on.
   *
   * @param port 0 for any free one
   * @param hosts allowed host names beside those of loopback and the address
   */
  record Place(InetAddress address, int port, List<String> hosts) {}

  /**
   * Returns the address to listen on, by default on loopback; null without a port.
   *
   * @throws IllegalArgumentException if a setting is invalid
   */
  @Nullable Place place() {
    String port = value("port");
    if (port == null) {
      return null;
    }
    try {
      int number = Integer.parseInt(port);
      if (number < 0 || number > MOST) {
        throw new NumberFormatException(port);
      }
      String address = value("address");
      String hosts = value("hosts");
      return new Place(
          address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address),
          number,
          hosts == null ? List.of() : List.of(hosts.split("\\s*,\\s*")));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "roll.health.port: expected an integer from 0 to 65535, found '" + port + "'", e);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "roll.health.address: no such address: " + e.getMessage(), e);
    }
  }

  private @Nullable String value(String name) {
    String property = properties.apply("roll.health." + name);
    Object own = configured.get(name);
    String variable = environment.get("ROLL_HEALTH_" + name.toUpperCase(java.util.Locale.ROOT));
    String found = property != null ? property : own != null ? own.toString() : variable;
    return found == null || found.isBlank() ? null : found.strip();
  }
}
