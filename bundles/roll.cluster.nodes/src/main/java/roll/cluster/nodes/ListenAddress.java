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

/** Addresses as people write them: {@code 192.168.1.5}, {@code gpu-1:7800}, {@code [fe80::1]:0}. */
final class ListenAddress {
  static final int PORT = 7800;
  private static final Pattern TEXT = Pattern.compile("(\\[[^\\]]+]|[^:]+)(?::(\\d{1,5}))?");

  private ListenAddress() {}

  /**
   * The address that {@code text} names.
   *
   * @param what it is for, such as an option, for messages
   * @param port if the text has none
   * @throws UserException if it names none
   */
  static InetSocketAddress read(String what, String text, int port) {
    Matcher parts = TEXT.matcher(text);
    int number = -1;
    if (parts.matches()) {
      number = parts.group(2) == null ? port : Integer.parseInt(parts.group(2));
    }
    if (number < 0 || number > 65_535) {
      throw new UserException(what + ": expected host or host:port, found '" + text + "'");
    }
    String host = parts.group(1).replaceAll("[\\[\\]]", "");
    try {
      return new InetSocketAddress(InetAddress.getAllByName(host)[0], number);
    } catch (UnknownHostException e) {
      throw new UserException(what + ": there is no host " + host, e);
    }
  }

  /**
   * The same, of this machine.
   *
   * @throws UserException if it is another machine's, or all addresses of this one
   */
  static InetSocketAddress own(String what, String text, int port) {
    InetSocketAddress at = read(what, text, port);
    try {
      if (!at.getAddress().isAnyLocalAddress()
          && NetworkInterface.getByInetAddress(at.getAddress()) != null) {
        return at;
      }
    } catch (IOException e) {
      throw new UserException(what + ": " + at.getHostString() + ": " + e.getMessage(), e);
    }
    throw new UserException(
        what + ": expected one address of this machine, found '" + at.getHostString() + "'");
  }

  /** The address of this machine from which {@code other} is reached. */
  static InetAddress towards(InetSocketAddress other) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(other);
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new UserException("join: " + text(other) + " cannot be reached: " + e.getMessage(), e);
    }
  }

  /** As a person writes it. */
  static String text(InetSocketAddress at) {
    String host = at.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort();
  }
}
