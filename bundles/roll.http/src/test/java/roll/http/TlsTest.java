package roll.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.testkit.RawHttpClient;

/** TLS with a certificate in PEM files. */
@Tag("processes")
class TlsTest extends ListenerTestBase {
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir Path folder;

  /** Returns a key store with a certificate for localhost made by keytool. */
  private KeyStore store(String kind) throws Exception {
    Path file = folder.resolve(kind + ".p12");
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String options =
        "-genkeypair -alias a -dname CN=localhost -ext SAN=dns:localhost -validity 2 -keyalg "
            + kind
            + " -storetype PKCS12 -storepass password -keystore ";
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(List.of(options.strip().split(" ", -1)));
    command.add(file.toString());
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD);
      return store;
    }
  }

  private PemFiles pem(KeyStore store, String name) throws IOException, GeneralSecurityException {
    return new PemFiles(
        write(name + ".crt", "CERTIFICATE", store.getCertificate("a").getEncoded()),
        write(name + ".key", "PRIVATE KEY", store.getKey("a", PASSWORD).getEncoded()));
  }

  private Path write(String name, String label, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
  }

  private static HttpListenerConfig place(PemFiles files, HttpLimits limits) {
    return new HttpListenerConfig(InetAddress.getLoopbackAddress(), 0, List.of(), files, limits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "Ed25519"})
  void aTrustedCertificateIsAccepted(String kind) throws Exception {
    KeyStore store = store(kind);
    HttpLimits limits = new HttpLimits(3, 3, LONG, 1000, 1000);
    HttpListener listener = listener(place(pem(store, "own"), limits));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", store.getCertificate("a"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    for (int i = 0; i < 9; i++) {
      Socket socket =
          context.getSocketFactory().createSocket("localhost", listener.address().getPort());
      try (RawHttpClient client = new RawHttpClient(socket)) {
        assertEquals(200, client.get("/").status());
      }
    }
    assertTrue(listener.connections() <= 3);
    // plain HTTP is refused
    assertTrue(!client().get("/").rest().startsWith("HTTP/1.1 200"));
  }

  @Test
  void mistakesAreReportedInOneLine() throws Exception {
    PemFiles own = pem(store("EC"), "own");
    PemFiles other = pem(store("RSA"), "other");
    assertComplains(": cannot be read: ", folder.resolve("none"), own.key());
    assertComplains(": cannot be read: ", own.chain(), folder.resolve("none"));
    assertComplains(": is no private key of the kind EC", own.chain(), other.key());
    assertComplains("BEGIN PRIVATE KEY", own.chain(), own.chain());
    assertComplains("certificate", own.key(), own.key());
    assertComplains("certificate", Files.writeString(folder.resolve("empty"), ""), own.key());
    // an incomplete handshake times out
    listener(place(own, new HttpLimits(3, 3, SHORT, 1000, 1000)));
    assertEquals("", client().rest());
  }

  private static void assertComplains(String what, Path chain, Path key) {
    HttpListenerConfig place = place(new PemFiles(chain, key), HttpLimits.standard());
    String line = userError(() -> Pem.read(Objects.requireNonNull(place.certificate())));
    assertTrue(line.contains(what) && !line.contains("\n"), line);
  }
}
