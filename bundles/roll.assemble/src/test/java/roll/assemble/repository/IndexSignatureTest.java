package roll.assemble.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signatures by gpg, with keys of this test. */
@Tag("processes")
class IndexSignatureTest {
  private static final byte[] INDEX = "<repository/>".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  private Path key;
  private Path other;
  private byte[] signature;

  @BeforeEach
  void sign() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "gpg"))),
        "gpg is not installed");
    key = key("Releaser <releaser@example.org>");
    other = key("Other <other@example.org>");
    Files.write(folder.resolve("index"), INDEX);
    gpg("--armor", "--local-user", "releaser@example.org", "--detach-sign", "index");
    signature = Files.readAllBytes(folder.resolve("index.asc"));
  }

  private Path key(String owner) throws Exception {
    gpg("--passphrase", "", "--quick-generate-key", owner, "ed25519", "sign");
    Path file = folder.resolve(owner.substring(0, owner.indexOf(' ')) + ".pub");
    gpg("--armor", "--output", file.toString(), "--export", owner);
    return file;
  }

  private void gpg(String... words) throws Exception {
    Path home =
        Files.createDirectories(
            folder.resolve("home"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    List<String> command =
        new ArrayList<>(
            List.of("gpg", "--batch", "--pinentry-mode", "loopback", "--homedir", home.toString()));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("gpg.log").toFile())
            .start();
    assertEquals(0, process.waitFor(), Files.readString(folder.resolve("gpg.log")));
  }

  @Test
  void theSignerIsNamed() throws Exception {
    String signer = IndexSignature.verify("index.xml", INDEX, signature, key);
    assertTrue(signer.startsWith("signed by Releaser <releaser@example.org> ("), signer);
  }

  @Test
  void anotherTextIsRefused() {
    byte[] changed = INDEX.clone();
    changed[1] = 'R';
    String line = userError(() -> IndexSignature.verify("index.xml", changed, signature, key));
    assertTrue(line.matches("index.xml: its signature by Releaser .* is bad or expired"), line);
  }

  @Test
  void anotherKeyIsRefused() {
    assertEquals(
        "index.xml: it is not signed by the key in " + other,
        userError(() -> IndexSignature.verify("index.xml", INDEX, signature, other)));
  }

  @Test
  void aMissingSignatureIsRefusedOnlyWithAKey() throws Exception {
    assertEquals("not signed", IndexSignature.verify("index.xml", INDEX, null, null));
    assertEquals(
        "index.xml: it is not signed: index.xml.asc is missing",
        userError(() -> IndexSignature.verify("index.xml", INDEX, null, key)));
  }

  @Test
  void whatIsNoSignatureOrNoKeyIsRefused() {
    byte[] text = "no signature".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "index.xml: it is not signed by the key in " + key,
        userError(() -> IndexSignature.verify("index.xml", INDEX, text, key)));
    assertEquals(
        folder.resolve("no.pub") + ": no such file; expected a public key",
        userError(
            () -> IndexSignature.verify("index.xml", INDEX, signature, folder.resolve("no.pub"))));
  }
}
