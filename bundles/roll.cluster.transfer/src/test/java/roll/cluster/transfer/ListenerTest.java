package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.cluster.transfer.Nodes.atLeast;
import static roll.cluster.transfer.Nodes.manifest;
import static roll.cluster.transfer.Nodes.peer;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.cluster.transfer.wire.Conduit;
import roll.cluster.transfer.wire.Deadlines;
import roll.cluster.transfer.wire.Dialer;
import roll.cluster.transfer.wire.Sockets;
import roll.cluster.transfer.wire.TransferCodec;
import roll.cluster.transfer.wire.TransferMessage.AskChunks;
import roll.cluster.transfer.wire.TransferMessage.AskHeld;
import roll.cluster.transfer.wire.TransferMessage.AskManifest;

/** What anybody may send to the port. */
class ListenerTest {
  private static final int BYTES = 3 * Nodes.CHUNK;

  /** More connections than may be ungreeted; after them a pull works as before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void garbageAndHalfOpenConnectionsDoNoHarm(boolean tls) throws Exception {
    try (Nodes nodes = new Nodes(tls)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(bytes));
      List<Socket> half = new ArrayList<>();
      try {
        Random random = new Random(7);
        for (int i = 0; i < 150; i++) {
          Socket socket = new Socket(trainer.address().getAddress(), trainer.address().getPort());
          half.add(socket);
          if (i % 2 == 0) {
            byte[] garbage = new byte[1 + random.nextInt(300)];
            random.nextBytes(garbage);
            write(socket, garbage);
          }
        }
        pull(worker, trainer, bytes);
        for (Socket socket : half) {
          socket.setSoTimeout(5000);
          assertEnds(socket);
        }
      } finally {
        for (Socket socket : half) {
          socket.close();
        }
      }
      pull(worker, trainer, bytes);
    }
  }

  /** Requests of a node that belongs to the run, each with one byte changed. */
  @Test
  void changedRequestsDoNoHarm() throws Exception {
    try (Nodes nodes = new Nodes(false);
        Deadlines deadlines = new Deadlines("test", () -> {})) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(bytes));
      Random random = new Random(11);
      for (byte[] request : requests()) {
        for (int i = 0; i < 60; i++) {
          byte[] changed = request.clone();
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
          Dialer dialer = dialer(deadlines, "test", "fuzz-" + i, 1);
          try (Conduit conduit = dialer.call("trainer", trainer.address())) {
            conduit.write(MemorySegment.ofArray(changed));
          }
        }
      }
      pull(worker, trainer, bytes);
    }
  }

  @Test
  void aNodeHasOnlySoManyConnections() throws Exception {
    try (Nodes nodes = new Nodes(false);
        Deadlines deadlines = new Deadlines("test", () -> {})) {
      TransferNode trainer = nodes.open("trainer");
      Dialer dialer = dialer(deadlines, "test", "fuzz", 1);
      List<Conduit> all = new ArrayList<>();
      for (int i = 0; i < Nodes.LIMITS.perNode(); i++) {
        all.add(dialer.call("trainer", trainer.address()));
      }
      IOException e =
          assertThrows(IOException.class, () -> dialer.call("trainer", trainer.address()));
      assertEquals("it refuses: there are 16 connections already", e.getMessage());
      assertEquals(16, all.size());
    }
  }

  @Test
  void anotherRunAndAnotherProtocolAreRefused() throws Exception {
    try (Nodes nodes = new Nodes(false);
        Deadlines deadlines = new Deadlines("test", () -> {})) {
      InetSocketAddress at = nodes.open("trainer").address();
      IOException e =
          assertThrows(
              IOException.class, () -> dialer(deadlines, "other", "fuzz", 1).call("trainer", at));
      assertEquals("it refuses: it is of another run", e.getMessage());
      e =
          assertThrows(
              IOException.class, () -> dialer(deadlines, "test", "fuzz", 2).call("trainer", at));
      assertEquals("it refuses: it speaks protocol 1 and not 2", e.getMessage());
    }
  }

  @Test
  void whereItListensIsChecked() throws Exception {
    TransferLimits limits = TransferLimits.standard();
    for (String wrong : List.of("0.0.0.0", "192.0.2.1")) {
      InetSocketAddress at = new InetSocketAddress(InetAddress.ofLiteral(wrong), 0);
      assertThrows(
          UserException.class, () -> new TransferPlace("test", "a", at, null, false, limits));
    }
    try (Nodes nodes = new Nodes(true)) {
      InetSocketAddress taken = nodes.open("first").address();
      TransferPlace place = nodes.place("second");
      TransferPlace same =
          new TransferPlace("test", "second", taken, place.identity(), false, limits);
      IOException e =
          assertThrows(IOException.class, () -> TransferNode.open(same, nodes.notices::add));
      String says = "cannot serve weights at 127.0.0.1:" + taken.getPort() + ": ";
      assertTrue(e.getMessage().startsWith(says), e.getMessage());
    }
  }

  private static void pull(TransferNode worker, TransferNode trainer, MemorySegment bytes)
      throws Exception {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment to = arena.allocate(BYTES);
      worker.pull(atLeast(1), peer("trainer", trainer), List.of(), _ -> ChunkSink.into(to)).close();
      assertTrue(Nodes.same(bytes, to));
    }
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      // it was closed already, which is right
    }
  }

  /** At its end, or broken; an alert of TLS may come before. */
  private static void assertEnds(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      int bytes = 0;
      while (in.read() >= 0) {
        bytes++;
      }
      assertTrue(bytes < 100, bytes + " bytes came");
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // reset
    }
  }

  private static Dialer dialer(Deadlines deadlines, String run, String node, int protocol) {
    Sockets sockets = new Sockets(InetAddress.getLoopbackAddress(), null, deadlines);
    return new Dialer(sockets, protocol, run, node, Duration.ofSeconds(5));
  }

  private static List<byte[]> requests() throws IOException {
    return List.of(
        TransferCodec.bytes(new AskManifest(Nodes.CHANNEL, 0, 1, 10)),
        TransferCodec.bytes(new AskChunks(Nodes.CHANNEL, 0, 1, new int[] {0, 3})),
        TransferCodec.bytes(new AskHeld(Nodes.CHANNEL, 0, 1, 0, 1, 10)));
  }
}
