package roll.cluster.nodes;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/**
 * Parses and formats host names with ports as users write them: {@code 192.168.1.5}, {@code
 * gpu-1:7800}, {@code [fe80::1]:0}.
 */
final class HostPort {
  static final int DEFAULT_PORT = 7800;
  private static final int MAX_PORT = 65_535;
  private static final Pattern TEXT = Pattern.compile("(\\[[^\\]]+]|[^:]+)(?::(\\d{1,5}))?");

  private HostPort() {}

  /**
   * Parses and resolves an address.
   *
   * @param what name of the option, for messages
   * @param defaultPort port of a text without one
   * @throws UserException if the text is malformed, or its host is unknown
   */
  static InetSocketAddress parse(String what, String text, int defaultPort) {
    Matcher parts = TEXT.matcher(text);
    int port = -1;
    if (parts.matches()) {
      port = parts.group(2) == null ? defaultPort : Integer.parseInt(parts.group(2));
    }
    if (port < 0 || port > MAX_PORT) {
      throw new UserException(
          what
              + ": expected host or host:port, found '"
              + text
              + "' (allowed ports: 1 to "
              + MAX_PORT
              + ")");
    }
    String host = parts.group(1).replaceAll("[\\[\\]]", "");
    try {
      return new InetSocketAddress(InetAddress.getAllByName(host)[0], port);
    } catch (UnknownHostException e) {
      throw new UserException(what + ": unknown host " + host, e);
    }
  }

  /**
   * Parses an address of this machine.
   *
   * @throws UserException like {@link #parse}; or if it is a wildcard or of another machine
   */
  static InetSocketAddress parseLocal(String what, String text, int defaultPort) {
    InetSocketAddress address = parse(what, text, defaultPort);
    try {
      if (!address.getAddress().isAnyLocalAddress()
          && NetworkInterface.getByInetAddress(address.getAddress()) != null) {
        return address;
      }
    } catch (IOException e) {
      throw new UserException(what + ": " + address.getHostString() + ": " + e.getMessage(), e);
    }
    throw new UserException(
        what + ": expected one address of this machine, found '" + address.getHostString() + "'");
  }

  /** Returns the address of this machine from which {@code other} is reached. */
  static InetAddress localAddressTo(InetSocketAddress other) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(other);
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new UserException(
          "join: " + format(other) + " cannot be reached: " + e.getMessage(), e);
    }
  }

  /** Returns the address as {@code host:port}. */
  static String format(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
