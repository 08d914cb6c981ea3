package roll.cluster.transfer.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Identity;

/**
 * Makes connections of one kind.
 *
 * @param from the address of this machine that connections leave from
 * @param identity for mutual TLS; null for bytes in the clear
 */
public record Sockets(InetAddress from, @Nullable Identity identity, Deadlines deadlines) {
  /**
   * A connection to {@code to}, greeted, within {@code limit}.
   *
   * @throws IOException if there is none, or its certificate is not of this run
   */
  public Conduit connect(InetSocketAddress to, Duration limit) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(from, 0));
      channel.socket().connect(to, (int) limit.toMillis());
      return opened(channel, limit, true);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** What somebody opened; it is greeted by {@link #greet}. Closed if this fails. */
  public Conduit accepted(SocketChannel channel) throws IOException {
    try {
      return conduit(channel, false);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Greets whoever opened {@code conduit}, which must say who it is within {@code limit}. */
  public static void greet(Conduit conduit, Duration limit) throws IOException {
    conduit.expect(limit, limit);
    conduit.open();
  }

  private Conduit opened(SocketChannel channel, Duration limit, boolean client) throws IOException {
    Conduit conduit = conduit(channel, client);
    try {
      greet(conduit, limit);
      return conduit;
    } catch (IOException | RuntimeException e) {
      conduit.close();
      throw e;
    }
  }

  private Conduit conduit(SocketChannel channel, boolean client) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    return identity == null
        ? new PlainConduit(channel, deadlines)
        : new TlsConduit(channel, deadlines, identity, client);
  }
}
