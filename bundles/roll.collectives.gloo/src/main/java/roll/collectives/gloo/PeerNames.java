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
 * Finds the rank that is lost: nobody listens any more where it did.
 *
 * @param addresses by index, as Gloo writes them: a {@code sockaddr} somewhere in it
 * @param hosts by index
 * @param ranks by index, how messages call it
 * @param own index of this one
 */
record PeerNames(List<byte[]> addresses, List<String> hosts, List<Integer> ranks, int own) {
  private static final int MILLISECONDS = 500;

  /** {@code AF_INET}, whose address is 4 bytes behind the family, and {@code AF_INET6}, 8. */
  private static final int IPV4 = 2;

  private static final int IPV6 = 10;

  /** What {@code message} of Gloo says, in one line, with the rank in front that is lost. */
  String in(String message) {
    String line = message.lines().findFirst().orElse("failed").strip();
    String reason = line.replaceFirst("^\\[[^\\]]*\\] ", ""); // the place in Gloo's sources
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

  /** The port of {@code host} in the {@code sockaddr} that {@code address} contains. */
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
