package roll.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("hostile")
@Timeout(60)
class MemberPortTest {
  /** A record of a handshake with three bytes, then an encrypted one with two. */
  private static final byte[] MEMBER = {22, 3, 3, 0, 3, 1, 2, 3, 23, 3, 3, 0, 2, 4, 5};

  private static final Duration LONG = Duration.ofSeconds(50);

  private final List<Socket> sockets = new ArrayList<>();
  private ServerSocket pekko;

  @BeforeEach
  void listen() throws IOException {
    pekko = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    pekko.close();
  }

  private MemberPort port(Duration patience) throws IOException {
    return MemberPort.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        (InetSocketAddress) pekko.getLocalSocketAddress(),
        true,
        patience);
  }

  private Socket connect(MemberPort port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.number());
    sockets.add(socket);
    return socket;
  }

  private static boolean ended(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // reset
    }
  }

  @Test
  void bytesAreForwardedUnchanged() throws IOException {
    try (MemberPort port = port(LONG)) {
      Socket outer = connect(port);
      outer.getOutputStream().write(MEMBER);
      try (Socket inner = pekko.accept()) {
        assertArrayEquals(MEMBER, inner.getInputStream().readNBytes(MEMBER.length));
        inner.getOutputStream().write(MEMBER);
        assertArrayEquals(MEMBER, outer.getInputStream().readNBytes(MEMBER.length));
        outer.shutdownOutput();
        assertTrue(ended(inner));
      }
      assertTrue(ended(outer));
    }
  }

  /** New connections displace the oldest pending ones, and none of a member. */
  @Test
  void pendingConnectionsAreLimited() throws IOException {
    try (MemberPort port = port(LONG)) {
      Socket member = connect(port);
      member.getOutputStream().write(MEMBER);
      Socket inner = pekko.accept();
      sockets.add(inner);
      assertArrayEquals(MEMBER, inner.getInputStream().readNBytes(MEMBER.length));
      Socket halfway = connect(port);
      halfway.getOutputStream().write(Arrays.copyOf(MEMBER, MEMBER.length - 1));
      sockets.add(pekko.accept());
      List<Socket> silent = new ArrayList<>(List.of(halfway));
      for (int i = 0; i < 2 * MemberPort.MAX_PENDING; i++) {
        silent.add(connect(port));
      }
      int gone = silent.size() - MemberPort.MAX_PENDING;
      for (Socket socket : silent.subList(0, gone)) {
        assertTrue(ended(socket));
      }
      for (Socket socket : List.of(silent.get(gone), silent.getLast(), member)) {
        socket.setSoTimeout(100);
        assertFalse(ended(socket));
      }
    }
  }

  @Test
  void silentConnectionsAreClosed() throws IOException {
    try (MemberPort port = port(Duration.ofMillis(200))) {
      Socket member = connect(port);
      member.getOutputStream().write(MEMBER);
      sockets.add(pekko.accept());
      Socket talkative = connect(port);
      talkative.getOutputStream().write(new byte[] {22, 3, 3, 100, 0, 1});
      sockets.add(pekko.accept());
      assertTrue(ended(connect(port)));
      assertTrue(ended(talkative));
      member.setSoTimeout(100);
      assertFalse(ended(member));
    }
  }

  /** Pekko rejects the connection although it started like one of a member. */
  @Test
  void connectionsThatPekkoClosesAreClosed() throws IOException {
    try (MemberPort port = port(LONG)) {
      Socket outer = connect(port);
      outer.getOutputStream().write(MEMBER);
      pekko.accept().close();
      assertTrue(ended(outer));
    }
  }

  @Test
  void aClosedPortAcceptsNoConnection() throws IOException {
    MemberPort port = port(LONG);
    Socket before = connect(port);
    before.getOutputStream().write(MEMBER);
    sockets.add(pekko.accept());
    port.close();
    assertTrue(ended(before));
    assertThrows(IOException.class, () -> connect(port));
  }

  @Test
  void aHandshakeMayArriveInPieces() {
    for (int cut = 0; cut <= MEMBER.length; cut++) {
      HandshakeDetector detector = new HandshakeDetector(true);
      boolean early = detector.detect(MEMBER, cut);
      assertEquals(cut == MEMBER.length, early);
      byte[] rest = Arrays.copyOfRange(MEMBER, cut, MEMBER.length);
      assertTrue(detector.detect(rest, rest.length));
    }
    assertFalse(new HandshakeDetector(false).detect(MEMBER, 4));
    assertTrue(new HandshakeDetector(false).detect(MEMBER, 5));
  }
}
