package roll.cluster.transfer.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import roll.cluster.transfer.wire.TransferMessage.Hello;
import roll.cluster.transfer.wire.TransferMessage.Refused;
import roll.cluster.transfer.wire.TransferMessage.Welcome;

/**
 * Makes connections to nodes that serve and says who this one is.
 *
 * @param limit for all of that
 */
public record Dialer(Sockets sockets, int protocol, String run, String node, Duration limit) {
  /**
   * A connection on which requests can be sent.
   *
   * @param expected the name of whom to reach
   * @throws IOException if it cannot be reached in time, is somebody else, or refuses
   */
  public Conduit call(String expected, InetSocketAddress at) throws IOException {
    Conduit conduit = sockets.connect(at, limit);
    try {
      TransferCodec.write(conduit, new Hello(protocol, run, node));
      TransferMessage answer = TransferCodec.read(conduit, TransferCodec.ASKED);
      if (answer instanceof Refused refused) {
        throw new RefusedException(refused);
      }
      String certified = conduit.certified();
      if (!(answer instanceof Welcome(String name))
          || !name.equals(expected)
          || (certified != null && !certified.equals(expected))) {
        throw new IOException(
            "somebody else is there: " + (certified == null ? answer : certified));
      }
      return conduit;
    } catch (IOException | RuntimeException e) {
      conduit.close();
      throw e;
    }
  }
}
