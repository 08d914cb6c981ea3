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
 * and writes; any may close it, which fails the reads and writes.
 */
final class TransferConnection implements Closeable {
  /** Version of the protocol; both sides must have the same. */
  static final int PROTOCOL = 3;

  /** Request for the manifest of a version, the last one of a connection. */
  static final int MANIFEST = 1;

  /** Request for a chunk of a version. */
  static final int CHUNK = 2;

  /** First byte of a successful answer. */
  private static final int GIVEN = 0;

  /** Byte before an answer that is delayed. */
  private static final int COMING = 4;

  private static final int MAGIC = 0x726f6c54;

  private final TransferConfig config;
  private final Socket plain;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private String node = "";

  /** Creates a connection over {@code plain}, which is closed on failure; sends nothing yet. */
  TransferConnection(TransferConfig config, Socket plain, boolean client) throws IOException {
    this.config = config;
    this.plain = plain;
    try {
      plain.setTcpNoDelay(true);
      plain.setKeepAlive(true);
      this.socket = config.identity() == null ? plain : tls(config.identity(), plain, client);
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
   * Connects to the transfer node {@code peer}.
   *
   * @throws IOException if it cannot be reached in time, has another name, or refuses
   */
  static TransferConnection to(TransferConfig config, TransferPeer peer) throws IOException {
    Duration limit = config.limits().greeting();
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(config.at().getAddress(), 0));
      socket.connect(peer.at(), (int) limit.toMillis());
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    TransferConnection made = new TransferConnection(config, socket, true);
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
    out.writeUTF(config.run());
    out.writeUTF(config.node());
    String name = answered(config.limits().greeting()).readUTF();
    if (!name.equals(node) || !certifies(node)) {
      throw new IOException("another node answers: " + name);
    }
  }

  /**
   * Reads the greeting of the connecting node; an answer is due next.
   *
   * @throws TransferRefusedException if it does not belong to the run
   */
  void greeted() throws IOException {
    handshake();
    if (in.readInt() != MAGIC) {
      throw new IOException("the greeting is not of this protocol");
    }
    int protocol = in.readInt();
    if (protocol != PROTOCOL) {
      in.skipNBytes(in.available()); // closing over unread bytes would reset the refusal, too
      throw stranger("it speaks protocol " + PROTOCOL + " and not " + protocol);
    }
    String run = in.readUTF();
    node = in.readUTF();
    if (!run.equals(config.run())) {
      throw stranger("it belongs to another run");
    }
    if (!certifies(node)) {
      throw stranger("the certificate does not belong to " + node);
    }
  }

  /** Returns the name of the connecting node after {@link #greeted}. */
  String node() {
    return node;
  }

  private static TransferRefusedException stranger(String why) {
    return new TransferRefusedException(TransferRefusedException.STRANGER, why);
  }

  private void handshake() throws IOException {
    expect(config.limits().greeting());
    if (socket instanceof SSLSocket tls) {
      tls.startHandshake();
    }
  }

  /** Returns whether the other side's certificate belongs to {@code node}; true without TLS. */
  private boolean certifies(String node) throws IOException {
    return !(socket instanceof SSLSocket tls)
        || (tls.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
            && Identity.node(certificate).equals(node));
  }

  /**
   * Sends a transfer request.
   *
   * @param wait maximum pause before the answer, or before a byte that delays it
   * @return the stream of the answer
   * @throws TransferRefusedException if it is refused
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
      throw new TransferRefusedException(reason, "it refuses: " + in.readUTF());
    }
    return in;
  }

  /** Returns the incoming data of the transfer connection. */
  DataInputStream in() {
    return in;
  }

  /** Announces an answer that is delayed. */
  void coming() throws IOException {
    out.writeByte(COMING);
    out.flush();
  }

  /** Begins a successful answer; the caller writes and flushes the rest. */
  DataOutputStream answer() throws IOException {
    out.writeByte(GIVEN);
    return out;
  }

  /** Refuses a request of the connected node. */
  void refuse(TransferRefusedException why) throws IOException {
    out.writeByte(why.reason());
    out.writeUTF(String.valueOf(why.getMessage()));
    out.flush();
  }

  /** Limits the pause between two received bytes; 0 for no limit. */
  void expect(Duration silence) throws IOException {
    plain.setSoTimeout((int) silence.toMillis());
  }

  /** Task that reads or writes. */
  interface Work {
    void run() throws IOException;
  }

  /** Runs {@code work}; closes the connection, which ends the work, after {@code limit}. */
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

  /** Closes the socket without TLS close, which would wait for a writing thread. */
  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException e) {
      // the connection is not used any more
    }
  }
}
