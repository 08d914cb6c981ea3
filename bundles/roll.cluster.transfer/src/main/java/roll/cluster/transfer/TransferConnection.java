package roll.cluster.transfer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Identity;

/**
 * A connection between two nodes, with mutual TLS where they have certificates. One thread reads
 * and writes; any may close, and whoever reads or writes fails then.
 */
final class TransferConnection implements Closeable {
  /** The protocol of this node; both sides must have the same. */
  static final int PROTOCOL = 3;

  /** Asks for the manifest of a version; the last request of a connection. */
  static final int MANIFEST = 1;

  /** Asks for a chunk. */
  static final int CHUNK = 2;

  /** An answer that is no refusal. */
  private static final int GIVEN = 0;

  /** What was asked for is not there yet; an answer follows. */
  private static final int COMING = 4;

  private static final int MAGIC = 0x726f6c54;

  private final TransferPlace place;
  private final Socket plain;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private String node = "";

  /** Over {@code plain}, which is closed if that fails; nothing is sent yet. */
  TransferConnection(TransferPlace place, Socket plain, boolean client) throws IOException {
    this.place = place;
    this.plain = plain;
    try {
      plain.setTcpNoDelay(true);
      plain.setKeepAlive(true);
      this.socket = place.identity() == null ? plain : tls(place.identity(), plain, client);
      this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private static Socket tls(Identity identity, Socket plain, boolean client) throws IOException {
    String host = plain.getInetAddress().getHostAddress();
    SSLSocket socket =
        (SSLSocket)
            identity.context().getSocketFactory().createSocket(plain, host, plain.getPort(), false);
    socket.setUseClientMode(client);
    socket.setSSLParameters(identity.parameters());
    return socket;
  }

  /**
   * A connection to {@code peer}, on which requests can be sent.
   *
   * @throws IOException if it cannot be reached in time, is somebody else, or refuses
   */
  static TransferConnection to(TransferPlace place, TransferPeer peer) throws IOException {
    Duration limit = place.limits().greeting();
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(place.at().getAddress(), 0));
      socket.connect(peer.at(), (int) limit.toMillis());
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    TransferConnection made = new TransferConnection(place, socket, true);
    try {
      made.within(limit, () -> made.greet(peer.node()));
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private void greet(String node) throws IOException {
    handshake();
    out.writeInt(MAGIC);
    out.writeInt(PROTOCOL);
    out.writeUTF(place.run());
    out.writeUTF(place.node());
    String name = answered(place.limits().greeting()).readUTF();
    if (!name.equals(node) || !certifies(node)) {
      throw new IOException("somebody else is there: " + name);
    }
  }

  /**
   * Hears whoever connected, who is answered next.
   *
   * @throws RefusedException if it is not of the run
   */
  void greeted() throws IOException {
    handshake();
    if (in.readInt() != MAGIC) {
      throw new IOException("what came is not of this protocol");
    }
    int protocol = in.readInt();
    if (protocol != PROTOCOL) {
      in.skipNBytes(in.available()); // closing over unread bytes would reset the refusal, too
      throw stranger("it speaks protocol " + PROTOCOL + " and not " + protocol);
    }
    String run = in.readUTF();
    node = in.readUTF();
    if (!run.equals(place.run())) {
      throw stranger("it is of another run");
    }
    if (!certifies(node)) {
      throw stranger("the certificate is not of " + node);
    }
  }

  /** The name of whoever connected, once it was {@link #greeted}. */
  String node() {
    return node;
  }

  private static RefusedException stranger(String why) {
    return new RefusedException(RefusedException.STRANGER, why);
  }

  private void handshake() throws IOException {
    expect(place.limits().greeting());
    if (socket instanceof SSLSocket tls) {
      tls.startHandshake();
    }
  }

  /** Whether the other's certificate is of {@code node}, if it has one. */
  private boolean certifies(String node) throws IOException {
    return !(socket instanceof SSLSocket tls)
        || (tls.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
            && Identity.node(certificate).equals(node));
  }

  /**
   * Asks for something of a version.
   *
   * @param wait longest pause until the answer, or until the other says that it is coming
   * @return the answer
   * @throws RefusedException if it is refused
   */
  DataInputStream ask(int kind, VersionId id, int last, Duration wait) throws IOException {
    out.writeByte(kind);
    id.write(out);
    out.writeInt(last);
    return answered(wait);
  }

  private DataInputStream answered(Duration wait) throws IOException {
    out.flush();
    expect(wait);
    int reason;
    do {
      reason = in.readUnsignedByte();
    } while (reason == COMING);
    if (reason != GIVEN) {
      throw new RefusedException(reason, "it refuses: " + in.readUTF());
    }
    return in;
  }

  /** What comes. */
  DataInputStream in() {
    return in;
  }

  /** Says that the answer to a request is coming. */
  void coming() throws IOException {
    out.writeByte(COMING);
    out.flush();
  }

  /** Answers a request: what was asked for is written next, and flushed. */
  DataOutputStream answer() throws IOException {
    out.writeByte(GIVEN);
    return out;
  }

  /** Answers a request that is refused. */
  void refuse(RefusedException why) throws IOException {
    out.writeByte(why.reason());
    out.writeUTF(String.valueOf(why.getMessage()));
    out.flush();
  }

  /** From now on no pause between two bytes that are read may be longer; 0 for no limit. */
  void expect(Duration silence) throws IOException {
    plain.setSoTimeout((int) silence.toMillis());
  }

  /** Something that reads or writes. */
  interface Work {
    void run() throws IOException;
  }

  /** Does {@code work}; this is closed, which ends it, if it takes longer than {@code limit}. */
  void within(Duration limit, Work work) throws IOException {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    var unused =
        done.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  close();
                  return null;
                });
    try {
      work.run();
    } catch (IOException e) {
      throw done.isCompletedExceptionally()
          ? new IOException("not done in " + limit.toMillis() / 1e3 + " s", e)
          : e;
    } finally {
      done.complete(null);
    }
  }

  /** Ends it without a farewell, which would wait for whoever is writing. */
  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException e) {
      // it is of no use any more, whatever it says
    }
  }
}
