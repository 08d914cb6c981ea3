package roll.cluster.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;

class IdentityTest {
  @TempDir Path folder;

  @Test
  void nodesOfOneRunKnowEachOther() throws Exception {
    Authority authority = Authority.create("run");
    KeyPair key = Authority.newKey();
    CertificateRequest request =
        CertificateRequest.read(CertificateRequest.of("worker-1", key).bytes());
    Identity worker =
        new Identity(key.getPrivate(), authority.sign(request), authority.certificate());
    assertEquals("worker-1", worker.node());
    assertEquals(List.of("worker-1", "first"), talk(authority.identity("first"), worker));
  }

  @Test
  void strangersAreRefusedByBoth() {
    Identity here = Authority.create("run").identity("first");
    Identity elsewhere = Authority.create("run").identity("worker-1");
    assertThrows(IOException.class, () -> talk(here, elsewhere));
    assertThrows(IOException.class, () -> talk(elsewhere, here));
  }

  @Test
  void aRequestIsReadOnlyIfItIsSignedWithItsKey() throws Exception {
    CertificateRequest asked = CertificateRequest.of("worker-1", Authority.newKey());
    byte[] bytes = asked.bytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      assertThrows(IllegalArgumentException.class, () -> CertificateRequest.read(changed));
    }
    KeyPairGenerator other = KeyPairGenerator.getInstance("EC");
    other.initialize(384);
    byte[] longer = CertificateRequest.of("worker-1", other.generateKeyPair()).bytes();
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> CertificateRequest.read(longer));
    assertEquals("no certificate request: its key is not on the curve P-256", e.getMessage());
  }

  @Test
  void theAuthorityIsKeptInAFileForItsUserAlone() throws IOException {
    Path file = folder.resolve("authority.pem");
    Authority made = AuthorityFile.open(file, "run");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Authority read = AuthorityFile.open(file, "run");
    assertArrayEquals(Fingerprint.of(made.certificate()), Fingerprint.of(read.certificate()));
    read.identity("first").certificate();
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThrows(UserException.class, () -> AuthorityFile.open(file, "run"));
  }

  @Test
  void aDamagedFileIsRefused() throws IOException {
    Path file = folder.resolve("authority.pem");
    AuthorityFile.open(file, "run");
    Files.writeString(file, Files.readString(file).replace("KEY", "KEI"));
    UserException e = assertThrows(UserException.class, () -> AuthorityFile.open(file, "run"));
    assertTrue(e.getMessage().endsWith("is not the authority of a run: no private key"));
  }

  /** Returns the peer that each side of a connection sees. */
  private static List<String> talk(Identity server, Identity client) throws Exception {
    try (SSLServerSocket listener =
            (SSLServerSocket)
                server
                    .context()
                    .getServerSocketFactory()
                    .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      listener.setSSLParameters(server.parameters());
      Future<String> seen =
          threads.submit(
              (Callable<String>)
                  () -> {
                    try (SSLSocket socket = (SSLSocket) listener.accept()) {
                      socket.getInputStream().read();
                      socket.getOutputStream().write(2);
                      return socket.getSession().getPeerPrincipal().getName();
                    }
                  });
      try (SSLSocket socket =
          (SSLSocket)
              client
                  .context()
                  .getSocketFactory()
                  .createSocket(listener.getInetAddress(), listener.getLocalPort())) {
        socket.setSSLParameters(client.parameters());
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() < 0) {
          throw new IOException("closed");
        }
        String server2 = socket.getSession().getPeerPrincipal().getName();
        return List.of(seen.get().replace("CN=", ""), server2.replace("CN=", ""));
      }
    }
  }
}
