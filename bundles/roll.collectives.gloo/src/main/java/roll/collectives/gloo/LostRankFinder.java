package roll.collectives.gloo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds a lost rank, which no longer listens on its port.
 *
 * @param addresses addresses by index in Gloo's format, which contains a {@code sockaddr}
 * @param hosts hosts by index
 * @param ranks ranks by index
 * @param own index of this rank
 */
record LostRankFinder(List<byte[]> addresses, List<String> hosts, List<Integer> ranks, int own) {
  private static final int MILLISECONDS = 500;

  /** {@code AF_INET}, whose address is at offset 4, and {@code AF_INET6}, whose is at offset 8. */
  private static final int IPV4 = 2;

  private static final int IPV6 = 10;

  /** Returns {@code message} of Gloo as one line, preceded by the lost rank if there is one. */
  String describe(String message) {
    String line = message.lines().findFirst().orElse("failed").strip();
    String reason = line.replaceFirst("^\\[[^\\]]*\\] ", ""); // position in the sources of Gloo
    return IntStream.range(0, ranks.size())
        .filter(index -> index != own && lost(index))
        .mapToObj(index -> "rank " + ranks.get(index) + " is lost: " + reason)
        .findFirst()
        .orElse(reason);
  }

  private boolean lost(int index) {
    try (Socket socket = new Socket()) {
      InetAddress host = InetAddress.getByName(hosts.get(index));
      OptionalInt port = port(addresses.get(index), host.getAddress());
      if (port.isPresent()) {
        socket.connect(new InetSocketAddress(host, port.getAsInt()), MILLISECONDS);
      }
      return false;
    } catch (IOException refused) {
      return true;
    }
  }

  /** Returns the port of {@code host} in the {@code sockaddr} within {@code address}. */
  static OptionalInt port(byte[] address, byte[] host) {
    int family = host.length == 4 ? IPV4 : IPV6;
    int behind = host.length == 4 ? 4 : 8;
    return IntStream.rangeClosed(0, address.length - behind - host.length)
        .filter(i -> address[i] == family && address[i + 1] == 0)
        .filter(
            i -> Arrays.equals(address, i + behind, i + behind + host.length, host, 0, host.length))
        .map(i -> Byte.toUnsignedInt(address[i + 2]) << 8 | Byte.toUnsignedInt(address[i + 3]))
        .findFirst();
  }
}
