package roll.health;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen: {@code port}, {@code address} and {@code hosts}. Each is looked for as the
 * property {@code roll.health.port} of the framework or the JVM, in the configuration of the
 * component {@code roll.health}, and as {@code ROLL_HEALTH_PORT} of the environment, in this order.
 *
 * @param properties of the framework; null where one is not set
 * @param configured the component's configuration
 * @param environment of the process
 */
record HealthSettings(
    Function<String, @Nullable String> properties,
    Map<String, Object> configured,
    Map<String, String> environment) {
  private static final int MOST = 65535;

  /**
   * Where to listen.
   *
   * @param port 0 for any that is free
   * @param hosts names that requests may call this machine by, beside those of loopback and the
   *     address
   */
  record Place(InetAddress address, int port, List<String> hosts) {}

  /**
   * Where to listen, on loopback unless another address is given; null where no port is given.
   *
   * @throws IllegalArgumentException if what is given is neither
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
          "roll.health.port: expected a number from 0 to 65535, found '" + port + "'", e);
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
