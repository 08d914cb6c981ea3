package roll.cluster.transfer.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Identity;

/** Mutual TLS with the certificates of the run. */
final class TlsConduit extends Conduit {
  private static final int AT_ONCE = 1 << 16;

  private final byte[] part = new byte[AT_ONCE];
  private final SSLSocket socket;
  private final InputStream in;
  private final OutputStream out;
  private @Nullable String certified;

  TlsConduit(SocketChannel channel, Deadlines deadlines, Identity identity, boolean client)
      throws IOException {
    super(channel, deadlines);
    SSLSocketFactory factory = identity.context().getSocketFactory();
    Socket plain = channel.socket();
    String host = plain.getInetAddress().getHostAddress();
    socket = (SSLSocket) factory.createSocket(plain, host, plain.getPort(), false);
    socket.setUseClientMode(client);
    socket.setSSLParameters(identity.parameters());
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  @Override
  void open() throws IOException {
    socket.startHandshake();
    String name = socket.getSession().getPeerPrincipal().getName();
    try {
      for (Rdn part : new LdapName(name).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          certified = String.valueOf(part.getValue());
        }
      }
    } catch (InvalidNameException e) {
      throw new IOException("a certificate without a name: " + name, e);
    }
  }

  @Override
  public @Nullable String certified() {
    return certified;
  }

  @Override
  int receive(MemorySegment target, @Nullable MessageDigest digest) throws IOException {
    int n = in.read(part, 0, (int) Math.min(part.length, target.byteSize()));
    if (n > 0) {
      if (digest != null) {
        digest.update(part, 0, n);
      }
      MemorySegment.copy(part, 0, target, JAVA_BYTE, 0, n);
    }
    return n;
  }

  @Override
  int send(MemorySegment bytes) throws IOException {
    int n = (int) Math.min(part.length, bytes.byteSize());
    MemorySegment.copy(bytes, JAVA_BYTE, 0, part, 0, n);
    out.write(part, 0, n);
    return n;
  }
}
