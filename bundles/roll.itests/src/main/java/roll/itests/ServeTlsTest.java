package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model is served with TLS inside the framework, with a certificate in PEM files. */
@Tag("framework")
@Timeout(120)
class ServeTlsTest {
  private static final char[] PASSWORD = "password".toCharArray();
  private static final Pattern ADDRESS = Pattern.compile("https://127\\.0\\.0\\.1:(\\d+)/v1");

  @Test
  void clientsThatTrustTheCertificateAreAnswered(@TempDir Path folder) throws Exception {
    KeyStore store = store(folder);
    Path chain =
        pem(folder.resolve("chain.pem"), "CERTIFICATE", store.getCertificate("a").getEncoded());
    Key own = store.getKey("a", PASSWORD);
    Path key = pem(folder.resolve("key.pem"), "PRIVATE KEY", own.getEncoded());
    String said =
        CommandsTest.run(
            "roll:serve '%s' --random-weights --template none --port 0 --tls-cert '%s' --tls-key '%s' --background"
                .formatted(SmallRuns.config("models/frozen-lake-tiny"), chain, key));
    Matcher address = ADDRESS.matcher(said);
    assertTrue(address.find(), said);
    try {
      HttpRequest models = HttpRequest.newBuilder(URI.create(address.group() + "/models")).build();
      try (HttpClient trusting = HttpClient.newBuilder().sslContext(context(store)).build()) {
        HttpResponse<String> answer = trusting.send(models, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
      }
      try (HttpClient other = HttpClient.newHttpClient()) {
        assertThrows(
            SSLException.class, () -> other.send(models, HttpResponse.BodyHandlers.ofString()));
      }
    } finally {
      CommandsTest.run("roll:serve --stop " + address.group(1));
    }
  }

  /** Returns a certificate for 127.0.0.1 made by keytool. */
  private static KeyStore store(Path folder) throws Exception {
    Path file = folder.resolve("store.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "a",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=ip:127.0.0.1",
            "-validity",
            "2",
            "-keyalg",
            "EC",
            "-storetype",
            "PKCS12",
            "-storepass",
            new String(PASSWORD),
            "-keystore",
            file.toString());
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD);
      return store;
    }
  }

  private static Path pem(Path file, String label, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
  }

  private static SSLContext context(KeyStore store) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", store.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
