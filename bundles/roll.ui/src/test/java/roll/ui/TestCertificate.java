package roll.ui;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import roll.runtime.serving.ListenSettings;

/**
 * A certificate for localhost that the JDK's own tool makes.
 *
 * @param files PEM, as a server reads them
 * @param trusting of clients that trust it and nothing else
 */
record TestCertificate(ListenSettings.Certificate files, SSLContext trusting) {
  private static final char[] PASSWORD = "password".toCharArray();

  /** One whose files are in {@code folder}. */
  static TestCertificate in(Path folder) throws Exception {
    Path file = folder.resolve("store.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of(
            ("-genkeypair -alias a -dname CN=localhost -ext SAN=dns:localhost,ip:127.0.0.1"
                    + " -validity 2 -keyalg EC -storetype PKCS12 -storepass password -keystore")
                .split(" ", -1)));
    command.add(file.toString());
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException("keytool made no certificate");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", store.getCertificate("a"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new TestCertificate(
        new ListenSettings.Certificate(
            pem(folder.resolve("own.crt"), "CERTIFICATE", store.getCertificate("a").getEncoded()),
            pem(
                folder.resolve("own.key"),
                "PRIVATE KEY",
                store.getKey("a", PASSWORD).getEncoded())),
        context);
  }

  private static Path pem(Path file, String label, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
  }
}
