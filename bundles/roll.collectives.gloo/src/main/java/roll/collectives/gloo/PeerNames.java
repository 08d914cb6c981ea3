package roll.collectives.gloo;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds the rank that a message of Gloo is about: it has a port, and each rank's address contains
 * its own in network byte order.
 *
 * @param addresses by rank, as Gloo writes them: a {@code sockaddr} somewhere in it
 */
record PeerNames(List<byte[]> addresses) {
  private static final Pattern PORT = Pattern.compile("\\]:(\\d{1,5})");
  private static final int IPV4 = 2;
  private static final int IPV6 = 10;

  static PeerNames of(List<byte[]> addresses) {
    return new PeerNames(addresses);
  }

  /** What {@code message} says, in one line, with the rank in front. */
  String in(String message) {
    String line = message.lines().findFirst().orElse("failed").strip();
    String reason = line.replaceFirst("^\\[[^\\]]*\\] ", ""); // the place in Gloo's sources
    Matcher port = PORT.matcher(reason);
    while (port.find()) {
      List<Integer> ranks = ranks(Integer.parseInt(port.group(1)));
      if (ranks.size() == 1) {
        return "rank " + ranks.getFirst() + " is lost: " + reason;
      }
    }
    return reason;
  }

  private List<Integer> ranks(int port) {
    return IntStream.range(0, addresses.size())
        .filter(rank -> contains(addresses.get(rank), port))
        .boxed()
        .toList();
  }

  private static boolean contains(byte[] address, int port) {
    return IntStream.range(0, address.length - 3)
        .anyMatch(
            i ->
                (address[i] == IPV4 || address[i] == IPV6)
                    && address[i + 1] == 0
                    && address[i + 2] == (byte) (port >> 8)
                    && address[i + 3] == (byte) port);
  }
}
