package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.cluster.transfer.Nodes.atLeast;
import static roll.cluster.transfer.Nodes.manifest;
import static roll.cluster.transfer.Nodes.peer;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;

/** Input that any sender may send to the port. */
@Timeout(60)
class ListenerTest {
  private static final int BYTES = 3 * Nodes.CHUNK;

  /** More unauthenticated connections than allowed do not disturb a later pull. */
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
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(bytes));
      Random random = new Random(11);
      for (int kind : new int[] {TransferConnection.MANIFEST, TransferConnection.CHUNK}) {
        for (int i = 0; i < 90; i++) {
          byte[] changed = request(kind, 2);
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
          try (Socket socket = new Socket(trainer.address().getAddress(), port(trainer))) {
            assertEquals("trainer", greet(socket, TransferConnection.PROTOCOL, "fuzz-" + i));
            write(socket, changed);
          }
        }
      }
      pull(worker, trainer, bytes);
    }
  }

  /** Requests for missing chunks are refused, and the connection can be used afterward. */
  @Test
  void whatIsNotThereIsRefused() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1)));
      TransferPeer peer = peer("trainer", trainer);
      VersionId here = new VersionId(Nodes.CHANNEL, 0, 1);
      VersionId none = new VersionId(Nodes.CHANNEL, 0, 2);
      try (TransferConnection to = TransferConnection.to(nodes.config("fuzz"), peer)) {
        for (int index : new int[] {-1, 3, Integer.MAX_VALUE}) {
          assertRefused("it does not have " + here, to, here, index);
        }
        assertRefused("it does not have " + none, to, none, 0);
        int length = to.ask(TransferConnection.CHUNK, here, 2, Nodes.LIMIT).readInt();
        assertEquals(Nodes.CHUNK, length);
      }
    }
  }

  private static void assertRefused(String why, TransferConnection to, VersionId id, int index) {
    IOException e =
        assertThrows(
            TransferRefusedException.class,
            () -> to.ask(TransferConnection.CHUNK, id, index, Nodes.LIMIT));
    assertEquals("it refuses: " + why, e.getMessage());
  }

  @Test
  void aNodeHasOnlySoManyConnections() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferPeer trainer = peer("trainer", nodes.open("trainer"));
      TransferConfig config = nodes.config("fuzz");
      List<TransferConnection> all = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        all.add(TransferConnection.to(config, trainer));
      }
      IOException e = assertThrows(IOException.class, () -> TransferConnection.to(config, trainer));
      assertEquals("it refuses: there are 16 connections already", e.getMessage());
      all.forEach(TransferConnection::close);
    }
  }

  @Test
  void anotherRunAndAnotherProtocolAreRefused() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferConfig own = nodes.config("fuzz");
      TransferConfig other =
          new TransferConfig("other", "fuzz", own.at(), own.identity(), false, own.limits());
      IOException e =
          assertThrows(
              IOException.class, () -> TransferConnection.to(other, peer("trainer", trainer)));
      assertEquals("it refuses: it belongs to another run", e.getMessage());
      try (Socket socket = new Socket(trainer.address().getAddress(), port(trainer))) {
        e = assertThrows(IOException.class, () -> greet(socket, 1, "fuzz"));
        assertEquals("it speaks protocol 3 and not 1", e.getMessage());
      }
    }
  }

  @Test
  void whereItListensIsChecked() throws Exception {
    TransferLimits limits = TransferLimits.standard();
    for (String wrong : List.of("0.0.0.0", "192.0.2.1")) {
      InetSocketAddress at = new InetSocketAddress(InetAddress.ofLiteral(wrong), 0);
      assertThrows(
          UserException.class, () -> new TransferConfig("test", "a", at, null, false, limits));
    }
    try (Nodes nodes = new Nodes(true)) {
      InetSocketAddress taken = nodes.open("first").address();
      TransferConfig config = nodes.config("second");
      TransferConfig same =
          new TransferConfig("test", "second", taken, config.identity(), false, limits);
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
      worker.pull(atLeast(1), peer("trainer", trainer), List.of(), _ -> to).close();
      assertTrue(Nodes.same(bytes, to));
    }
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      // it was closed already, as expected
    }
  }

  /** Asserts that the connection ends or breaks, perhaps after a TLS alert. */
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

  private static int port(TransferNode node) {
    return node.address().getPort();
  }

  /** Sends a greeting and returns the name in the answer. */
  private static String greet(Socket socket, int protocol, String node) throws IOException {
    ByteArrayOutputStream greeting = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(greeting);
    out.writeBytes("rolT");
    out.writeInt(protocol);
    out.writeUTF("test");
    out.writeUTF(node);
    socket.getOutputStream().write(greeting.toByteArray());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    boolean refused = in.readByte() != 0;
    String text = in.readUTF();
    if (refused) {
      throw new IOException(text);
    }
    return text;
  }

  private static byte[] request(int kind, int last) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(kind);
    out.writeUTF(Nodes.CHANNEL);
    out.writeLong(0);
    out.writeLong(1);
    out.writeInt(last);
    return bytes.toByteArray();
  }
}
